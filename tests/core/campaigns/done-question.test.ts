import { describe, expect, it } from "vitest";
import { askedWhetherDone, doneQuestion } from "../../../src/core/campaigns/done-question.ts";
import type { CheckpointFacts, CheckpointStatus } from "../../../src/core/checkpoints/checkpoint.ts";

const milestone = { name: "Ana's page", successCriteria: ["it opens"] };
const goal = (goalId: string) =>
  ({ goalId, milestoneId: "ms-1", status: "complete", tag: "claimed", content: `goal ${goalId}` }) as const;
const now = doneQuestion(milestone, [goal("a")]);
const facts: CheckpointFacts = {
  costMicroUsd: 0,
  costIsEstimated: false,
  estimateMicroUsd: null,
  spentTodayMicroUsd: 0,
  goalsWaiting: 0,
  details: now.details,
  fingerprint: null,
};
const asked = (status: CheckpointStatus) => ({ status, context: now.context, facts });

describe("whether a milestone is done", () => {
  it("is asked with what it is done by, and each of its goals", () => {
    expect(now).toEqual({
      context: "Is milestone 'Ana's page' done? 1 goal ended, 0 verified",
      details: ["Done when: it opens", "[claimed] complete: goal a"],
    });
  });

  it("is asked of one that has no goals by what it is done by", () => {
    expect(doneQuestion(milestone, [])).toEqual({
      context: "Is milestone 'Ana's page' done? It has no goals",
      details: ["Done when: it opens"],
    });
  });

  it.each([
    ["pending", "open"],
    ["approved", "answered"],
    ["rejected", "answered"],
    ["expired", "unanswered"],
    ["superseded", "no"],
  ] as const)("was asked and is %s: %s", (status, how) => {
    expect(askedWhetherDone(asked(status), now)).toBe(how);
  });

  it("was not asked about goals that came since, whatever was said before", () => {
    const more = doneQuestion(milestone, [goal("a"), goal("b")]);

    expect(askedWhetherDone(undefined, now)).toBe("no");
    expect(askedWhetherDone(asked("rejected"), more)).toBe("no");
    expect(askedWhetherDone(asked("expired"), more)).toBe("no");
    expect(askedWhetherDone(asked("pending"), more)).toBe("open");
  });
});
