import { expect, it } from "vitest";
import { countsOf, counters } from "../../src/core/metrics/counted.ts";

/** What an event adds to the counters of `/metrics`. */

function verified(decision: string, fail: readonly string[]) {
  const detail = { round: 1, commit: "c1", decision, pass: [], fail: [...fail] };
  const about = { goalId: "goal-1", runId: "run-1", sessionId: null, checkpointId: null, at: new Date(0) };
  return countsOf({ event: "run.verified", ...about, detail }, new Map()).map(({ label }) => label);
}

it.each([
  ["passed", [], "pass"],
  ["again", ["AC-1"], "fail"],
  // Nobody could check its criterion: it stands in no list.
  ["fail", [], "fail"],
])("a round that is %s with %j counts as %s", (decision, fail, result) => {
  expect(verified(decision, fail)).toEqual([`result="${result}"`]);
});

it("a push that waits counts as such each time, and as a failure once a person is asked", () => {
  const about = { goalId: "goal-1", runId: "run-1", sessionId: null, checkpointId: null, at: new Date(0) };
  const failure = { kind: "push" as const, error: "git.example.com does not answer" };
  const wait = { until: "2026-01-01T00:00:00.000Z", isKnown: false, isOutage: true };
  const counted = (row: Parameters<typeof countsOf>[0]) =>
    countsOf(row, new Map()).map(({ about: counter, label }) => `${counter}{${label}}`);

  expect(counted({ event: "recovery.limited", ...about, detail: { ...failure, ...wait } })).toEqual([
    "cos_push_waits_total{}",
  ]);
  expect(
    counted({ event: "recovery.limited", ...about, detail: { ...failure, kind: "limit" as const, ...wait } }),
  ).toEqual(['cos_failures_total{kind="limit"}']);
  expect(counted({ event: "recovery.escalated", ...about, detail: { ...failure, ladder: 0 } })).toEqual([
    'cos_failures_total{kind="push"}',
  ]);
});

it("every end of an execution and all that cuts a turn short is shown before it was counted", () => {
  expect(counters.cos_attempts_total.label.values).toEqual(expect.arrayContaining(["no-space", "not-started"]));
  expect(counters.cos_interruptions_total.label.values).toEqual(["crash", "space", "disk", "agent"]);
});
