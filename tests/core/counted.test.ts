import { expect, it } from "vitest";
import { countsOf } from "../../src/core/metrics/counted.ts";

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
