import { describe, expect, it } from "vitest";
import { goalOptions } from "../../src/core/checkpoints/options.ts";
import { compileReply } from "../../src/core/replies/compile.ts";
import { asksForState } from "../../src/core/replies/asks-state.ts";
import { meansTap, readTap } from "../../src/core/replies/tapped.ts";

describe('"Confirm?" answered in words', () => {
  it.each(["yes", "Yes!", "ok", "OK 👍", "👍🏽", "✅", "confirm", "yes, please", "do it", "that's right", "*yes*"])(
    "%j confirms",
    (text) => expect(readTap(text)).toBe("confirm"),
  );

  it.each(["no", "Nope.", "no thanks", "not now", "no, wait", "wrong", "that's not what I meant", "stop", "cancel it"])(
    "%j puts it aside",
    (text) => expect(readTap(text)).toBe("dismiss"),
  );

  it.each(["proceed", "skip", "reject", "yes but use blue", "no, use blue", "~yes~", "> yes", "yes or no?", "no idea"])(
    "%j is about the question",
    (text) => expect(readTap(text)).toBeNull(),
  );

  const reading = (replyId: string, type: string, isOwn: boolean) => ({ replyId, type, isOwn, isLater: false });

  it("is about one's own reading, and never guessed where it could be about the question or another's", () => {
    const [mine, hers] = [reading("rp-1", "skip", true), reading("rp-2", "skip", false)];
    expect(meansTap("confirm", [mine])).toEqual({ type: "confirm", replyId: "rp-1" });
    expect(meansTap("dismiss", [mine, hers])).toEqual({ type: "dismiss", replyId: "rp-1" });
    expect(meansTap("confirm", [hers])).toEqual({ type: "unclear", replyId: "rp-2" });
    expect(meansTap("confirm", [mine, hers]).type).toBe("unclear");
    expect(meansTap("dismiss", [hers])).toEqual({ type: "question" });
    expect(meansTap("confirm", [])).toEqual({ type: "question" });
  });

  it("confirms one's own reading to go on, too, and leaves another's to the question", () => {
    const [mine, hers] = [reading("rp-3", "proceed", true), reading("rp-4", "proceed", false)];
    expect(meansTap("confirm", [mine])).toEqual({ type: "confirm", replyId: "rp-3" });
    expect(meansTap("confirm", [hers, mine])).toEqual({ type: "confirm", replyId: "rp-3" });
    expect(meansTap("confirm", [hers])).toEqual({ type: "question" });
    expect(meansTap("confirm", [{ ...mine, isLater: true }])).toEqual({ type: "question" });
  });

  it.each(["yes, confirm", "Confirm!", "correct", "go ahead", "please do", "yes please", "yup"])(
    "%j confirms what its writer is asked to confirm",
    (text) => expect(readTap(text)).toBe("confirm"),
  );

  it("is about nothing that was read back after it was written", () => {
    const later = { ...reading("rp-1", "skip", true), isLater: true };
    expect(meansTap("confirm", [later])).toEqual({ type: "unclear", replyId: "rp-1" });
    expect(meansTap("dismiss", [later])).toEqual({ type: "question" });
  });
});

it.each([
  "what happened?",
  "What's going on?",
  "why is it stuck?",
  "why?",
  "status?",
  "any news",
  "how is it going?",
  "did it fail?",
  "what did you try?",
  "what have you tried so far?",
  "what you tried?",
  "What was tried?",
])("%j asks how it stands", (text) => expect(asksForState(text)).toBe(true));

it.each([
  "what would skip do?",
  "is that really needed?",
  "what did you try to say?",
  "why not use blue?",
  "stop",
  "it is blocked by the docs",
  "",
])("%j does not", (text) => expect(asksForState(text)).toBe(false));

it("a fixed command, which takes no instructions, is offered none", () => {
  const asked = { options: goalOptions("start", []), asksClarification: false, runsCommand: true };

  expect(compileReply("yes but keep the old name", asked)).toMatchObject({
    isRefused: true,
    question: expect.stringMatching(/Say Proceed, .*Pause\.$/) as string,
  });
});
