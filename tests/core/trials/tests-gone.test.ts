import { expect, it } from "vitest";
import type { TestReport } from "../../../src/core/trials/report.ts";
import { testsGone } from "../../../src/core/trials/tests-gone.ts";

const report = (...names: string[]): TestReport => ({
  type: "names",
  tests: names.map((name) => ({ name, outcome: "passed" })),
});
const gone = (before: string[], now: string[], ...files: Record<string, string>[]) =>
  testsGone({
    before: report(...before),
    now: report(...now),
    retitled: files.map((titles) => new Map(Object.entries(titles))),
  }).flatMap(({ names }) => names);

it.each<[string, string[], string[], ...Record<string, string>[]]>([
  ["has the name of one that is not gone", ["works", "sums"], ["sums", "sums #2"], { works: "sums" }],
  ["has the name of one that is called otherwise, too", ["a", "b"], ["b", "c"], { a: "b", b: "c" }],
  ["changed names with another one", ["a", "b"], ["b", "a"], { a: "b", b: "a" }],
  ["is the second of its name", ["works", "works #2"], ["works", "adds"], { works: "adds" }],
  [
    "is called so in another file, too",
    ["a > works", "b > works"],
    ["a > adds", "b > sums"],
    { works: "adds" },
    { works: "sums" },
  ],
  ["has cases", ["test_f[1]", "test_f[2]"], ["test_g[1]", "test_g[2]"], { test_f: "test_g" }],
])("a test that has a new title and %s still runs [F-201]", (_, before, now, ...files) => {
  expect(gone(before, now, ...files)).toEqual([]);
});

it.each<[string, string[], string[], string[], ...Record<string, string>[]]>([
  ["one takes its name", ["works"], ["works", "sums"], ["sums"], { works: "sums" }],
  ["all others go on by one", ["a"], ["a", "b", "b #2"], ["b", "c"], { a: "b", b: "c" }],
  ["others of its name are called otherwise", ["works"], ["works", "works #2"], ["adds"], { works: "adds" }],
  ["a case of it is", ["test_f[2]"], ["test_f[1]", "test_f[2]"], ["test_g[1]"], { test_f: "test_g" }],
  ["nothing is called otherwise", ["b #2"], ["a", "b", "b #2"], ["a", "b"]],
])("a test that is gone is told where %s [F-201]", (_, expected, before, now, ...files) => {
  expect(gone(before, now, ...files)).toEqual(expected);
});

const asked = [{ number: 2, titles: ["old", "older"] }];
it.each<[string, string[], string[], string[]]>([
  ["what it names is gone as asked", ["price", "old", "older"], ["price"], []],
  ["another one is missing with them", ["price", "old", "older"], [], ["price"]],
  ["another one of the same title is missing", ["a > old", "b > old", "older"], [], ["b > old"]],
  ["it had several cases", ["old[1]", "old[2]", "older"], [], ["old[2]"]],
])("of tests that are gone, where %s, the others are asked about [F-201]", (_, before, now, names) => {
  const found = testsGone({ before: report(...before), now: report(...now), removed: asked });
  expect(found.flatMap((each) => each.names)).toEqual(names);
});

it.each([
  [5, 3, []],
  [5, 2, [{ type: "tests-gone", number: 3, names: [] }]],
  [5, 4, [{ type: "tests-gone", number: 1, names: [] }]],
  [5, 5, []],
])(
  "of %i tests without names, of which %i ran, only as many as were asked for may be gone [F-201]",
  (was, is, found) => {
    const counts = (passed: number): TestReport => ({ type: "counts", passed, failed: 0, skipped: 0 });
    expect(testsGone({ before: counts(was), now: counts(is), removed: asked })).toEqual(found);
  },
);

const unloaded = (name: string, ...others: string[]): TestReport => ({
  type: "names",
  tests: [
    { name, outcome: "failed", isUnloaded: true },
    ...others.map((each) => ({ name: each, outcome: "passed" }) as const),
  ],
});

it.each<[string, string[], string[]]>([
  ["runs with its tests", ["b", "a"], []],
  ["runs with its tests, and others are new", ["b", "a", "c"], []],
  ["is gone", ["b"], ["tests.test_a"]],
  ["runs with its tests, beside a test that is gone", ["c"], ["b"]],
])("a file that could not be loaded before and %s", (_, now, names) => {
  const found = testsGone({ before: unloaded("tests.test_a", "b"), now: report(...now) });

  expect(found.flatMap((each) => each.names)).toEqual(names);
});

it("a test that has a new title does not stand for a file that could not be loaded before [F-201]", () => {
  const found = testsGone({
    before: unloaded("tests.test_a", "b"),
    now: report("c"),
    retitled: [new Map([["b", "c"]])],
  });

  expect(found.flatMap((each) => each.names)).toEqual(["tests.test_a"]);
});
