import { describe, expect, it } from "vitest";
import type { Answer } from "../../src/core/checkpoints/answering.ts";
import type { GoalQuestion } from "../../src/core/checkpoints/checkpoint.ts";
import { phaseAfterAnswer } from "../../src/core/checkpoints/phase-after-answer.ts";
import { goalOptions, withCriterion } from "../../src/core/checkpoints/options.ts";
import type { Phase } from "../../src/core/goals/goal.ts";
import { forgotten } from "../../src/core/goals/machine-columns.ts";
import { changesOf } from "../../src/core/goals/transitions.ts";
import { sentBackWords, withoutSentBack } from "../../src/core/recovery/giving-up.ts";
import { changedBy } from "../../src/turns/answers/modification.ts";
import { allowedOnce } from "../../src/turns/shared/permission.ts";

const said = (more: Partial<Answer>): Answer => ({
  choice: "Modify",
  version: 1,
  notes: null,
  instructions: null,
  criteria: null,
  budgetMicroUsd: null,
  ...more,
});

describe("what an answer changes of a goal's work", () => {
  const about = (kind: GoalQuestion) => ({ kind, options: goalOptions(kind, []) });
  const budget = said({ budgetMicroUsd: 20_000_000 });
  const ceiling = { instructions: [], ceilingMicroUsd: 20_000_000 };

  it.each<[GoalQuestion, Phase]>([
    ["continue", "verify"],
    ["diff", "finish"],
    ["escalation", "finish"],
    ["critics", "finish"],
  ])("%s at %s: another ceiling is nothing of it, and the phase goes on", (kind, phase) => {
    const checkpoint = about(kind);
    expect(changedBy({ answer: budget, checkpoint }, ceiling)).toBe("nothing");
    expect(phaseAfterAnswer(checkpoint, phase, changedBy({ answer: budget, checkpoint }, ceiling))).toBe(phase);
  });

  it("words are work, criteria alone are criteria, and nothing is nothing", () => {
    const checkpoint = about("diff");
    const both = said({ instructions: "use blue", budgetMicroUsd: 1, criteria: "x" });
    expect(changedBy({ answer: both, checkpoint }, { ...ceiling, criteria: "x" })).toBe("work");
    expect(changedBy({ answer: said({ criteria: "x" }), checkpoint }, { criteria: "x" })).toBe("criteria");
    expect(changedBy({ answer: said({}), checkpoint }, {})).toBe("nothing");
  });

  it("a ceiling accepts no weak proof", () => {
    const proof = { kind: "proof" as const, options: withCriterion(goalOptions("proof", [])) };
    expect(changedBy({ answer: budget, checkpoint: proof }, ceiling)).toBe("work");
  });
});

it("a goal that was changed while it was worked begins as if nothing had failed", () => {
  const goal = { errorCount: 2, recoveryLevel: 2, isHiccup: true } as unknown as Parameters<typeof changesOf>[1];
  expect(changesOf({ type: "restarts" }, goal)).toMatchObject(forgotten);
});

it("only the attempt that wanted to give up is told what was missing", () => {
  expect(withoutSentBack(sentBackWords(["a hypothesis"]))).toBeNull();
  expect(withoutSentBack("ana sent the work back: no")).toBe("ana sent the work back: no");
  expect(withoutSentBack(null)).toBeNull();
});

describe("an action that an agent waits for", () => {
  const answered = (reply: "allow" | "reject", grant: boolean | null) =>
    allowedOnce(
      async () => reply,
      async () => grant,
    );

  it("is allowed by the grant that Proceed leaves, and by no other answer that settles the question", async () => {
    expect(await answered("allow", true)).toBe("allow");
    expect(await answered("allow", false)).toBe("reject");
    expect(await answered("allow", null)).toBe("reject");
    expect(await answered("reject", true)).toBe("reject");
  });
});
