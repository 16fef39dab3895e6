import { expect, it } from "vitest";
import { namesNow, retitledIn } from "../../../src/core/trials/retitled.ts";

const test = (title: string, wanted: string) => `test("${title}", () => expect(price).toBe(${wanted}));\n`;

it.each<[string, string, string, [string, string][]]>([
  ["a.test.js", test("the price", "42"), test("a price", "42"), [["the price", "a price"]]],
  [
    "test_a.py",
    "def test_price():\n    assert f() == 42\n",
    "def test_a_price():\n    assert f() == 42\n",
    [["test_price", "test_a_price"]],
  ],
  // Another value, another call, and a test more are another test.
  ["a.test.js", test("the price", "42"), test("a price", "41"), []],
  ["a.test.js", test("the price", "42"), test("a price", "42").replace("test(", "test.skip("), []],
  ["a.test.js", test("the price", "42"), `${test("a price", "42")}${test("b", "42")}`, []],
  ["a.test.js", 'f("the price");', 'f("a price");', []],
  ["test_a.py", "def test_price():\n    assert f() == 42\n", "def price():\n    assert f() == 42\n", []],
])("a test of %s that is called otherwise and is what it was is told: %j", (path, before, now, pairs) => {
  expect([...retitledIn(path, before, now)]).toEqual(pairs);
});

it("a name in a report is told by its parts", () => {
  const retitled = new Map([
    ["the price", "a price"],
    ["shop", "store"],
  ]);
  expect(namesNow("shop > the price[2]", [retitled])).toEqual(["store > a price[2]"]);
  expect(namesNow("shop", [retitled, new Map([["shop", "mall"]])])).toEqual(["store", "mall"]);
  expect(namesNow("the prices", [retitled])).toEqual([]);
});
