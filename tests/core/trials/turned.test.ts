import { describe, expect, it } from "vitest";
import { turnedMisses } from "../../../src/core/trials/near-miss.ts";

const start = 'import assert from "node:assert/strict";\nimport { price, isFree } from "../src/price.js";\n';
const python = "import pytest\nfrom shop.price import price, is_free\n\n\ndef test_a():\n    ";

/** The line given other values, and turned round; "compares" where the file does. */
function linesOf(path: string, before: string, line: string): string | readonly (string | undefined)[] {
  const misses = turnedMisses(path, `${before}${line}\n`, []);
  if (misses === null) return "compares";
  return [misses.crossed, misses.turned].map((edits) => edits[0]?.text.slice(before.length, -1));
}

describe("an assertion that compares with no value is crossed and turned [F-201]", () => {
  it.each([
    [
      "assert.throws(() => price(-1));",
      "assert.throws(() => price(1));",
      "assert.throws(() => { try { (() => price(-1))(); } catch {} });",
    ],
    [
      "t.throws(() => price(3, 'a'), RangeError, 'why');",
      "t.throws(() => price((-3), \"\"), RangeError, 'why');",
      "t.throws(() => { try { (() => price(3, 'a'))(); } catch {} }, RangeError, 'why');",
    ],
    ["throws(() => price());", undefined, "throws(() => { try { (() => price())(); } catch {} });"],
    [
      "assert.doesNotThrow(() => price(0));",
      "assert.doesNotThrow(() => price((-1)));",
      'assert.doesNotThrow(() => { (() => price(0))(); throw new Error("a trial"); });',
    ],
    [
      "await assert.rejects(price(true));",
      "await assert.rejects(price(false));",
      'await assert.rejects(Promise.resolve().then(async () => (price(true))).then((it) => (typeof it === "function" ? it() : it)).catch(() => {}));',
    ],
    [
      "expect(() => price(5 - 1)).toThrow(/no/);",
      "expect(() => price((-5) - (-1))).toThrow(/no/);",
      "expect(() => { try { (() => price(5 - 1))(); } catch {} }).toThrow(/no/);",
    ],
    [
      "expect(() => price('')).not.toThrow();",
      'expect(() => price("a trial")).not.toThrow();',
      "expect(() => { (() => price(''))(); throw new Error(\"a trial\"); }).not.toThrow();",
    ],
    ["assert(isFree(3));", "assert(isFree((-3)));", undefined],
    ["assert.ok(!isFree({ of: [-3] }), 'why');", "assert.ok(!isFree({ of: [3] }), 'why');", undefined],
    ["assert.ok(await isFree(3));", "assert.ok(await isFree((-3)));", undefined],
    ["expect(isFree(3)).toBeUndefined();", "expect(isFree((-3))).toBeUndefined();", undefined],
  ])("in JavaScript (%#)", (line, crossed, turned) => {
    expect(linesOf("a.test.js", start, line)).toEqual([crossed, turned]);
  });

  const other = 'type("ATrial", (Exception,), {})';
  it.each([
    [
      "with pytest.raises(ValueError) as raised:\n        price(-1)\n    price(2)",
      "with pytest.raises(ValueError) as raised:\n        price(1)\n    price(2)",
      `with pytest.raises(${other}) as raised:\n        price(-1)\n    price(2)`,
    ],
    [
      "with pytest.raises((ValueError, shop.Gone)):\n        price()",
      undefined,
      `with pytest.raises(${other}):\n        price()`,
    ],
    [
      "self.assertRaises(ValueError, price, -1)",
      "self.assertRaises(ValueError, price, 1)",
      `self.assertRaises(${other}, price, -1)`,
    ],
    ["assert is_free(3), 'why'", "assert is_free((-3)), 'why'", undefined],
    ["assert not is_free('a')", 'assert not is_free("")', undefined],
    ["assert price('a') is None", 'assert price("") is None', undefined],
    ["assert price('a') is not None", 'assert price("") is not None', undefined],
    ["self.assertTrue(is_free(True))", "self.assertTrue(is_free(False))", undefined],
  ])("in Python (%#)", (line, crossed, turned) => {
    expect(linesOf("test_a.py", python, line)).toEqual([crossed, turned]);
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
  ])("and nothing is where something in the file compares (%#)", (path, before, line) => {
    expect(linesOf(path, before, line)).toBe("compares");
  });

  it("begins with the tests that prove, and ends with all of them at once", () => {
    const text = `${start}test("one", () => assert.throws(() => price(-1)));\ntest("two", () => assert.throws(() => price(-2)));\n`;
    const misses = turnedMisses("a.test.js", text, ["two"]);

    expect(misses?.turned.map(({ what }) => what)).toEqual([
      "a.test.js:4: what is asserted was turned round",
      "a.test.js:3: what is asserted was turned round",
      "a.test.js: what is asserted was turned round",
    ]);
    expect(misses?.crossed.map(({ what }) => what)).toEqual([
      "a.test.js:4: what is asserted was given other values",
      "a.test.js:3: what is asserted was given other values",
      "a.test.js: what is asserted was given other values",
      "a.test.js: what is asserted was given plain values",
    ]);
  });

  it("and is given at last what seldom throws", () => {
    const text = `${start}assert.throws(() => parse("{", -3), SyntaxError);\n`;

    expect(turnedMisses("a.test.js", text, [])?.crossed.map((each) => each.text.slice(start.length, -1))).toEqual([
      'assert.throws(() => parse("", 3), SyntaxError);',
      'assert.throws(() => parse("1", 1), SyntaxError);',
    ]);
  });

  it("and nothing is in a file without assertions", () => {
    expect(turnedMisses("a.test.js", 'test("only a title", () => run());\n', [])).toEqual({ crossed: [], turned: [] });
  });
});

it("a word that is called as what every object has is no value that is turned", () => {
  expect(
    JSON.stringify(linesOf("tests/a.test.js", start, "assert.throws(() => price(constructor, 3));")),
  ).not.toContain("native code");
});
