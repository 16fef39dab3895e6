import { describe, expect, it } from "vitest";
import { becameBefore, becameOf, commonChoices, hasAnswerOf, mayJoin } from "../../src/core/checkpoints/batch.ts";
import type { CheckpointKind, CheckpointOption } from "../../src/core/checkpoints/checkpoint.ts";
import { answerable, findOption, optionMeant } from "../../src/core/checkpoints/find-option.ts";
import { goalOptions } from "../../src/core/checkpoints/options.ts";
import type { Trigger } from "../../src/core/checkpoints/triggers.ts";

/** Which questions may have one answer together, and which choices; what became of each. */

const option = (label: string, effect: CheckpointOption["effect"]): CheckpointOption => ({
  label,
  description: "",
  effect,
  isRecommended: false,
});
const [proceed, skip] = [option("Proceed", "continue"), option("Skip", "skip")];

describe("questions that are answered together", () => {
  it.each<[CheckpointKind, readonly Trigger[], boolean]>([
    ["start", ["ux_change"], true],
    ["continue", ["cost_cumulative"], true],
    ["diff", ["architecture", "ux_change"], true],
    ["start", ["hiccup", "ux_change"], false],
    ["diff", ["architecture", "hiccup"], false],
    ["permission", ["hiccup"], false],
    ["proof", ["architecture"], false],
    ["escalation", ["ux_change"], false],
    ["plan", ["cost_single"], false],
    ["money", ["cost_single"], false],
  ])("a %s question because of %j: %s [F-411]", (kind, fired, may) => {
    expect(mayJoin({ kind, reasons: fired.map((trigger) => ({ trigger, context: "" })) })).toBe(may);
  });

  it.each<[string, readonly (readonly CheckpointOption[])[], readonly string[]]>([
    ["none of no question", [], []],
    ["those of one that say everything", [goalOptions("start", [])], ["Proceed", "Skip"]],
    ["what each offers", [[proceed, skip], [skip], [option("Keep", "continue"), skip]], ["Skip"]],
    ["not what one of three lacks", [[proceed], [proceed], [skip]], []],
    ["not what does something else under that name", [[proceed], [option("Proceed", "modify")]], []],
  ])("have as choices %s [F-411]", (_what, questions, choices) => {
    expect(commonChoices(questions.map((options) => ({ options })))).toEqual(choices);
  });

  it("each answer says what became of its question [F-411]", () => {
    const recorded = { type: "recorded" as const, option: proceed, status: "approved" as const };

    expect([becameOf(null), becameOf(recorded), becameOf({ type: "acknowledged" })]).toEqual([
      "withdrawn",
      "answered",
      "not-offered",
    ]);
    expect([becameBefore("superseded"), becameBefore("expired"), becameBefore("rejected")]).toEqual([
      "withdrawn",
      "expired",
      "answered-before",
    ]);
    expect((["answered", "voted", "voted-before", "answered-before", "failed"] as const).map(hasAnswerOf)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("an option that is looked for", () => {
  it.each<[CheckpointKind, readonly string[]]>([
    ["start", ["Proceed"]],
    ["escalation", ["Proceed", "Pause"]],
    ["clarify", ["Proceed", "Pause"]],
    ["breaker", ["Proceed"]],
  ])("on a %s question: its own, and Pause where that has no button", (kind, labels) => {
    expect(answerable({ kind, options: [proceed] }).map(({ label }) => label)).toEqual(labels);
  });

  const [adjust, pause] = [option("Adjust plan", "modify"), option("Pause", "pause")];
  const edit = option("Edit goal", "modify");

  it.each<[string, readonly CheckpointOption[], string | null]>([
    ["proceed", [proceed, skip], "Proceed"],
    [" edit-goal ", [proceed, edit], "Edit goal"],
    ["Modify", [proceed, edit], "Edit goal"],
    ["modify", [edit, option("Modify", "modify")], "Modify"],
    ["modify", [proceed, skip], null],
    ["pro", [proceed, skip], null],
  ])("by the word %j", (word, options, label) => {
    expect(findOption(options, word)?.label ?? null).toBe(label);
  });

  it.each<[CheckpointOption["effect"], readonly CheckpointOption[], string | null]>([
    ["skip", [proceed, skip, pause], "Skip"],
    ["skip", [proceed, adjust, pause], "Pause"],
    ["modify", [proceed, skip, pause], null],
    ["continue", [skip, pause], null],
  ])("by what it does: %s (C-64, C-83)", (effect, options, label) => {
    expect(optionMeant(options, effect)?.label ?? null).toBe(label);
  });
});
