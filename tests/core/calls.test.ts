import { describe, expect, it } from "vitest";
import { limits } from "../../src/chat/slack/limits.ts";
import { buttonValue, type Call, formOf, readButton } from "../../src/core/calls.ts";

const id = { checkpointId: "cp-1a2b3c4d", version: 2 };

describe("a button's call", () => {
  it.each<Call>([
    { command: "answer", id, choice: "Left to me, “later”" },
    { command: "modify", id },
    { command: "goal edit", id: "cp-1a2b3c4d.2" },
    { command: "goal check", id: "goal-1a2b3c4d", criterion: "AC-1" },
    { command: "merge stop", repo: "shop.api" },
    { command: "batch answer", kind: "cost_cumulative", choice: "Proceed", shown: 1_769_418_000_000 },
    { command: "batch undo", id: "ba-1a2b3c4d" },
    { command: "night end" },
    { command: "why", id: "goal-1a2b3c4d" },
  ])("comes back from a platform as it was: $command", (call) => {
    const value = buttonValue({ call });

    expect(readButton({ choice: "anything", value })).toEqual(call);
    expect(value.length).toBeLessThan(limits.optionValue);
  });

  it.each<[string, string, Call]>([
    ["cp-1a2b3c4d.2", "proceed", { command: "answer", id, choice: "proceed" }],
    ["cp-1a2b3c4d.2", "acknowledge", { command: "answer", id, choice: "acknowledge" }],
    ["cp-1a2b3c4d", "skip", { command: "answer", id: { ...id, version: null }, choice: "skip" }],
    ["cp-1a2b3c4d.2", "modify", { command: "modify", id }],
    ["cp-1a2b3c4d.2", "answer", { command: "modify", id }],
    ["cp-1a2b3c4d.2", "adjust", { command: "modify", id }],
    ["cp-1a2b3c4d.2", "edit-the-command", { command: "goal edit", id: "cp-1a2b3c4d.2" }],
    ["goal-1a2b3c4d", "merge", { command: "goal merge", id: "goal-1a2b3c4d" }],
    ["goal-1a2b3c4d", "undo", { command: "goal undo", id: "goal-1a2b3c4d" }],
    ["goal-1a2b3c4d", "check-ac-1", { command: "goal check", id: "goal-1a2b3c4d", criterion: "AC-1" }],
    ["rp-1a2b3c4d", "confirm", { command: "confirm", id: "rp-1a2b3c4d" }],
    ["camp-1a2b3c4d", "pause", { command: "campaign pause", id: "camp-1a2b3c4d" }],
    ["night-1a2b3c4d", "end", { command: "night end" }],
    ["mq-1a2b3c4d", "stop", { command: "merge stop" }],
    ["why goal-1a2b3c4d", "", { command: "why", id: "goal-1a2b3c4d" }],
  ])("of a message that an older version posted is understood: %s, %s", (value, choice, call) => {
    expect(readButton({ value, choice })).toEqual(call);
  });

  it.each([
    ["", ""],
    ["goal-1a2b3c4d", "show"],
    ["camp-1a2b3c4d", "stop --now"],
    ["rm goal-1a2b3c4d", ""],
    ["cp-1a2b3c4d\u0000", "proceed"],
    ["{", "proceed"],
    ['{"command":"answer"}', "proceed"],
    ['{"command":"doctor"}', ""],
    ['{"command":"answer","id":{"checkpointId":"cp-1","version":"2"},"choice":"x"}', ""],
    ['{"command":"goal merge","id":"goal 1"}', ""],
  ])("that is none of ours is none: %s, %s", (value, choice) => {
    expect(readButton({ value, choice })).toBeNull();
  });

  it("asks for a form where words are needed", () => {
    expect(formOf({ command: "modify", id })).toBe("modify");
    expect(formOf({ command: "goal edit", id: "cp-1a2b3c4d.2" })).toBe("edit");
    expect(formOf({ command: "answer", id, choice: "Proceed" })).toBeNull();
  });
});
