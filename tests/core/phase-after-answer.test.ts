import { describe, expect, it } from "vitest";
import type { GoalQuestion } from "../../src/core/checkpoints/checkpoint.ts";
import { type ChangedByAnswer, phaseAfterAnswer } from "../../src/core/checkpoints/phase-after-answer.ts";
import { goalOptions, withCriterion } from "../../src/core/checkpoints/options.ts";
import type { Phase } from "../../src/core/goals/goal.ts";

const after = (kind: GoalQuestion, phase: Phase, changed: ChangedByAnswer): Phase =>
  phaseAfterAnswer({ kind, options: goalOptions(kind, []) }, phase, changed);

describe("the phase after an answer", () => {
  it.each<[GoalQuestion, Phase, Phase]>([
    ["start", "start", "start"],
    ["hiccup", "start", "start"],
    ["hiccup", "implement", "start"],
    ["hiccup", "recover", "recover"],
    ["hiccup", "verify", "verify"],
    ["hiccup", "finish", "finish"],
    ["permission", "implement", "implement"],
    ["clarify", "recover", "implement"],
    ["escalation", "implement", "implement"],
    ["escalation", "finish", "finish"],
    ["ceiling", "start", "start"],
    ["ceiling", "implement", "implement"],
    ["ceiling", "verify", "verify"],
    ["continue", "verify", "verify"],
    ["diff", "finish", "finish"],
    ["diff", "implement", "implement"],
    ["proof", "verify", "verify"],
    ["proof", "implement", "implement"],
    ["critics", "finish", "finish"],
    ["approval", "finish", "finish"],
  ])("%s at %s, and nothing was changed: %s", (kind, phase, next) => {
    expect(after(kind, phase, "nothing")).toBe(next);
  });

  it.each<[GoalQuestion, Phase]>([
    ["escalation", "finish"],
    ["continue", "verify"],
    ["diff", "finish"],
    ["proof", "verify"],
    ["critics", "finish"],
    ["approval", "finish"],
  ])("%s at %s: what was changed is worked", (kind, phase) => {
    expect(after(kind, phase, "work")).toBe("implement");
    expect(after(kind, phase, "criteria")).toBe("implement");
  });

  it("an interrupted goal that was changed starts over", () => {
    for (const phase of ["verify", "finish"] as const) expect(after("hiccup", phase, "work")).toBe("start");
  });

  it("other criteria for a weak proof are about the work as it is", () => {
    const proof = { kind: "proof", options: withCriterion(goalOptions("proof", [])) } as const;
    expect(phaseAfterAnswer(proof, "verify", "criteria")).toBe("verify");
    expect(phaseAfterAnswer(proof, "verify", "work")).toBe("implement");
  });
});
