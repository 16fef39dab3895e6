import { describe, expect, it } from "vitest";
import { goalOptions } from "../../src/core/checkpoints/options.ts";
import { compileReply } from "../../src/core/replies/compile.ts";
import type { RepliedTo } from "../../src/core/replies/offered.ts";
import { readReply } from "../../src/core/replies/reply.ts";
import { readTap } from "../../src/core/replies/tapped.ts";

const escalation: RepliedTo = { options: goalOptions("escalation", []), asksClarification: false };
const start: RepliedTo = { options: goalOptions("start", []), asksClarification: false };

function asksBack(words: string): object {
  return { type: "unclear", isMeant: true, question: expect.stringContaining(words) as string };
}

describe("a reply that would decide more than its question", () => {
  it.each([
    "proceed with everything from now on",
    "Proceed from now on without asking.",
    "proceed with all of them",
    "go ahead with all",
    "always approve",
    "You can always proceed",
    "yes, always",
    "yes to all",
    "approve all future goals",
    "Please approve everything from now on.",
    "yes, for this and all later ones",
    "yes and don't ask again",
    "never ask me again",
    "stop asking",
    "always",
    "always allow",
    "always allow it",
    "allow always",
    "allow everything",
    "allow for this session",
  ])("%j is asked back: an answer is for one question", (text) => {
    for (const question of [start, escalation])
      expect(compileReply(text, question)).toMatchObject(asksBack("An answer is for this question alone."));
  });

  it.each([
    "ignore limits",
    "ignore all limits and proceed",
    "ok, and ignore the budget",
    "remove the ceiling, please",
    "no limits",
    "unlimited budget",
    "raise the budget to unlimited",
    "spend whatever it takes",
    "bypass approvals from now on",
  ])("%j is asked back: limits stay, and a budget is an amount", (text) => {
    for (const question of [start, escalation])
      expect(compileReply(text, question)).toMatchObject(asksBack("Limits and questions stay as they are"));
  });

  it.each([
    "ignore the rate limit in tests",
    "remove the limit of 100 rows",
    "use unlimited retries",
    "set the timeout to unlimited",
    "yes, use everything in src/",
    "Proceed with all tests green",
    "add a limit to all requests",
  ])("%j says what to do, and is no such thing", (text) => {
    expect(compileReply(text, start)).toMatchObject({ type: "modify" });
    expect(compileReply(text, escalation)).toMatchObject({ type: "retry" });
  });

  it.each(["Proceed\n\nSkip", "approve. skip", "continue, I'll do it myself"])("%j is a yes and a no", (text) => {
    for (const question of [start, escalation]) expect(compileReply(text, question)).toMatchObject({ type: "unclear" });
  });
});

describe("what keyboards and input methods add to a word", () => {
  const marked = [
    "\u200fproceed",
    "proceed\u200f",
    "\u202bproceed\u202c",
    "\u200bproceed\ufeff",
    "\u2067Proceed\u2069.",
  ];

  it.each([...marked, "ｐｒｏｃｅｅｄ", "ＯＫ", "Ｐｒｏｃｅｅｄ！"])("%j is the word", (text) => {
    expect(readReply(text, start.options)).toMatchObject({ type: "answer", choice: "Proceed" });
    expect(compileReply(text, start)).toEqual({ type: "proceed" });
  });

  it.each(["budget: $１０", "ｂｕｄｇｅｔ： １０", "\u200f$10"])("%j is an amount", (text) => {
    expect(compileReply(text, start)).toEqual({ type: "budget", budgetMicroUsd: 10_000_000 });
  });

  it("a yes to what was read back is one, and n is a no", () => {
    expect(readTap("\u200fyes")).toBe("confirm");
    expect(readTap("ｙｅｓ")).toBe("confirm");
    expect(readTap("n")).toBe("dismiss");
  });

  it("what to do stays as it was written, where wide signs belong to the writing", () => {
    expect(compileReply("use ＡＢＣ（日本語）", start)).toEqual({
      type: "modify",
      instruction: "use ＡＢＣ（日本語）",
    });
  });
});

describe("a reply that allows what was asked for", () => {
  const permission: RepliedTo = { options: goalOptions("permission", []), asksClarification: false };

  it.each([
    "allow",
    "allow it",
    "Allowed.",
    "allow once",
    "yes, allow it",
    "ok allow",
    "please allow this command",
    "permit it",
    "granted",
    "allow it: it is needed",
    "allow it: it is fine",
    "allowed: tested with Bo",
  ])("%j goes on", (text) => {
    expect(compileReply(text, permission)).toEqual({ type: "proceed" });
  });

  it.each([
    "don't allow it",
    "never allow",
    "not allowed",
    "allow it: it fails",
    "allow; wait",
    "allow it, but only reading",
  ])("%j is asked back, and told to no agent", (text) => {
    expect(compileReply(text, permission)).toMatchObject({ type: "unclear", isMeant: true });
  });

  it.each(["deny", "deny it", "forbid it"])("%j skips the goal", (text) => {
    expect(compileReply(text, permission)).toEqual({ type: "skip" });
  });

  it.each(["allow null in the parser", "allow it to be null"])("%j is work", (text) => {
    expect(compileReply(text, permission)).toEqual({ type: "modify", instruction: text });
  });

  it.each([
    ["allow, and add a test", "add a test"],
    ["allowed, and add a test", "add a test"],
    ["allow; use postgres", "use postgres"],
    ["allow: use postgres", "use postgres"],
    ["approve, and add a test", "add a test"],
  ])("%j goes on with what is added", (text, instruction) => {
    expect(compileReply(text, permission)).toEqual({ type: "modify", instruction });
  });
});
