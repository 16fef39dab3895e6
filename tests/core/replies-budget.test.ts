import { describe, expect, it } from "vitest";
import { type Answer, type AnswerDecision, withCeiling } from "../../src/core/checkpoints/answering.ts";
import { optionsOf } from "../../src/core/checkpoints/question.ts";
import { changesBudget } from "../../src/core/replies/amounts.ts";
import { compileReply } from "../../src/core/replies/compile.ts";
import { readReply } from "../../src/core/replies/reply.ts";

const kinds = ["start", "escalation", "diff", "continue"] as const;
const about = (kind: (typeof kinds)[number]) => ({ options: optionsOf(kind, []), asksClarification: false });

describe("an amount that is added to what a goal may cost", () => {
  it.each([
    "give it $5 more",
    "$5 more",
    "5 dollars more please",
    "give it 5 more dollars",
    "add $5",
    "add $5 to the budget",
    "add another $5",
    "another $5",
    "another 5 dollars",
    "an extra $5",
    "$5 extra",
    "$5 on top",
    "$5 on top of that",
    "plus $5",
    "+$5",
    "+ 5 dollars",
    "budget: +5",
    "budget +$5",
    "budget: 5 more",
    "budget: another 5",
    "modify: budget +5",
    "modify: add $5",
    "increase the budget by $5",
    "raise it by $5",
    "raise the budget by 5",
    "raise by 5 dollars",
    "bump the budget by $5",
    "top it up with $5",
    "lower the budget by $2",
    "ok, add $5",
    "retry with $5 more",
    "yes, give it another $5 and go on",
    "raise the budget",
    "increase the budget a bit",
    "double the budget",
    "raise the budget by 50%",
    "more budget",
    "give it more money",
  ])("%j sets no ceiling of that amount and tells the agent nothing: it is asked back", (text) => {
    for (const kind of kinds)
      expect(compileReply(text, about(kind)), kind).toMatchObject({ type: "unclear", isMeant: true });
    expect(readReply(text, optionsOf("start", []))).toEqual({ type: "comment" });
  });

  it("is asked back with how a ceiling is written", () => {
    expect(compileReply("give it $5 more", about("escalation"))).toMatchObject({
      question: expect.stringMatching(/^Nothing is added or taken off: .*in all.*"budget: \$7\.50"/) as string,
    });
  });

  it.each([
    ["raise the budget to $20", 20_000_000],
    ["increase the ceiling to 20 dollars", 20_000_000],
    ["ok, up to $9", 9_000_000],
    ["budget 8, please", 8_000_000],
    ["$20 in total", 20_000_000],
    ["give it $20", 20_000_000],
    ["up to $9 and try once more", 9_000_000],
  ])("%j is what it may cost in all", (text, budgetMicroUsd) => {
    expect(compileReply(text, about("escalation"))).toEqual({ type: "budget", budgetMicroUsd });
    expect(changesBudget(text)).toBe(false);
  });

  it.each([
    "add a test for 5 rows",
    "add another column",
    "increase the timeout by 5 seconds",
    "raise the fee by $5",
    "add $5 to the price",
  ])("%j is for the agent", (text) =>
    expect(compileReply(text, about("escalation"))).toEqual({ type: "retry", instruction: text }),
  );

  it("is looked for in linear time", () => {
    const hostile = ["by ".repeat(30), "+".repeat(90), "5 ".repeat(45), "please ".repeat(14), "another".repeat(14)];
    for (const text of [...hostile, ...hostile.map((each) => each.repeat(1000))])
      expect(compileReply(text, about("start")).type).not.toBe("budget");
  });
});

describe("a ceiling that is no more than what the goal has cost", () => {
  const [proceed, modify, skip] = ["Proceed", "Modify", "Skip"].map((label) =>
    optionsOf("start", []).find((option) => option.label === label),
  );
  const decided = (option = modify): AnswerDecision => {
    if (option === undefined) throw new Error("no option");
    return { type: "recorded", option, status: "approved" };
  };
  const said = (budgetMicroUsd: number | null): Answer => ({
    choice: "Modify",
    version: null,
    notes: null,
    instructions: null,
    criteria: null,
    budgetMicroUsd,
  });

  it("decides nothing, and says what it has cost", () => {
    for (const option of [modify, proceed])
      for (const budget of [5_000_000, 14_000_000])
        expect(withCeiling(decided(option), said(budget), 14_000_000)).toEqual({
          type: "below-cost",
          spentMicroUsd: 14_000_000,
        });
  });

  it("changes nothing else", () => {
    expect(withCeiling(decided(), said(15_000_000), 14_000_000)).toEqual(decided());
    expect(withCeiling(decided(), said(null), 14_000_000)).toEqual(decided());
    expect(withCeiling(decided(), said(1), 0)).toEqual(decided());
    expect(withCeiling(decided(skip), said(5_000_000), 14_000_000)).toEqual(decided(skip));
    const late: AnswerDecision = { type: "changed", version: 2 };
    expect(withCeiling(late, said(5_000_000), 14_000_000)).toEqual(late);
  });
});
