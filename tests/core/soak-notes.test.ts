import { describe, expect, it } from "vitest";
import { withoutCut } from "../../bench/soak/notes.ts";

/** The checker of long runs: what began again must have been cut in between, each time. */

describe("begins without a cut between them", () => {
  it.each<[string, number[], number[], number]>([
    ["one begin", [1000], [], 0],
    ["begun twice, cut in between", [1000, 3000], [2000], 0],
    ["begun twice, cut by nobody", [1000, 3000], [], 1],
    ["cut before the first began", [1000, 3000], [500], 1],
    ["cut after both had begun", [1000, 3000], [4000], 1],
    ["three begins and one cut", [1000, 3000, 5000], [2000], 1],
    ["three begins, cut twice between the same two", [1000, 3000, 5000], [2000, 2500], 1],
    ["three begins, each cut", [1000, 3000, 5000], [2000, 4000], 0],
  ])("%s", (_, begins, cuts, uncut) => {
    expect(withoutCut(begins, cuts, 0)).toBe(uncut);
  });

  it("a clock that was off by less than that is no fault", () => {
    expect(withoutCut([1000, 3000], [3400], 500)).toBe(0);
    expect(withoutCut([1000, 3000], [3600], 500)).toBe(1);
  });
});
