import { describe, expect, it } from "vitest";
import { chooseTests } from "./short-runner.ts";

const chosen = (...titles: readonly string[]) => chooseTests(titles, (title) => title);

describe("what the short run runs of a file", () => {
  it.each([
    ["the first that names each row", ["a [S4-CK-01]", "b [S4-CK-01]", "c [F-101]"], ["a [S4-CK-01]", "c [F-101]"]],
    ["who names one more", ["a [S4-CK-01]", "b [S4-CK-01, S4-CK-02]"], ["a [S4-CK-01]", "b [S4-CK-01, S4-CK-02]"]],
    ["the first where none names a row", ["a", "b"], ["a"]],
    ["none without a row where another names one", ["a", "b [S0-WL-3]"], ["b [S0-WL-3]"]],
    ["nothing of an empty one", [], []],
  ])("%s", (_, titles, expected) => {
    expect(chosen(...titles)).toEqual(expected);
  });
});
