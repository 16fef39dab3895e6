import { describe, expect, it } from "vitest";
import { lineToType } from "../../src/inbox/typed-command.ts";

/** Which replies in a thread are commands, and what is typed in their place. */

describe("a reply that is a command", () => {
  it.each([
    ["/cos", "cos help"],
    ["/cos skip", "cos help"],
    ["  /COS Why goal-1a2b3c4d ", "cos Why goal-1a2b3c4d"],
    ["/cos why", "cos why ID"],
    ['/cos goal add "half', "cos help"],
    ["/cos goal add Fix it\nand test it", "cos help goal add"],
    [`/cos goal add ${"a".repeat(400)}`, "cos help goal add"],
    ["/cos help standup", "cos help standup"],
    ["cos status", "cos status"],
    ["cos answer cp-1a2b3c4d Send back", "cos answer cp-1a2b3c4d Send back"],
    ["cos why goal-1a2b3c4d", "cos why goal-1a2b3c4d"],
    ["cos goal add Fix the header", "cos goal add Fix the header"],
  ])("%j is typed as %j", (text, line) => {
    expect(lineToType(text)).toBe(line);
  });

  it.each([
    "ok",
    "cos",
    "cos why not",
    "cos help is hard to find",
    "Cos help text is unclear",
    "cos modify the header too",
    "cos reply times are slow",
    "cos approve it",
    "cos answer times are slow",
    "cos it is broken",
    "because cos status",
    "cosmetic changes only",
    "/costs are too high",
  ])("%j is talk", (text) => {
    expect(lineToType(text)).toBe(null);
  });
});
