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
