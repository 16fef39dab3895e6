import { describe, expect, it } from "vitest";
import { ownTestsOtherNow, runsOwnTests } from "../../../src/core/trials/own-tests.ts";

const python = `import pytest

RATE = 1
CASES = [(2, 4), (5, 10)]

def price(n):
    return n + RATE

def same(got, want):
    assert got == want

@pytest.mark.parametrize(
    "n, want",
    [(1, 2)],
)
def test_price(n, want):
    same(price(n), want)
    assert price(2) == 4

def test_cases():
    for n, want in CASES:
        assert price(n) == want
`;
const node = `import assert from "node:assert/strict";
import { test } from "node:test";
export const price = (n) => n + 1;

test("two", () => {
  assert.equal(price(2), 4);
});
`;
const vitest = `export const price = (n) => n + 1;

if (import.meta.vitest) {
  const { it, expect } = import.meta.vitest;
  it("two", () => {
    expect(price(2)).toBe(4);
  });
}
`;
const zig = 'fn price(n: u32) u32 {\n    return n + 1;\n}\n\ntest "two" {\n    try expect(price(2) == 4);\n}\n';
const d = "int price(int n) { return n + 1; }\nunittest {\n    assert(price(2) == 4);\n}\n";
const racket = "(define (price n) (+ n 1))\n(module+ test\n  (check-equal? (price 2) 4))\n";
const elixir = '  @doc """\n  The price.\n\n      iex> Shop.price(2)\n      4\n  """\n  def price(n), do: n + 1\n';
const haskell = "-- | The price.\n-- >>> price 2\n-- 4\nprice n = n + 1\n";
const sharp =
  "class Shop {\n    int Price(int n) => n + 1;\n\n    [Trait]\n    [Fact]\n    public void Two()\n    {\n        Assert.Equal(4, Price(2));\n    }\n}\n";
const doctest = 'int price(int n) { return n + 1; }\n\nTEST_CASE("two") {\n  CHECK(price(2) == 4);\n}\n';
const main = 'def price(n):\n    return n + 1\n\nif __name__ == "__main__":\n    assert price(2) == 4\n';

const bare = "int price(int n) { return n + 1; }\nstatic int test_price(void) {\n  return price(2) == 4;\n}\n";
const cmocka = "#include <cmocka.h>\nstatic void test_price(void **state) {\n  assert_int_equal(price(2), 4);\n}\n";
const phpunit = "class P extends Own {\n  public function testPrice() {\n    $this->assertSame(4, price(2));\n  }\n}\n";
const xctest = "import XCTest\nclass P: XCTestCase {\n  func testPrice() {\n    XCTAssertEqual(price(2), 4)\n  }\n}\n";
const minitest = "class PriceTest < Own\n  def test_price\n    assert_equal 4, price(2)\n  end\nend\n";
const methods = "class TestPrice:\n    def test_price(self, shop):\n        assert price(2) == 4\n";
const plain = "def test_price():\n    assert price(2) == 4\n";
const fixture = "import pytest\n\ndef test_price(shop):\n    assert shop.price(2) == 4\n";

const changed = (path: string, before: string, from: string, to: string): readonly string[] => {
  expect(before).toContain(from);
  return ownTestsOtherNow(path, before.replace(from, to), before).lines;
};

describe("tests that lie in the source that they test [F-201]", () => {
  it.each<[string, string, string, string, string[]]>([
    ["shop.py", python, "== 4", "== 3", ["assert price(2) == 4"]],
    ["shop.py", python, "(5, 10)", "(5, 6)", ["CASES = [(2, 4), (5, 10)]"]],
    ["shop.py", python, "assert got == want", "assert got", ["assert got == want"]],
    ["shop.py", python, "[(1, 2)],", "[],", ["[(1, 2)],"]],
    ["shop.py", python, "    same(price", "    return\n    same(price", ["return"]],
    ["shop.py", python, "def test_cases", "@pytest.mark.skip\ndef test_cases", ["@pytest.mark.skip"]],
    ["shop.py", main, "== 4", "== 3", ["assert price(2) == 4"]],
    ["price.mjs", node, "2), 4", "2), 3", ["assert.equal(price(2), 4);"]],
    ["price.mjs", node, 'test("two"', 'test.skip("two"', ['test("two", () => {']],
    ["price.ts", vitest, "toBe(4)", "toBe(3)", ["expect(price(2)).toBe(4);"]],
    ["price.zig", zig, "== 4", "== 3", ["try expect(price(2) == 4);"]],
    ["price.d", d, "== 4", "== 3", ["assert(price(2) == 4);"]],
    ["price.rkt", racket, " 4))", " 3))", ["(check-equal? (price 2) 4))"]],
    ["price.ex", elixir, "      4", "      3", ["4"]],
    ["price.hs", haskell, "-- 4", "-- 3", ["4"]],
    ["Shop.cs", sharp, "(4, ", "(3, ", ["Assert.Equal(4, Price(2));"]],
    ["price.cpp", doctest, "== 4", "== 3", ["CHECK(price(2) == 4);"]],
    ["price.c", bare, "== 4", "== 3", ["return price(2) == 4;"]],
    ["price.c", cmocka, ", 4", ", 3", ["assert_int_equal(price(2), 4);"]],
    ["Price.php", phpunit, "(4, ", "(3, ", ["$this->assertSame(4, price(2));"]],
    ["Price.swift", xctest, ", 4)", ", 3)", ["XCTAssertEqual(price(2), 4)"]],
    ["price.rb", minitest, "equal 4", "equal 3", ["assert_equal 4, price(2)"]],
    ["shop.py", methods, "== 4", "== 3", ["assert price(2) == 4"]],
    ["shop.py", plain, "== 4", "== 3", ["assert price(2) == 4"]],
    ["shop.py", fixture, "== 4", "== 3", ["assert shop.price(2) == 4"]],
  ])("%s: what became of them is told", (path, before, from, to, lines) => {
    expect(changed(path, before, from, to)).toEqual(lines);
  });

  it.each<[string, string, string, string]>([
    ["shop.py", python, "n + RATE", "n * 2"],
    ["shop.py", python, "RATE = 1", "RATE = 2"],
    ["shop.py", python, "def test_cases", "def test_more():\n    assert price(3) == 6\n\ndef test_cases"],
    ["shop.py", main, "n + 1", "n * 2"],
    ["price.mjs", node, "n + 1", "n * 2"],
    ["price.mjs", node, 'test("two"', 'test("three", () => assert.equal(price(3), 6));\n\ntest("two"'],
    ["price.ts", vitest, '  it("two"', '  it("three", () => expect(price(3)).toBe(6));\n  it("two"'],
    ["price.zig", zig, "n + 1", "n * 2"],
    ["price.rkt", racket, "(+ n 1)", "(* n 2)"],
    ["price.ex", elixir, "n + 1", "n * 2"],
    ["Shop.cs", sharp, "n + 1", "n * 2"],
    // Plain source that calls something so.
    ["net.py", "def test_connection(host):\n    return ping(host)\n", "ping", "reach"],
    [
      "db.py",
      'class Db:\n    def test_connection(self):\n        log.error("assert failed", self.ping())\n',
      "ping",
      "reach",
    ],
    ["db.py", "class Db:\n    def test_connection(self):\n        assert self.ping()\n", "ping", "reach"],
    ["stats.py", "def test_statistic(a):\n    assert len(a) > 1\n    return mean(a)\n", "> 1", "> 2"],
    ["bits.c", "int test_bit(const unsigned *m, int i) {\n  return m[i / 32] == 1;\n}\n", "== 1", "== 2"],
    ["mode.c", "void test_pattern(void) {\n  draw(1);\n}\n", "draw(1)", "draw(2)"],
    ["bits.hpp", "class B {\n  bool test(size_t i) const {\n    return bits[i];\n  }\n};\n", "bits[i]", "bits[0]"],
    [
      "Mail.php",
      "class M {\n  public function testConnection($h) {\n    return fsockopen($h);\n  }\n}\n",
      "fsock",
      "sock",
    ],
    ["Car.swift", "class Car {\n  func testDrive() {\n    go()\n  }\n}\n", "go()", "go(2)"],
    ["db.rb", 'class Db\n  def test_connection\n    log.error("failed")\n  end\nend\n', "failed", "lost"],
    ["net.js", "test(value);\nif (/a/.test(b)) it(c);\n", "value", "other"],
  ])("%s: the source beside them, and new tests, are free", (path, before, from, to) => {
    expect(changed(path, before, from, to)).toEqual([]);
  });

  it("are run where the command names the file, a title of theirs ran, or nobody says what ran", () => {
    const of = { path: "src/shop.py", titles: ownTestsOtherNow("src/shop.py", "", python).titles };
    const ran = (name: string) => ({ type: "names" as const, tests: [{ name, outcome: "passed" as const }] });

    expect(of.titles).toEqual(expect.arrayContaining(["test_price", "test_cases"]));
    expect(runsOwnTests(of, "pytest -q src/shop.py", [ran("test_other")])).toBe(true);
    expect(runsOwnTests(of, "pytest", [ran("test_price[1-2]")])).toBe(true);
    expect(runsOwnTests(of, "pytest", [null])).toBe(true);
    expect(runsOwnTests(of, "pytest", [ran("test_other")])).toBe(false);
    expect(ownTestsOtherNow("price.mjs", "", node).titles).toEqual(["two"]);
  });
});
