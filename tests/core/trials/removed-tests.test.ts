import { describe, expect, it } from "vitest";
import { definedIn, isOnlyLess } from "../../../src/core/trials/removed-source.ts";
import { isOnlyWithout, namedBeside, testsRemoved } from "../../../src/core/trials/removed-tests.ts";

const both = `import { expect, test } from "vitest";
import { legacy, price } from "../src/price.js";

test("the price", () => {
  expect(price(1)).toBe(42);
});

test("the old one", () => {
  expect(legacy(1)).toBe(41);
});
`;
const names = { gone: new Set(["legacy"]), staying: new Set(["price"]) };
const without = both.replace("legacy, ", "").replace(/\ntest\("the old[^]*/, "");
const file = (before: string, now: string | null, path = "test/price.test.js") => ({
  path,
  before,
  now,
  isCalledSo: false,
});

describe("a test file without the tests of what is gone", () => {
  it.each<[string, string, string | null, boolean]>([
    ["the test alone", both, without, true],
    ["the test and another one", both, without.replace(/\ntest\("the price[^]*/, ""), false],
    ["the file, with a test of what stays", both, null, false],
    ["an import from elsewhere", both, without.replace("../src/price.js", "./src/price.js"), false],
    ["an import from another file", both, without.replace("src/price", "src-price"), false],
    ["an import of all of it", both, without.replace("{ price }", "price"), false],
    [
      "a line of a text that looks like a comment",
      both.replace("toBe(42)", "toBe(`\n// total\n42`)"),
      without.replace("toBe(42)", "toBe(`\n42`)"),
      false,
    ],
    ["a comment", both.replace("test(", "// legacy\ntest("), without, true],
    [
      "a test of what is made for all of what stays",
      both.replace("\ntest(", "const shop = price(1);\ntest(").replace("toBe(41)", "toBe(shop)"),
      without.replace("\ntest(", "const shop = price(1);\ntest("),
      false,
    ],
    ["a test that compares less", both, without.replace("toBe(42)", "toBeTruthy()"), false],
    ["another import under its name", both, without.replace("{ price }", "{ other as price }"), false],
    ["a test of a page", both.replace("legacy(1)", 'legacy(read("src/page.html"))'), without, false],
    ["a test of a module that it loads", both.replace("legacy(1)", 'require("../src/tax")(legacy)'), without, false],
    ["a test of a module that is gone", both.replace("legacy(1)", 'require("../src/legacy")(legacy)'), without, true],
    ["a test of both", both.replace("toBe(41)", "toBe(price(1) - 1)"), without, false],
    ["a title that names it", both.replace("legacy(1)", "run(1)").replace("old one", "legacy"), without, false],
    [
      "a line of what stays",
      both.replace("toBe(42);", "toBe(42);\n  expect(price(2) - legacy(1)).toBe(43);"),
      without,
      false,
    ],
    ["the end of a comment", `/*\n * legacy\n */\n${both}/* */\n`, `/*\n * legacy\n${without}/* */\n`, false],
    [
      "a test of both, by what holds both",
      both.replace('test("the old', 'const all = [price, legacy];\ntest("the old').replace("legacy(1)", "all[0](1)"),
      without,
      false,
    ],
    ["a program that it starts", both.replace("legacy(1)", 'start("src/cli.js", legacy)'), without, false],
    [
      "what another import is called",
      both.replace("\n\n", '\nimport total from "../src/total.js";\n\n').replace("toBe(41)", "toBe(total)"),
      without,
      false,
    ],
  ])("%s", (_, before, now, expected) => {
    expect(isOnlyWithout(file(before, now), names)).toBe(expected);
  });

  it.each<[string, string, boolean]>([
    ["made elsewhere", "def test_legacy(shop):\n    assert shop.total() == legacy(42)\n", false],
    [
      "made in the file of what stays",
      "@pytest.fixture\ndef shop():\n    return price(1)\n\n\ndef test_legacy(shop: Shop):\n    assert shop == legacy(42)\n",
      false,
    ],
    [
      "made in the file of what is gone",
      "@pytest.fixture\ndef shop():\n    return legacy(1)\n\n\ndef test_legacy(shop):\n    assert shop == legacy(42)\n",
      true,
    ],
    [
      "of pytest, or listed",
      '@pytest.mark.parametrize("rows, wanted", [(1, 2)])\ndef test_legacy(tmp_path, rows, wanted):\n    assert legacy(rows, tmp_path) == wanted\n',
      true,
    ],
  ])("of what a test of pytest is given: %s", (_, before, expected) => {
    expect(isOnlyWithout(file(before, null, "tests/test_legacy.py"), names)).toBe(expected);
  });

  it("is told in Python and C", () => {
    const python = `from shop.legacy import LegacyPrice

def test_legacy():
    assert LegacyPrice().of(1) == 41
`;
    const of = { gone: new Set(["LegacyPrice"]), staying: new Set<string>() };
    expect(isOnlyWithout(file(python, null, "tests/test_legacy.py"), of)).toBe(true);
    expect(testsRemoved(file(python, null, "tests/test_legacy.py"), of)).toEqual({
      number: 1,
      titles: ["test_legacy"],
    });
    const c =
      '#undef NDEBUG\n#include "legacy.h"\n#include <assert.h>\nvoid test_price(void) {\n  assert(price(1) == 42);\n}\nvoid test_legacy(void) {\n  assert(legacy(1) == 41);\n}\n';
    const left = c.replace('#include "legacy.h"\n', "").replace(/void test_legacy[^]*/, "");
    expect(isOnlyWithout(file(c, left, "tests/test_price.c"), names)).toBe(true);
    expect(isOnlyWithout(file(c, left.replace("#undef NDEBUG\n", ""), "tests/test_price.c"), names)).toBe(false);
  });

  it("names what it is besides", () => {
    expect(namedBeside(file(both, null), names.gone)).toContain("price");
    expect(namedBeside(file(both, without), names.gone)).not.toContain("price");
  });
});

describe("source of which something was taken away", () => {
  const source = 'import { csv, legacy } from "./csv.js";\nexport const of = (kind) => (kind === 1 ? legacy : csv);\n';
  it.each<[string, string | null, boolean]>([
    ["less", 'import { csv } from "./csv.js";\nexport const of = (kind) => (csv);\n', true],
    ["none", null, true],
    ["another name", source.replaceAll("legacy", "old"), false],
    ["more", `${source}export const old = csv;\n`, false],
    ["another order", 'import { csv } from "./csv.js";\nexport const csv = (of) => of;\n', false],
  ])("%s", (_, now, expected) => {
    expect(isOnlyLess("src/of.js", { before: source, now }, new Set(["legacy"]))).toBe(expected);
  });

  it("defines functions, methods, types and variables of the file", () => {
    const text =
      "int price(int count) { return 1; }\nclass Shop {\n  total(rows) {\n    const inner = 1;\n    if (rows) {\n";
    expect([...definedIn(`${text}export const tax = 1;\ndef of(self):\nexports.cost = 1;\n`)].sort()).toEqual([
      "Shop",
      "cost",
      "of",
      "price",
      "tax",
      "total",
    ]);
  });
});

it.each([
  ["run node src/cli.js --legacy", false],
  ["run bin/shop --legacy", false],
  ["run legacy", true],
])("a test of a shell that says %s goes with it: %s", (line, expected) => {
  const kept = '@test "the price" {\n  true\n}\n';
  const before = `${kept}@test "the old one" {\n  ${line} > /dev/null\n}\n`;
  expect(isOnlyWithout(file(before, kept, "tests/price.bats"), { ...names, gone: new Set(["legacy"]) })).toBe(expected);
});

it.each([
  ["const (\n\tRate = 41\n)\n", "Rate"],
  ["var Rate float64 = 41\n", "Rate"],
  ["func (s *Shop) Rate() int {\n", "Rate"],
  ["pub static RATE: u32 = 41;\n", "RATE"],
  ["macro_rules! rate {\n", "rate"],
  ["const val RATE = 41\n", "RATE"],
  ["fun String.rate(): Int = 4\n", "rate"],
  ["int rate(int count)\n{\n  return 1;\n}\n", "rate"],
  ["#define RATE 41\n", "RATE"],
  ["static int rates[] = { 1 };\n", "rates"],
  ["  public static final int RATE = 41;\n", "RATE"],
  ["defmacro rate(x), do: x\n", "rate"],
])("%j defines %s", (text, name) => {
  expect([...definedIn(text)]).toContain(name);
});
