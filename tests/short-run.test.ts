import { describe, expect, it } from "vitest";
import { countTests } from "../bin/count-tests.mjs";
import { existsSync } from "node:fs";
import { longFiles, shortPartOf } from "./parts.ts";
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

describe("what the short run takes of files", () => {
  it("is nothing of those that take minutes, and they are there", () => {
    expect(longFiles.filter((name) => !existsSync(new URL(name, import.meta.url)))).toEqual([]);
    expect(longFiles.map((name) => shortPartOf(`/somewhere/tests/${name}`))).toEqual(longFiles.map(() => "none"));
  });

  it("is all of those whose tests go on from each other, and of the others what is chosen", () => {
    expect(shortPartOf("/somewhere/tests/docs/readme.test.ts")).toBe("all");
    expect(shortPartOf("/somewhere/tests/walks/slack.test.ts")).toBe("some");
  });
});

describe("what a run comes to", () => {
  const file = (name: string, ...statuses: readonly string[]) => ({
    name,
    status: statuses.includes("failed") || statuses.length === 0 ? "failed" : "passed",
    assertionResults: statuses.map((status) => ({ status })),
  });
  const counted = (exitCode: number, ...testResults: readonly ReturnType<typeof file>[]) => {
    const { passed, failed, skipped, notBegun } = countTests({ testResults }, exitCode);
    return [passed, failed, skipped, notBegun];
  };

  it("is a test once that was in two parts, however each of them ended", () => {
    const first = file("a", "passed", "pending", "pending", "skipped", "pending");
    const rest = file("a", "pending", "passed", "failed", "skipped", "pending");

    expect(counted(1, first, rest)).toEqual([2, 1, 2, 1]);
  });

  it("tells tests of the same place in two files apart", () => {
    expect(counted(0, file("a", "passed", "pending"), file("b", "pending", "passed"))).toEqual([2, 0, 2, 2]);
  });

  it("has failed where a file could not be loaded, where an error belongs to no test, and without a report", () => {
    expect(counted(1, file("a", "passed"), file("b"))).toEqual([1, 1, 0, 0]);
    expect(counted(1, file("a", "passed"))).toEqual([1, 1, 0, 0]);
    expect(countTests(null, 1)).toEqual({ passed: 0, failed: 1, skipped: 0, notBegun: 0 });
  });
});
