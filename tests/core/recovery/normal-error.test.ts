import { expect, it } from "vitest";
import { normalError } from "../../../src/core/recovery/normal-error.ts";

it.each([
  [
    "minitest's, which shuffles",
    "Run options: --seed 4321\n\n# Running:\n\n.F.\n\nFinished in 0.000315s, 3172.6761 runs/s, 3172.6761 assertions/s.\n\n3 runs",
    "Run options: --seed 99\n\n# Running:\n\nF..\n\nFinished in 0.003777s, 264.7585 runs/s, 264.7585 assertions/s.\n\n3 runs",
  ],
  ["RSpec's", "..F\n\n1) tax\n\nRandomized with seed 1234", ".F.\n\n1) tax\n\nRandomized with seed 99"],
  ["PHPUnit's", "Time: 00:00.004, Memory: 8.00 MB\n\nFAILURES!", "Time: 00:00.012, Memory: 10.00 MB\n\nFAILURES!"],
  ["a rate", "12.5 MB/s and 1.2e3 ops/sec", "13 KB/s and 900 ops/s"],
])("an error is the same in another run: %s", (_of, one, other) => {
  expect(normalError(one)).toBe(normalError(other));
});

it.each([
  ["2 runs, 1 failures", "2 runs, 2 failures"],
  ["expected 3 to be 4", "expected 3 to be 5"],
  ["the seed is too small", "the seed is too large"],
])("and another one is not: %j, %j", (one, other) => {
  expect(normalError(one)).not.toBe(normalError(other));
});
