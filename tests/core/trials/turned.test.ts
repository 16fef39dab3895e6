import { describe, expect, it } from "vitest";
import { turnedMisses } from "../../../src/core/trials/near-miss.ts";

const start = 'import assert from "node:assert/strict";\nimport { price, isFree } from "../src/price.js";\n';
const python = "import pytest\nfrom shop.price import price, is_free\n\n\ndef test_a():\n    ";

/** The line that was turned round by itself; "compares" where the file does. */
function turnedLine(path: string, before: string, line: string): string {
  const edits = turnedMisses(path, `${before}${line}\n`, []);
  return edits === null ? "compares" : (edits[0]?.text.slice(before.length, -1) ?? "none");
}

describe("an assertion that compares with no value is turned round [F-201]", () => {
  it.each([
    ["assert.throws(() => price(-1));", "assert.throws(() => { try { (() => price(-1))(); } catch {} });"],
    [
      "t.throws(() => price(-1), RangeError, 'why');",
      "t.throws(() => { try { (() => price(-1))(); } catch {} }, RangeError, 'why');",
    ],
    ["throws(price.bind(null, -1));", "throws(() => { try { (price.bind(null, -1))(); } catch {} });"],
    [
      "assert.doesNotThrow(() => price(1));",
      'assert.doesNotThrow(() => { (() => price(1))(); throw new Error("a trial"); });',
    ],
    [
      "await assert.rejects(price(-1));",
      'await assert.rejects(Promise.resolve().then(async () => (price(-1))).then((it) => (typeof it === "function" ? it() : it)).catch(() => {}));',
    ],
    [
      "expect(() => price(-1)).toThrow(/no/);",
      "expect(() => { try { (() => price(-1))(); } catch {} }).toThrow(/no/);",
    ],
    [
      "expect(() => price(1)).not.toThrow();",
      'expect(() => { (() => price(1))(); throw new Error("a trial"); }).not.toThrow();',
    ],
    ["assert(isFree(3));", "assert(!(isFree(3)));"],
    ["assert.ok(!isFree({ of: [-3, 'a'] }), 'why');", "assert.ok(!(!isFree({ of: [-3, 'a'] })), 'why');"],
    ["assert.ok(await isFree(3));", "assert.ok(!(await isFree(3)));"],
    ["expect(isFree(3)).toBeUndefined();", "expect(((isFree(3)), 1)).toBeUndefined();"],
    ["expect(isFree(3)).toBeDefined();", "expect(void (isFree(3))).toBeDefined();"],
  ])("in JavaScript: %s", (line, turned) => {
    expect(turnedLine("a.test.js", start, line)).toBe(turned);
  });

  it.each([
    ["with pytest.raises(ValueError) as raised:", 'with pytest.raises(type("ATrial", (Exception,), {})) as raised:'],
    ["with pytest.raises((ValueError, shop.Gone)):", 'with pytest.raises(type("ATrial", (Exception,), {})):'],
    ["self.assertRaises(ValueError, price, -1)", 'self.assertRaises(type("ATrial", (Exception,), {}), price, -1)'],
    ["assert is_free(3), 'why'", "assert not (is_free(3)), 'why'"],
    ["assert not is_free('a')", "assert not (not is_free('a'))"],
    ["assert price('a') is None", "assert not (price('a') is None)"],
    ["assert price('a') is not None", "assert not (price('a') is not None)"],
    ["self.assertTrue(is_free(3))", "self.assertTrue(not (is_free(3)))"],
  ])("in Python: %s", (line, turned) => {
    expect(turnedLine("test_a.py", python, line)).toBe(turned);
  });

  it.each([
    ["a.test.js", start, "assert.equal(price(3), 42);"],
    ["a.test.js", start, "assert.throws(() => price(-1)); assert.equal(price(3), wanted);"],
    ["a.test.js", start, "assert.ok(price(3) === 42);"],
    ["a.test.js", start, "assert.ok(near(price(3), 42));"],
    ["a.test.js", start, "assert.ok(isFree(wanted));"],
    ["a.test.js", start, "const is = price(3); assert.ok(is.near(42));"],
    ["a.test.js", start, "assert.ok(same);"],
    ["a.test.js", start, "assert.throws(() => assert.equal(price(3), 42));"],
    ["a.test.js", start, "expect(price(3)).toBe(42);"],
    ["a.test.js", start, "await expect(price(3)).rejects.toEqual({});"],
    ["a.test.js", start, "assert.throws(() => price(-1)); if (price(3) !== 42) throw new Error();"],
    ["test_a.py", python, "assert price(3) == 42"],
    ["test_a.py", python, "assert price(3)._is(42)"],
    ["test_a.py", python, "assert price == WANTED"],
    ["test_a.py", python, "assert is_same(price(3), 42)"],
    ["test_a.py", python, "assert price(3) is not WANTED"],
    ["test_a.py", python, "assert price(3) and price(4)"],
    ["test_a.py", python, "with pytest.raises(expected_exception=ValueError):"],
    ["test_a.py", python, "with pytest.raises(ValueError):\n        assert price(3) == 42"],
  ])("and nothing is where something in the file compares: %s %s %s", (path, before, line) => {
    expect(turnedLine(path, before, line)).toBe("compares");
  });

  it("begins with the tests that prove, and ends with all of them at once", () => {
    const text = `${start}test("one", () => assert.throws(() => price(-1)));\ntest("two", () => assert.ok(isFree(3)));\n`;

    expect((turnedMisses("a.test.js", text, ["two"]) ?? []).map(({ what }) => what)).toEqual([
      "a.test.js:4: what is asserted was turned round",
      "a.test.js:3: what is asserted was turned round",
      "a.test.js: 2 assertions were turned round",
    ]);
  });

  it("and nothing is in a file without assertions", () => {
    expect(turnedMisses("a.test.js", 'test("only a title", () => run());\n', [])).toEqual([]);
  });
});
