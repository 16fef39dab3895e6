import { describe, expect, it } from "vitest";
import { looksLikeSpec, parseSpec } from "../../../src/core/acceptance/spec.ts";
import { parsePlanFile } from "../../../src/core/campaigns/outline.ts";
import { defaultPolicy } from "../../../src/core/policy.ts";
import { cronProblem } from "../../../src/core/schedules/schedule.ts";
import { parseTasks } from "../../../src/core/task-loop/tasks.ts";
import { readBlocks } from "../../../src/core/text/blocks.ts";
import { readJson } from "../../../src/core/text/json.ts";
import { readYaml } from "../../../src/core/text/yaml.ts";

/** What is too large, too deep or out of its place is refused before anything is built from it, and the line is named. */

const stair = (levels: number, step: (level: number) => string): string =>
  Array.from({ length: levels }, (_, level) => `${" ".repeat(2 * level)}${step(level)}\n`).join("");

describe("YAML", () => {
  it.each<[string, string, number, string]>([
    ["too much text", "a: 1\n".repeat(40_001), 1, "the text has 200005 characters, at most 200000 are read"],
    ["a long line", `a: 1\nb: ${"x".repeat(25_001)}\n`, 2, "the line has 25004 characters, at most 25000 are read"],
    ["deep brackets", `a: 1\nb: ${"[".repeat(2_000)}${"]".repeat(2_000)}\n`, 2, "nested more than 40 levels deep"],
    ["deep braces", `a: 1\nb: ${"{a: ".repeat(2_000)}1${"}".repeat(2_000)}\n`, 2, "nested more than 40 levels deep"],
    ["a list in a list in one line", `a:\n ${"- ".repeat(2_000)}a\n`, 2, "nested more than 40 levels deep"],
    ["keys below keys", stair(42, (level) => `k${level}:`), 42, "nested more than 40 levels deep"],
    ["many keys", `a:\n${Array.from({ length: 1_001 }, (_, at) => ` k${at}: 1\n`).join("")}`, 2, "has 1001 keys"],
    ["a key that is there twice", "a: 1\nb: 1\na: 2\n", 3, '"a" is there twice'],
    ["a key that is no word", "a: 1\n[b]: 1\n", 2, "a key must be a word"],
    ["an alias of nothing", "a: 1\nb: *x\n", 2, "Unresolved alias"],
    ["an alias of what it stands in", "a: &x\n  - *x\n", 2, "stands inside of what it stands for"],
    ["many aliases", `a: &x 1\nb:\n${" - *x\n".repeat(101)}`, 103, "more than 100 aliases"],
    [
      "aliases that unfold",
      Array.from({ length: 9 }, (_, at) => `a${at}: &a${at} [${at === 0 ? "x" : `*a${at - 1},`.repeat(10)}]\n`).join(
        "",
      ),
      1,
      "unfold to too much",
    ],
    ["a second document", "a: 1\n---\nb: 1\n", 2, "a second document begins here"],
  ])("with %s is refused with the line [F-109]", (_what, text, line, problem) => {
    const read = readYaml(text);

    expect(read.type === "wrong" ? read.faults : []).toContainEqual({
      line,
      problem: expect.stringContaining(problem) as string,
    });
    expect(parseTasks(text).type).toBe("invalid");
  });

  it("behind the mark that Windows writes before a text is read as without it", () => {
    for (const [text, value] of [
      ["goals:\n  - a\n", { goals: ["a"] }],
      ["- text: a\n  run: b\n", [{ text: "a", run: "b" }]],
      ['[{"text": "a"}]', [{ text: "a" }]],
    ] as const)
      expect(readYaml(`\uFEFF${text}`)).toMatchObject({ type: "read", value });
  });

  it("of too many pieces is refused where they are too many [F-109]", () => {
    const read = readYaml("- a\n".repeat(20_000));

    expect(read.type === "wrong" ? read.faults : []).toEqual([
      { line: expect.any(Number) as number, problem: "has more than 60000 pieces" },
    ]);
  });

  it("at its limits is read", () => {
    const keys = `a:\n${Array.from({ length: 1_000 }, (_, at) => ` k${at}: 1\n`).join("")}`;
    for (const text of [keys, `a: &x 1\nb:\n${" - *x\n".repeat(100)}`, stair(40, (level) => `k${level}:`)])
      expect(readYaml(text).type).toBe("read");
  });
});

describe("JSON", () => {
  it.each<[string, string, string]>([
    ["of lists in lists", "[".repeat(101) + "]".repeat(101), "is nested more than 100 levels deep"],
    ["of objects in objects", `${'{"a":'.repeat(101)}1${"}".repeat(101)}`, "is nested more than 100 levels deep"],
    ["that is too long", "1".repeat(1_000_001), "has 1000001 characters, at most 1000000 are read"],
    ["that ends too early", '{"a": ', "is no JSON"],
  ])("%s is refused [F-109]", (_what, text, problem) => {
    const read = readJson(text);

    expect(read.type === "wrong" ? read.problem : "").toContain(problem);
  });

  it("holds no character that the database refuses, in values and in keys", () => {
    const read = readJson('{"a\\u0000b": ["c\\u0000", {"\\ud800": 1, "d": null}]}');

    expect(read).toEqual({ type: "read", value: { "a\uFFFDb": ["c\uFFFD", { "\uFFFD": 1, d: null }] } });
  });

  it("of 100 levels is read, and brackets in its texts are none", () => {
    expect(readJson("[".repeat(100) + "]".repeat(100)).type).toBe("read");
    expect(readJson(JSON.stringify("[{".repeat(200))).type).toBe("read");
  });
});

describe("a line in angle brackets in a Markdown text", () => {
  it.each([
    ["<https://example.com/spec> says:\n- a\n", ["words", "list"]],
    ["<ana@example.com> says:\n- a\n", ["words", "list"]],
    ["<b>Note</b>: these hold\n- a\n", ["words", "list"]],
    ["<div>these hold\n- a\n", ["words"]],
    ["<custom-tag a=1>\n- a\n", ["words"]],
    ["<!DOCTYPE html>\n- a\n", ["words"]],
  ])("%j is %j", (text, types) => {
    const read = readBlocks(text);

    expect(read.type === "read" ? read.blocks.map(({ type }) => type) : []).toEqual(types);
  });
});

describe("lists in a Markdown text", () => {
  it.each<[string, string, number]>([
    ["in one line", `${"- ".repeat(13)}a\n`, 3],
    ["in one line, numbered", `${"1. ".repeat(13)}a\n`, 3],
    ["in one line, far too deep", `${"- ".repeat(10_000)}a\n`, 3],
    ["in a stair", stair(13, () => "- a"), 15],
    ["in a stair, far too deep", stair(250, () => "- a"), 15],
  ])("that are nested more than 12 levels deep %s are refused with the line [F-109]", (_what, list, line) => {
    const problem = "lists are nested more than 12 levels deep";
    const text = `# T\n\n${list}`;
    const plan = parsePlanFile(text, { goal: "G", days: null, policy: defaultPolicy });

    expect(readBlocks(text)).toEqual({ type: "wrong", fault: { line, problem } });
    expect(parseSpec(text)).toEqual({ type: "invalid", problems: [{ line, problem }] });
    expect(plan).toEqual({ type: "invalid", problems: [`line ${line}: ${problem}`] });
    expect([looksLikeSpec(text), looksLikeSpec(`${text}\n#### AC-1: It holds\n`)]).toEqual([false, true]);
  });

  it("of 12 levels are read", () => {
    for (const list of [`${"- ".repeat(12)}a\n`, stair(12, () => "- a")]) expect(readBlocks(list).type).toBe("read");
  });
});

it("a schedule that is too long is refused before it is read [F-109]", () => {
  expect(cronProblem(`${"1,".repeat(100)}1 * * * *`)).toBe("has 209 characters, at most 200 are taken");
});
