import { describe, expect, it } from "vitest";
import { countTests, rowsNotTried } from "../bin/count-tests.mjs";
import { existsSync } from "node:fs";
import { longFiles, shortPartOf } from "./parts.ts";
import { homesOf, inOrder, readHomes } from "./rows.ts";
import { chooseTests } from "./short-runner.ts";

const elsewhere = "F-999";
const chosen = (...titles: readonly string[]) =>
  chooseTests(
    titles,
    (title) => title,
    (row) => row !== elsewhere,
  );

describe("what the short run runs of a file", () => {
  it.each([
    ["the first that names each row", ["a [S4-CK-01]", "b [S4-CK-01]", "c [F-101]"], ["a [S4-CK-01]", "c [F-101]"]],
    ["who names one more", ["a [S4-CK-01]", "b [S4-CK-01, S4-CK-02]"], ["a [S4-CK-01]", "b [S4-CK-01, S4-CK-02]"]],
    ["none without a row", ["a", "b [S0-WL-3]"], ["b [S0-WL-3]"]],
    [
      "none whose rows are tried elsewhere",
      [`a [${elsewhere}]`, `b [${elsewhere}, F-101]`],
      [`b [${elsewhere}, F-101]`],
    ],
    ["nothing of an empty one", [], []],
  ])("%s", (_, titles, expected) => {
    expect(chosen(...titles)).toEqual(expected);
  });
});

describe("where a row is tried", () => {
  it("is the first file that names it in brackets, also in a list or a table", () => {
    const files = [
      { path: "a", text: 'it("x [F-101]"); /* F-104 is another one */' },
      { path: "b", text: 'it("x [F-101, S4-CK-12]")' },
      { path: "c", text: 'it("x [S4-CK-12] [F-103]"); it.each([["F-105"]])("$0")' },
    ];
    expect([...homesOf(files)]).toEqual([
      ["F-101", "a"],
      ["S4-CK-12", "b"],
      ["F-103", "c"],
      ["F-105", "c"],
    ]);
  });

  it("is looked for in what is run whole anyway, then in the others, and last in what needs more than is everywhere", () => {
    const paths = ["docs/readme", "walks/kill", "walks/batch", "walks/loop-table", "core/text/words"].map(
      (name) => `/somewhere/tests/${name}.test.ts`,
    );
    expect(inOrder(paths).map((path) => path.slice("/somewhere/tests/".length))).toEqual([
      "core/text/words.test.ts",
      "walks/loop-table.test.ts",
      "walks/batch.test.ts",
      "docs/readme.test.ts",
    ]);
  });

  it("is a file that is there and of which the short run runs something", () => {
    const homes = [...readHomes().values()];
    expect(homes.length).toBeGreaterThan(300);
    expect(homes.filter((path) => !existsSync(path) || shortPartOf(path) === "none")).toEqual([]);
  });
});

describe("what the short run takes of files", () => {
  it("is nothing of those that take minutes, and they are there", () => {
    expect(longFiles.filter((name) => !existsSync(new URL(name, import.meta.url)))).toEqual([]);
    expect(longFiles.map((name) => shortPartOf(`/somewhere/tests/${name}`))).toEqual(longFiles.map(() => "none"));
  });

  it("is all of those whose tests go on from each other, and of the others what is chosen", () => {
    expect(shortPartOf("/somewhere/tests/docs/readme.test.ts")).toBe("all");
    expect(shortPartOf("/somewhere/tests/walks/loop-table.test.ts")).toBe("anywhere");
    expect(shortPartOf("/somewhere/tests/walks/slack.test.ts")).toBe("some");
    expect(shortPartOf("/somewhere/tests/core/text.test.ts")).toBe("pure");
  });
});

describe("what a run comes to", () => {
  const file = (name: string, ...statuses: readonly string[]) => ({
    name,
    status: statuses.includes("failed") || statuses.length === 0 ? "failed" : "passed",
    assertionResults: statuses.map((status) => ({ fullName: "", status })),
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

  it("has tried a row when one of the tests that name it was begun, in whichever part", () => {
    const part = (...tests: readonly (readonly [string, string])[]) => ({
      name: "a",
      status: "passed",
      assertionResults: tests.map(([fullName, status]) => ({ fullName, status })),
    });
    const first = part(["x [F-101]", "passed"], ["y [F-102]", "pending"], ["z [F-103, F-101]", "pending"]);
    const rest = part(["x [F-101]", "pending"], ["y [F-102]", "failed"], ["z [F-103, F-101]", "pending"]);

    expect(rowsNotTried({ testResults: [first, rest] })).toEqual(["F-103"]);
    expect(rowsNotTried(null)).toEqual([]);
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
