import { describe, expect, it } from "vitest";
import { brokenFile, failingTest, sourceMisses, testMisses } from "../../../src/core/trials/near-miss.ts";
import { onlyFailing, onlyPassing } from "../../../src/core/trials/whole-script.ts";
import { addedLines, proofOfWork } from "../../../src/core/trials/plan.ts";
import { fileKinds } from "../../../src/core/files/kind.ts";
import { defaultPolicy } from "../../../src/core/policy.ts";

const whats = (edits: readonly { what: string }[]): string[] => edits.map(({ what }) => what.replace(/^[^:]+:\s?/, ""));

describe("near misses in a test file", () => {
  it("change one literal of what is asserted, never a title, an import or a comment", () => {
    const text = `import assert from "node:assert/strict";
const { x } = require("./a.js");
// assert 7
const start = 5;
test("the price is 40", () => {
  assert.equal(price(3), 42, "a message");
});
`;
    const edits = testMisses("a.test.js", text, []);

    expect(whats(edits)).toEqual(["6: 42 became 43", "6: 3 became 4", "3 values changed"]);
    expect(edits[1]?.text).toBe(text.replace("price(3)", "price(4)"));
    expect(edits[2]?.text).toBe(text.replace('price(3), 42, "a message"', 'price(4), 43, "a message-"'));
  });

  it.each([
    ["what is compared", "t.assert.equal(isGone(new (errorOf('A', 410))()), true)", "1: true became false"],
    ["in a call that follows", "expect(price(3)).toBe(42)", "1: 42 became 43"],
    ["what is given where nothing is compared, not a message", "assert.ok(holds(7, list[5]), 'said')", "1: 7 became 8"],
    ["a word that is compared", "assert.equal(nameOf(7), 'seven', 'said')", "1: 'seven' became 'seven-'"],
  ])("begin with %s", (_what, text, first) => {
    expect(whats(testMisses("a.test.js", `${text};\n`, []))[0]).toBe(first);
  });

  it("begin with what is compared where nothing stands around it", () => {
    expect(whats(testMisses("test_a.py", "def test_a():\n    assert price(3) == 42, 'said'\n", []))[0]).toBe(
      "2: 42 became 43",
    );
  });

  it.each([
    [
      "a.test.js",
      "function testThat(given, wanted) {\n  assert(typeof given === 'object', 5);\n}\nit('a', () => {\n  testThat({ a: 4 }, 3, 'b');\n});\n",
      5,
    ],
    [
      "a.test.js",
      "const holds = async (given, wanted) => {\n  assert.equal(given.length, 1);\n};\nit('a', () => holds([], 3));\n",
      4,
    ],
    [
      "a.test.ts",
      "const holds = (given: string): void => assert.equal(given.length, 1);\nit('a', () => holds(x, 3));\n",
      2,
    ],
    [
      "test_a.py",
      "def holds(given, wanted=9):\n    x = 1\n\n    assert given == 2\n\n\ndef test_a():\n    holds(f(), 3)\n",
      8,
    ],
  ])("begin with what functions of the file are given that assert (%s: %s)", (path, text, line) => {
    const [first, ...others] = whats(testMisses(path, text, []));

    expect(first).toBe(`${line}: 3 became 4`);
    // Their own values come last, and with all others.
    expect(others.at(-1)).toMatch(/^\d values changed$/);
  });

  it("begin with the tests that prove", () => {
    const text = `it("one", () => { expect(f()).toBe(1); });\nit("two", () => {\n  expect(f()).toBe("b/*c");\n});\n`;

    expect(whats(testMisses("a.test.ts", text, ["group > two"]))[0]).toBe('3: "b/*c" became "b/*c-"');
  });

  it("take any literal where nothing looks like an assertion, and none where there is none", () => {
    expect(whats(testMisses("test_a.py", "def test_a():\n    x = 5  # 6\n    check(x)\n", []))).toEqual([
      "2: 5 became 6",
    ]);
    expect(testMisses("a.test.js", 'test("only a title", () => run());\n', [])).toEqual([]);
    expect(failingTest("a.test.js", 'test("only a title", () => run());\n')?.text).toContain("near miss of a trial");
    for (const named of [
      "import t from 'node:test'; t('up', () => run());",
      'import { test as t } from "node:test"; t("up", () => run());',
      'const t = require("node:test"); t("up", () => run());',
      'const { test: t } = require("node:test"); t("up", () => run());',
      'const { describe, it: t } = await import("node:test"); t("up", () => run());',
      'import t, { mock } from "node:test"; t("up", () => run());',
      'import { describe, test as t, mock } from "node:test"; t("up", () => run());',
      'const t = require("node:test").test; t("up", () => run());',
      '// test as it is\nimport t from "node:test"; t("up", () => run());',
      'import t from "node:test"; // not it("up")\nt("up", () => run());',
    ])
      expect(failingTest("a.test.js", named)?.text).toContain(';t("near miss of a trial", () => {');
    expect(failingTest("a.test.js", 'import * as n from "node:test"; n.test("up", () => run());')?.text).toContain(
      ';n.test("near miss of a trial", () => {',
    );
    expect(failingTest("a_test.ts", 'Deno.test("up", () => run());')?.text).toContain(
      ';Deno.test("near miss of a trial"',
    );
    for (const unknown of [
      "run();\n",
      'import { describe } from "node:test"; // we test as users do\ndescribe("up", run);',
      '// test as it is\nimport check from "./check.js"; check("up", () => run());',
      'import { test as checked } from "./own.js"; checked("up", () => run());',
      '// it(really) does\ncheck("test(1)");',
      "const { mock } = require('node:test'); run(mock);",
    ])
      expect(failingTest("a.test.js", unknown)).toBeNull();
    expect(failingTest("test_a.py", "def test_a():\n    check()\n")?.text).toContain("assert 1 == 2");
    expect(failingTest("a.test.go", "package a\n")).toBeNull();
  });

  it("know patterns and templates of JavaScript from what divides", () => {
    const text = "assert(/it's 1/.test(s)); assert.equal(a / 2, `it's ${b}`);\n";

    expect(whats(testMisses("a.test.js", text, []))[0]).toBe("1: 2 became 3");
  });
});

describe("patterns in a test file", () => {
  it.each([
    ["assert.throws(() => load({}), /missing/i);", "1: /missing/ became /(?!)/"],
    ["assert.throws(() => load({}), { name: 'Error', message: /missing/ });", "1: /missing/ became /(?!)/"],
    ["assert.match(text, /missing/);", "1: /missing/ became /(?!)/"],
    ["expect(load).toThrow(/missing/);", "1: /missing/ became /(?!)/"],
  ])("become what matches nothing, where it is wanted that they match: %s", (text, what) => {
    expect(whats(testMisses("a.test.js", text, []))).toContain(what);
  });

  it.each([
    "assert.doesNotMatch(text, /missing/);",
    "expect(text).not.toMatch(/missing/);",
    "assert.ok(!/missing/.test(text));",
    "expect(load(/missing/)).toBe(undefined);",
  ])("stay where it is not: %s", (text) => {
    expect(whats(testMisses("a.test.js", text, []))).toEqual([]);
  });
});

describe("near misses in conditions and texts of source", () => {
  const missesOf = (path: string, line: string): string[] => whats(sourceMisses(path, line, new Set([0])));

  it.each([
    ["a.js", "if (!isOpen) fail();", "1: ! became nothing"],
    ["a.js", "return !(await isOpen());", "1: ! became nothing"],
    ["a.js", "const is = !!found;", "1: ! became nothing"],
    ["a.js", "if (map.has(name)) fail();", "1: if ( became if (!"],
    ["a.py", "if not is_open:", "1: not became nothing"],
    ["a.py", "if name in names:", "1: if became if not"],
    ["a.sh", "if ! grep x y; then exit; fi", null],
    ["a.sh", "if ! grep x y; then z; fi", "1: ! became nothing"],
    ["a.js", "use(found!.name, found!);", null],
    ["a.rs", "println!(x);", null],
    ["a.rs", "#![no_std]", null],
    ["a.py", "while x is not None:", "1: while became while not"],
  ])("%s: %s", (path, line, what) => {
    expect(missesOf(path, line)).toEqual(what === null ? [] : [what]);
  });

  it("take only the first of two negations", () => {
    expect(sourceMisses("a.js", "const is = !!found;", new Set([0])).map(({ text }) => text)).toEqual([
      "const is = !found;",
    ]);
  });

  it("leave a condition with an operator to the operator", () => {
    expect(missesOf("a.js", "if (left > most) fail();")).toEqual(["1: > became <="]);
  });

  it.each([
    ["a.js", 'throw new Error("API_KEY is missing");', '"-"'],
    ["a.js", "throw new Error(`${name} is missing`);", "`-`"],
    ["a.js", "const sign = '-';", "'--'"],
    ["a.js", 'const none = "";', '"-"'],
    ["a.go", 'return fmt.Errorf("%s is missing: %w", name, err)', '"-%s-%w-"'],
    ["a.py", 'raise KeyError("%s is missing" % name)', '"-%s-"'],
    ["a.py", 'text = """it is\nmissing"""', '"""-"""'],
    ["a.rs", "let sign = 'x';", "'-'"],
  ])("a text becomes another one as a whole (%s: %s)", (path, line, to) => {
    expect(sourceMisses(path, line, new Set([0, 1]))[0]?.text).toContain(to);
  });
});

describe("near misses in source", () => {
  const text = `import a from "a";
export function price(n) {
  if (n >= 10 && isOpen) return n * 2;
  process.exit(0);
  return 42;
}
`;

  it("change a value or an operator of the changed lines, never how a process ends", () => {
    expect(whats(sourceMisses("src/price.js", text, new Set([2])))).toEqual([
      "3: >= became <",
      "3: 10 became 11",
      "5 values changed",
    ]);
    expect(sourceMisses("src/price.js", text, new Set([0, 3]))).toEqual([]);
    expect(sourceMisses("src/price.js", text, new Set())).toEqual([]);
  });

  it("find the lines that a patch adds", () => {
    const patch = `diff --git a/src/a.js b/src/a.js
--- a/src/a.js
+++ b/src/a.js
@@ -1,3 +1,4 @@
 one
-two
+TWO
+three
 four
@@ -10,0 +12 @@ x
+twelve
`;

    expect([...(addedLines(patch).get("src/a.js") ?? [])]).toEqual([1, 2, 11]);
  });

  it("break a whole file", () => {
    expect(brokenFile("src/a.js")).toMatchObject({ path: "src/a.js", what: "src/a.js was broken" });
  });

  it("leave a script that does nothing but fail, with its first line", () => {
    expect(onlyFailing("tests/price.sh", "#!/bin/sh\nset -e\n")?.text).toBe("#!/bin/sh\nexit 97\n");
    expect(onlyFailing("tests/price.py", "import a\n")?.text).toBe('raise AssertionError("a trial")\n');
    expect(onlyFailing("tests/price.zig", "")).toBeNull();
  });

  it.each([
    ["tests/price.sh", "#!/bin/sh\nset -e\n", "#!/bin/sh\n\n"],
    ["tests/price.c", "int main(void) { return f(); }\n", "int main(void) { return 0; return f(); }\n"],
    ["tests/Price.java", "void main() { f(); }\n", "void main() { if (true) return; f(); }\n"],
    ["tests/price.rs", "fn main() { f(); }\n", "fn main() { if true { return; } f(); }\n"],
    ["tests/price.c", "int price(void) { return 41; }\n", undefined],
  ])("a whole test script that does nothing: %s", (path, text, expected) => {
    expect(onlyPassing(path, text)?.text).toBe(expected);
  });
});

describe("the proof of a work", () => {
  it("is its tests and settings and what is frozen; of what is gone or was renamed the old path is removed", () => {
    const changed = [
      { path: "src/a.js", status: "modified", oldPath: null },
      { path: "src/old.js", status: "deleted", oldPath: null },
      { path: "test/a.test.js", status: "added", oldPath: null },
      { path: "test/gone.test.js", status: "deleted", oldPath: null },
      { path: "test/new-name.test.js", status: "renamed", oldPath: "test/name.test.js" },
      { path: "support/compare.js", status: "modified", oldPath: null },
      { path: "package.json", status: "modified", oldPath: null },
    ] as const;

    expect(proofOfWork(changed, ["support/compare.js"], fileKinds(defaultPolicy))).toEqual({
      laid: ["test/a.test.js", "test/new-name.test.js", "support/compare.js", "package.json"],
      removed: ["test/gone.test.js", "test/name.test.js"],
      source: ["src/a.js"],
      added: ["test/a.test.js"],
    });
  });
});
