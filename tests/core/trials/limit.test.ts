import { expect, it } from "vitest";
import { trialLimit } from "../../../src/core/trials/limit.ts";

it.each([
  ["of which is not known how long it takes", 120, null, 120],
  ["of a short command", 120, 500, 30],
  ["that may take no longer than that", 20, 500, 20],
  ["of one that takes three seconds", 120, 3_000, 30],
  ["of one that takes a little more", 120, 3_001, 60],
  ["of a long one", 120, 20_000, 120],
  ["of a very long one", 3600, 100_000, 1020],
])("a trial %s ends after at most so many seconds", (_, timeoutSeconds, tookMs, expected) => {
  expect(trialLimit(timeoutSeconds, tookMs)).toBe(expected);
});
