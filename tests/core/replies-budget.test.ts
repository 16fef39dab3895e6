import { describe, expect, it } from "vitest";
import { readIn } from "../../src/commands/reply-reading.ts";
import { campaignOptions, goalOptions } from "../../src/core/checkpoints/options.ts";
import { formFor } from "../../src/core/cards/forms.ts";
import { type Answer, type AnswerDecision, withCeiling } from "../../src/core/checkpoints/answering.ts";
import { changesBudget } from "../../src/core/replies/amounts.ts";
import type { Checkpoint } from "../../src/core/checkpoints/checkpoint.ts";
import { answerOfReply } from "../../src/core/replies/answer.ts";
import { compileReply } from "../../src/core/replies/compile.ts";
import { fromModel } from "../../src/core/replies/from-model.ts";
import { readBackWords } from "../../src/core/replies/read-back.ts";
import { readReply } from "../../src/core/replies/reply.ts";
import type { Deps } from "../../src/deps.ts";

const kinds = ["start", "escalation", "diff", "continue"] as const;
const about = (kind: (typeof kinds)[number]) => ({ options: goalOptions(kind, []), asksClarification: false });

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
    expect(readReply(text, goalOptions("start", []))).toEqual({ type: "comment" });
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

describe("money of the product", () => {
  it.each([
    ["set the price to $7"],
    ["charge $5 for shipping"],
    ["ok but the fee should be $7", "the fee should be $7"],
    ["go ahead, but the price page must say $7", "the price page must say $7"],
    ["the discount needs to be $5"],
    ["use $1 for the first argument"],
    ["limit the upload to 5"],
    ["the budget field must accept 7"],
    ['set "budget: 5" in the file'],
    ["set the fee to $7 and retry", "set the fee to $7"],
  ])("%j is for the agent, and sets no ceiling", (text, instruction = text) => {
    expect(compileReply(text, about("start"))).toEqual({ type: "modify", instruction });
    expect(compileReply(text, about("escalation"))).toEqual({ type: "retry", instruction });
  });
});

describe("a ceiling and something to do", () => {
  it.each([
    ["use blue and raise the budget to $7", "use blue"],
    ["ok, $7, but use blue", "use blue"],
    ["yes, up to $7, use blue", "use blue"],
    ["budget: $7, use blue", "use blue"],
    ["budget: $7 and skip the docs", "skip the docs"],
    ["modify: budget $7, use blue", "use blue"],
    ["modify: use blue, budget $7", "use blue"],
    ["modify: use port 8080\nbudget 7", "use port 8080"],
    ["retry: use port 8080\nbudget: $7", "use port 8080"],
    ["retry with node 20\nand raise the budget to $7", "with node 20"],
    ["put @Transactional on save(), budget $7", "put @Transactional on save()"],
    [
      `Use blue for ${"each of the buttons ".repeat(30)}\nbudget: $7`,
      `Use blue for ${"each of the buttons ".repeat(30)}`,
    ],
  ])("%j is both, and reads both back", (text, instruction) => {
    for (const kind of ["start", "escalation"] as const) {
      const read = compileReply(text, about(kind));
      expect(read).toEqual({ type: "budget", budgetMicroUsd: 7_000_000, instruction: instruction.trim() });
      expect(answerOfReply(read, about(kind).options, 1)).toMatchObject({
        budgetMicroUsd: 7_000_000,
        instructions: instruction.trim(),
      });
    }
    expect(readBackWords(compileReply("use blue and raise the budget to $7", about("start")))).toBe(
      "I will set the goal's ceiling to $7.00 and go on with: use blue",
    );
  });

  it.each([
    "modify: $7",
    "modify: spend at most $7",
    "retry: with $7",
    "no more than $7 please",
    "spend up to $7 but no more",
  ])("%j is a ceiling alone", (text) =>
    expect(compileReply(text, about("start"))).toEqual({ type: "budget", budgetMicroUsd: 7_000_000 }),
  );

  it("is never done without a tap, and is refused where nobody can be told", () => {
    const deps = { config: { model: null } } as unknown as Deps;
    for (const kind of ["start", "clarify"] as const) {
      const asked = { kind, checkpointId: "cp-1", subject: "goal-1", version: 1, options: goalOptions(kind, []) };
      for (const words of [
        "use blue, budget $7",
        "budget $7",
        "skip, budget $7",
        "raise the budget to $7 for the fee",
      ]) {
        const reply = { thread: "cp-1", text: `modify: ${words}`, runsCommand: false };
        expect(readIn(deps, asked as unknown as Checkpoint, reply).type, words).toBe("prose");
      }
    }
    const fixed = { ...about("escalation"), runsCommand: true };
    expect(compileReply("budget: $7, use blue", fixed)).toMatchObject({ type: "unclear", isRefused: true });
    expect(compileReply("budget: $7, retry", fixed)).toEqual({ type: "budget", budgetMicroUsd: 7_000_000 });
  });

  it.each([
    "skip it, and limit the rest to $7",
    "skip, budget $7",
    "raise the budget to $7 for the fee and use blue",
    "raise the budget to 5k and use blue",
    "budget: $7, the customer waits",
    "budget $7, or a budget of $8",
    "skip, $5k",
  ])("%j is asked back with how a budget is written", (text) => {
    const question = expect.stringContaining('"budget: $7.50"') as string;
    expect(compileReply(text, about("escalation"))).toMatchObject({ type: "unclear", isMeant: true, question });
  });

  it("is kept together where a model reads it", () => {
    const reading = { decision: "budget", instruction: "use blue", budget_usd: 7, question_back: null } as const;
    expect(fromModel(reading, about("start"))).toEqual({
      type: "budget",
      budgetMicroUsd: 7_000_000,
      instruction: "use blue",
    });
  });
});

describe("a budget where none is taken", () => {
  const milestone = { options: campaignOptions("milestone", null), asksClarification: false };

  it.each(["budget: $3", "modify: budget $3", "proceed, with $3"])("%j is asked back", (text) => {
    expect(compileReply(text, milestone)).toMatchObject({
      type: "unclear",
      isMeant: true,
      question: expect.stringContaining("A budget changes nothing here.") as string,
    });
  });

  it("is no field of the form", () => {
    const facts = { about: "Work", until: null, command: null, ceilingUsd: null };
    expect(formFor("modify", facts).fields.map(({ field }) => field)).toEqual(["instructions", "criteria"]);
  });

  it("is asked for, and no instructions, where the goal runs a fixed command", () => {
    const facts = { about: "Work", until: null, command: "npm run fix", ceilingUsd: 2 };
    expect(formFor("modify", facts).fields.map(({ field }) => field)).toEqual(["criteria", "budget"]);
  });
});

describe("a ceiling that is no more than what the goal has cost", () => {
  const [proceed, modify, skip] = ["Proceed", "Modify", "Skip"].map((label) =>
    goalOptions("start", []).find((option) => option.label === label),
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
