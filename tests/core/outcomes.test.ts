import { describe, expect, it } from "vitest";
import type { EventDetails } from "../../src/core/events/event.ts";
import { readEvent } from "../../src/core/events/read.ts";
import { type HappenedRow, historiesOf } from "../../src/core/reports/histories.ts";
import {
  type GoalHistory,
  type HappeningType,
  outcomeIn,
  type TimeSpan,
  troubleIn,
} from "../../src/core/reports/outcomes.ts";

const day = 24 * 60 * 60_000;
const monday = Date.parse("2026-01-26T00:00:00Z");
const weekFrom = (index: number): TimeSpan => ({
  from: new Date(monday + index * 7 * day),
  to: new Date(monday + (index + 1) * 7 * day),
});
const thisWeek = weekFrom(0);
const nextWeek = weekFrom(1);

/** What happened on which day after Monday, in this order. */
function history(...happened: readonly (readonly [HappeningType, number])[]): GoalHistory {
  return {
    goalId: "goal-1",
    happened: happened.map(([type, days]) => ({
      type,
      at: new Date(monday + days * day),
      runId: `run-${Math.floor(days)}`,
      words: `${type} on ${days}`,
    })),
  };
}

const mended = { wasMended: true };
const notMended = { wasMended: false };

describe("what a goal came to in a week, and whether its trouble was mended [F-120]", () => {
  type Story = readonly (readonly [HappeningType, number])[];
  it.each<[string, Story, string | null, { wasMended: boolean } | null]>([
    ["nothing", [], null, null],
    ["complete at once", [["complete", 1]], "complete", null],
    ["refused, or its setup failed", [["failed", 1]], "failed", notMended],
    [
      "deferred before it was worked",
      [
        ["decided", 1],
        ["helped", 1],
        ["deferred", 1],
      ],
      "deferred",
      null,
    ],
    ["left to a person: nobody can work it", [["manual", 1]], "manual", null],
    ["verified again on another base, as it was", [["confirmed", 1]], null, null],
    [
      "complete, and verified again on another base",
      [
        ["complete", 1],
        ["confirmed", 2],
      ],
      "complete",
      null,
    ],
    [
      "verified again after a failure, by itself",
      [
        ["failure", 1],
        ["confirmed", 1],
      ],
      null,
      mended,
    ],
    [
      "broken by another base, and skipped",
      [
        ["complete", 0],
        ["failure", 1],
        ["escalated", 1],
        ["deferred", 2],
      ],
      "failed",
      notMended,
    ],
    [
      "mended by its ladder",
      [
        ["failure", 1],
        ["failure", 1],
        ["complete", 1],
      ],
      "complete",
      mended,
    ],
    [
      "mended, and its result was approved",
      [
        ["failure", 1],
        ["decided", 2],
        ["complete", 2],
      ],
      "complete",
      mended,
    ],
    [
      "mended with a person's words",
      [
        ["failure", 1],
        ["decided", 2],
        ["helped", 2],
        ["complete", 2],
      ],
      "complete",
      notMended,
    ],
    [
      "edited while it failed",
      [
        ["failure", 1],
        ["helped", 2],
        ["complete", 2],
      ],
      "complete",
      notMended,
    ],
    ["at work again after a failure, the week over", [["failure", 6.9]], null, null],
    [
      "escalated, and nobody has answered",
      [
        ["failure", 1],
        ["escalated", 1],
      ],
      "failed",
      notMended,
    ],
    [
      "escalated and skipped",
      [
        ["failure", 1],
        ["escalated", 1],
        ["helped", 2],
        ["deferred", 2],
      ],
      "failed",
      notMended,
    ],
    [
      "escalated and done by hand",
      [
        ["escalated", 1],
        ["helped", 2],
        ["manual", 2],
      ],
      "failed",
      notMended,
    ],
    [
      "retried twice and given up",
      [
        ["escalated", 1],
        ["helped", 1],
        ["failure", 2],
        ["escalated", 2],
        ["helped", 3],
        ["escalated", 3],
        ["helped", 4],
        ["deferred", 4],
      ],
      "failed",
      notMended,
    ],
    [
      "escalated, and retried with success",
      [
        ["escalated", 1],
        ["helped", 2],
        ["complete", 2],
      ],
      "complete",
      notMended,
    ],
    [
      "skipped while it was being retried",
      [
        ["failure", 1],
        ["helped", 2],
        ["deferred", 2],
      ],
      "deferred",
      notMended,
    ],
    [
      "failed, and complete by itself the day after",
      [
        ["failure", 1],
        ["failed", 1],
        ["complete", 2],
      ],
      "complete",
      mended,
    ],
    [
      "complete, reverted, worked again and deferred",
      [
        ["complete", 1],
        ["helped", 2],
        ["deferred", 3],
      ],
      "deferred",
      null,
    ],
    [
      "complete twice",
      [
        ["complete", 1],
        ["helped", 2],
        ["complete", 3],
      ],
      "complete",
      null,
    ],
  ])("%s", (_name, story, outcome, trouble) => {
    expect(outcomeIn(history(...story), thisWeek)?.type ?? null).toBe(outcome);
    expect(troubleIn(history(...story), thisWeek)).toEqual(trouble);
  });

  it.each<[string, Story, (string | null)[], ({ wasMended: boolean } | null)[]]>([
    [
      "a ladder over the weekend",
      [
        ["failure", 6.9],
        ["complete", 7.1],
      ],
      [null, "complete"],
      [null, mended],
    ],
    [
      "failed in one week and complete in the next, by itself",
      [
        ["failed", 5],
        ["complete", 8],
      ],
      ["failed", "complete"],
      [notMended, null],
    ],
    [
      "escalated in one week, retried with success in the next",
      [
        ["failure", 5],
        ["escalated", 5],
        ["helped", 8],
        ["complete", 8],
      ],
      ["failed", "complete"],
      [notMended, null],
    ],
    [
      "escalated in one week, skipped in the next",
      [
        ["escalated", 5],
        ["helped", 8],
        ["deferred", 8],
      ],
      ["failed", "deferred"],
      [notMended, null],
    ],
    [
      "escalated in both",
      [
        ["escalated", 5],
        ["helped", 8],
        ["failure", 9],
        ["escalated", 9],
      ],
      ["failed", "failed"],
      [notMended, notMended],
    ],
    [
      "parked in one week, complete in the next",
      [
        ["failure", 5],
        ["helped", 8],
        ["complete", 9],
      ],
      [null, "complete"],
      [null, notMended],
    ],
    [
      "complete, and worked again when the week is over: once, when it is complete anew",
      [
        ["complete", 2],
        ["again", 6],
        ["complete", 8],
      ],
      [null, "complete"],
      [null, null],
    ],
    [
      "complete, and resumed in the next week: it was complete when each week was over",
      [
        ["complete", 2],
        ["again", 8],
        ["complete", 9],
      ],
      ["complete", "complete"],
      [null, null],
    ],
    [
      "skipped, and resumed before the week was over",
      [
        ["deferred", 2],
        ["again", 3],
      ],
      [null, null],
      [null, null],
    ],
    [
      "put on another base, and verified there in the next week",
      [
        ["complete", 2],
        ["again", 6],
        ["confirmed", 8],
      ],
      [null, "complete"],
      [null, null],
    ],
    [
      "put on another base twice, and verified there each time",
      [
        ["complete", 2],
        ["again", 3],
        ["confirmed", 3],
        ["again", 8],
        ["confirmed", 8],
      ],
      ["complete", null],
      [null, null],
    ],
    [
      "failed, and resumed: it has failed all the same",
      [
        ["failed", 2],
        ["helped", 3],
        ["again", 3],
        ["complete", 8],
      ],
      ["failed", "complete"],
      [notMended, null],
    ],
  ])("over two weeks: %s", (_name, story, outcomes, troubles) => {
    expect([thisWeek, nextWeek].map((week) => outcomeIn(history(...story), week)?.type ?? null)).toEqual(outcomes);
    expect([thisWeek, nextWeek].map((week) => troubleIn(history(...story), week))).toEqual(troubles);
  });

  it("says when, in which run, why, and whether a person was asked", () => {
    const story = history(["complete", 1], ["decided", 2], ["escalated", 3], ["helped", 4], ["deferred", 4]);

    expect(outcomeIn(story, thisWeek)).toEqual({
      goalId: "goal-1",
      type: "failed",
      at: new Date(monday + 3 * day),
      runId: "run-3",
      words: "escalated on 3",
      wasEscalated: true,
      wasDecided: true,
    });
    expect(outcomeIn(history(["decided", 1], ["complete", 2], ["complete", 3]), thisWeek)?.wasDecided).toBe(false);
  });

  it("holds for any history: retries add nothing, and no trouble belongs to two weeks without a new failure", () => {
    const random = numbers(20_260_126);
    const types = ["complete", "failed", "deferred", "manual", "escalated", "failure", "decided", "helped"] as const;
    for (let world = 0; world < 400; world += 1) {
      const days = Array.from({ length: Math.floor(random() * 12) }, () => random() * 21).sort((a, b) => a - b);
      const story = history(
        ...days.map((at) => [types[Math.floor(random() * types.length)] ?? "failure", at] as const),
      );
      const weeks = [0, 1, 2].map(weekFrom);
      const troubles = weeks.map((week) => troubleIn(story, week));
      const outcomes = weeks.map((week) => outcomeIn(story, week));

      // Every failed attempt once more says the same.
      const again = {
        ...story,
        happened: story.happened.flatMap((each) => (each.type === "failure" ? [each, each] : [each])),
      };
      expect(weeks.map((week) => troubleIn(again, week))).toEqual(troubles);
      expect(weeks.map((week) => outcomeIn(again, week))).toEqual(outcomes);
      const failures = story.happened.filter(({ type }) => ["failure", "failed", "escalated"].includes(type)).length;
      expect(troubles.filter((each) => each !== null).length).toBeLessThanOrEqual(failures);
      for (const [index, outcome] of outcomes.entries()) {
        const week = weeks[index] ?? thisWeek;
        if (outcome !== null) expect([outcome.at >= week.from, outcome.at < week.to]).toEqual([true, true]);
        if (outcome?.type === "failed" && troubles[index] !== null) expect(troubles[index]).toEqual(notMended);
        if (outcome?.type === "failed") expect(troubles[index], JSON.stringify(story)).not.toBeNull();
      }
    }
  });
});

/** The same numbers from 0 to 1 in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("rows of the timeline as what happened [F-120]", () => {
  const failed = { kind: "work", error: "exit code 1" } as const;
  const details = {
    "goal.complete": { outcome: "Done." },
    "goal.resumed": {},
    "goal.edited": { fields: ["content"] },
    "goal.interrupted": { turn: 1, interruptions: 1, phase: "implement" },
    "goal.reworked": { why: "remarks", count: 1 },
    "goal.rebased": { into: "main", tip: "c0ffee", commit: null, why: "verify" },
    "goal.ground-changed": { ground: "goal-0" },
    "recovery.retry": { ...failed, rung: 1, attempt: 2, ladder: 1, dueAt: "2026-01-26T00:00:05.000Z" },
    "recovery.escalated": { ...failed, ladder: 1 },
    "recovery.limited": { ...failed, until: "2026-01-26T01:00:00.000Z", isKnown: true },
    "recovery.paused": failed,
    "checkpoint.answered": { choice: "Proceed", version: 1, waitedMs: 0 },
  } satisfies Partial<EventDetails>;
  const row = (
    event: keyof typeof details,
    more: Partial<Pick<HappenedRow, "actor" | "detail" | "question">> = {},
  ): HappenedRow => {
    const about = { goalId: "goal-1", runId: "run-1", at: new Date(monday), actor: null, question: null };
    const read = readEvent({ ...about, event, detail: details[event], ...more });
    if (read.event === "other") throw new Error(`not details of ${event}`);
    return read;
  };
  const answered = (kind: string, effect: string, about = "goal-1") =>
    row("checkpoint.answered", { actor: "@ana", question: { kind, about, effect } });

  it.each<[string, HappenedRow, HappeningType[]]>([
    ["the end", row("goal.complete"), ["complete"]],
    ["a failed attempt", row("recovery.retry"), ["failure"]],
    ["the ladder's end", row("recovery.escalated"), ["escalated"]],
    ["a limit is no failure", row("recovery.limited"), []],
    ["a missing login is none", row("recovery.paused"), []],
    ["an interruption is none", row("goal.interrupted"), []],
    ["approved before the work", answered("start", "continue"), ["decided"]],
    ["its result approved", answered("diff", "continue"), ["decided"]],
    ["an action allowed", answered("permission", "continue"), ["decided"]],
    ["modified before the work", answered("start", "modify"), ["decided", "helped"]],
    ["retried at the ladder's end", answered("escalation", "continue"), ["decided", "helped"]],
    ["proof accepted", answered("proof", "continue"), ["decided", "helped"]],
    ["more money", answered("ceiling", "continue"), ["decided", "helped"]],
    ["its session goes on", answered("breaker", "continue", "session-1"), ["helped"]],
    ["resumed by a person", row("goal.resumed", { actor: "ana" }), ["helped", "again"]],
    ["taken up again by its campaign", row("goal.resumed", { detail: { day: 2 } }), ["again"]],
    ["given back by its pull request", row("goal.reworked"), ["again"]],
    ["edited", row("goal.edited", { actor: "ana", detail: { fields: ["content", "priority"] } }), ["helped"]],
    ["put before others", row("goal.edited", { actor: "ana", detail: { fields: ["priority"] } }), []],
  ])("%s", (_name, given, types) => {
    expect(historiesOf([given]).flatMap(({ happened }) => happened.map(({ type }) => type))).toEqual(types);
  });

  it("complete on another base is the same completion once more; one that had failed there is a new one", () => {
    const typesOf = (...events: (keyof typeof details)[]) =>
      historiesOf(events.map((event) => row(event))).flatMap(({ happened }) => happened.map(({ type }) => type));

    for (const moved of ["goal.rebased", "goal.ground-changed"] as const) {
      expect(typesOf("goal.complete", moved, "goal.complete")).toEqual(["complete", "again", "confirmed"]);
      expect(typesOf("goal.complete", moved, "goal.complete", moved, "goal.complete")).toEqual([
        "complete",
        "again",
        "confirmed",
        "again",
        "confirmed",
      ]);
      expect(typesOf("goal.complete", moved, "recovery.escalated", "goal.complete")).toEqual([
        "complete",
        "again",
        "escalated",
        "complete",
      ]);
    }
  });
});
