import { describe, expect, it } from "vitest";
import { type ChangedLine, linesOfReport, linesOfV8, linesWords } from "../../../src/core/trials/lines.ts";

/** Ranges as V8 counts them: [from, to, times], by the words that they begin and end with. */
function counted(text: string, url: string, ranges: readonly (readonly [string, number])[], isWhole = true): string {
  const found = ranges.map(([words, count]) => {
    const startOffset = text.indexOf(words);
    return { startOffset, endOffset: startOffset + words.length, count };
  });
  const whole = { startOffset: 0, endOffset: isWhole ? text.length : text.length + 62, count: 1 };
  return JSON.stringify({ result: [{ url, functions: [{ ranges: [whole, ...found] }] }] });
}

const url = "file:///workspace/project/src/price.js";
const text =
  'export const price =\n  process.env.X ? 42 : 41;\n// a word\nexport const other = () => 1;\n}\nlog("done");\n';
const changed = { path: "src/price.js", text, lines: new Set([0, 1, 2, 3, 4]) };

describe("what a run reached of changed lines", () => {
  it("is read from what V8 counted: a branch that never ran is a part of its line", () => {
    const found = linesOfV8(changed, url, [
      "{}",
      counted(text, url, [
        [": 41", 0],
        ["() => 1", 0],
      ]),
    ]);

    expect(found).toEqual([
      { path: "src/price.js", line: 1, state: "ran" },
      { path: "src/price.js", line: 2, state: "partly" },
      { path: "src/price.js", line: 4, state: "partly" },
    ]);
  });

  it("is what any process ran", () => {
    const one = counted(text, url, [
      [": 41", 0],
      ["() => 1", 0],
    ]);
    const other = counted(text, url, [["? 42", 0]]);

    expect(linesOfV8(changed, url, [one, other])?.map(({ state }) => state)).toEqual(["ran", "ran", "ran"]);
  });

  it("is not known where the file was not loaded, or not as it is", () => {
    expect(linesOfV8(changed, url, [counted(text, "file:///elsewhere/src/price.js", [])])).toBeNull();
    expect(linesOfV8(changed, url, [counted(text, url, [], false)])).toBeNull();
    expect(linesOfV8(changed, url, ["no JSON", '{"result":3}', ""])).toBeNull();
  });

  it.each<[string, string, string]>([
    [
      "lcov",
      "lcov.info",
      "SF:src/other.js\nDA:1,0\nend_of_record\nSF:src/price.js\nDA:1,3\nDA:2,3\nBRDA:2,0,0,3\nBRDA:2,0,1,-\nDA:4,0\nend_of_record\n",
    ],
    [
      "Cobertura",
      "coverage.xml",
      '<class filename="other.js"><line number="1" hits="0"/></class><class name="p" filename="price.js"><line number="1" hits="3"/><line number="2" hits="3" branch="true" condition-coverage="50% (1/2)"/><line number="4" hits="0"/></class>',
    ],
  ])("is read from a report of %s", (_format, path, report) => {
    expect(linesOfReport(changed, { path, text: report }, "/workspace/project")).toEqual([
      { path: "src/price.js", line: 1, state: "ran" },
      { path: "src/price.js", line: 2, state: "partly" },
      { path: "src/price.js", line: 4, state: "missed" },
    ]);
    expect(
      linesOfReport({ ...changed, path: "src/prices.js" }, { path, text: report }, "/workspace/project"),
    ).toBeNull();
  });
});

describe("two files of one name", () => {
  const lines = new Set([0]);
  const states = (path: string, report: { path: string; text: string }) =>
    linesOfReport({ path, text: "return 1;\n", lines }, report, "/workspace/project")?.map(({ state }) => state) ??
    null;
  const cobertura = (source: string, name = "price.js") => ({
    path: "coverage.xml",
    text: `<sources><source>${source}</source></sources><class filename="${name}"><line number="1" hits="0"/></class>`,
  });

  it.each(["/workspace/project/packages/a", "/workspace/project/packages/a/", "packages/a", "./packages/a"])(
    "are told apart by the report's source folder %s",
    (source) => {
      expect(states("packages/a/price.js", cobertura(source))).toEqual(["missed"]);
      expect(states("packages/b/price.js", cobertura(source))).toBeNull();
    },
  );

  it.each(["/workspace/project", "/workspace/project/", ".", ""])("start from where it ran: %j", (source) => {
    expect(states("price.js", cobertura(source))).toEqual(["missed"]);
    expect(states("packages/b/price.js", cobertura(source, "packages/b/price.js"))).toEqual(["missed"]);
    expect(states("packages/b/price.js", cobertura(source))).toBeNull();
  });

  it("are told apart by lcov, whose names start from where it ran", () => {
    const report = { path: "lcov.info", text: "SF:price.js\nDA:1,0\nend_of_record\n" };
    expect(states("price.js", report)).toEqual(["missed"]);
    expect(states("packages/b/price.js", report)).toBeNull();
  });

  it("are both unknown when only their end is known", () => {
    const { path, text } = cobertura("/home/ci/shop");
    const of = (file: string, changed: readonly string[]) =>
      linesOfReport({ path: file, text: "return 1;\n", lines }, { path, text }, "/workspace/project", changed);

    expect(of("packages/a/price.js", ["packages/a/price.js", "packages/b/price.js"])).toBeNull();
    expect(of("packages/b/price.js", ["packages/a/price.js", "packages/b/price.js"])).toBeNull();
    expect(of("packages/a/price.js", ["packages/a/price.js", "packages/b/other-price.js"])).toHaveLength(1);
  });

  it("a source folder of another machine does not count", () => {
    expect(states("src/price.js", cobertura("/home/ci/shop/src"))).toEqual(["missed"]);
  });
});

describe("what is said of changed lines", () => {
  const line = (number: number, state: ChangedLine["state"]): ChangedLine => ({
    path: "src/a.js",
    line: number,
    state,
  });

  it.each<[string, ChangedLine[][], string | null]>([
    ["all ran", [[line(1, "ran")]], null],
    ["nothing is known", [[], []], null],
    ["one of one", [[line(4, "partly")]], "1 of 1 changed line ran only partly (src/a.js:4)"],
    [
      "some of each kind",
      [[line(1, "ran"), line(2, "partly"), line(3, "missed")]],
      "1 of 3 changed lines ran only partly (src/a.js:2), 1 did not run (src/a.js:3)",
    ],
    [
      "what another proof ran",
      [
        [line(1, "missed"), line(2, "missed")],
        [line(1, "ran"), line(2, "missed")],
      ],
      "1 of 2 changed lines did not run (src/a.js:2)",
    ],
    [
      "many",
      [[1, 2, 3, 4, 5].map((each) => line(each, "missed"))],
      "5 of 5 changed lines did not run (src/a.js:1, src/a.js:2, src/a.js:3, and 2 more)",
    ],
  ])("where %s", (_what, found, expected) => {
    expect(linesWords(found)).toBe(expected);
  });
});
