import { describe, expect, it } from "vitest";
import { isOnlyFollowing } from "../../../src/core/acceptance/following.ts";

const moved = [{ from: "src/price.js", to: "src/shop/pricing.js" }];
const test = (path: string, expected = 42) =>
  `import { price } from "${path}";\ntest("the price", () => expect(price).toBe(${expected}));\n`;

describe("a test that follows what moved", () => {
  it.each<[string, string, string, boolean]>([
    ["as it was", test("../src/price.js"), test("../src/price.js"), true],
    ["names the new place", test("../src/price.js"), test("../src/shop/pricing.js"), true],
    ["and expects something else", test("../src/price.js"), test("../src/shop/pricing.js", 41), false],
    ["names another file", test("../src/price.js"), test("../support/fake.js"), false],
    ["and has a line more", test("../src/price.js"), `${test("../src/shop/pricing.js")}process.exit(0);\n`, false],
    [
      "of Python",
      "from src.price import price\nassert price == 42\n",
      "from src.shop.pricing import price\nassert price == 42\n",
      true,
    ],
    ["whose name is no import", "check(price)\n", "check(pricing)\n", false],
  ])("%s", (_what, before, now, expected) => {
    expect(isOnlyFollowing(before, now, moved)).toBe(expected);
  });

  const go = [
    { from: "price/price.go", to: "internal/cost/price.go" },
    { from: "price/price_test.go", to: "internal/cost/price_test.go" },
  ];
  const goTest = (name: string, call = "price", path = "price") =>
    `package ${name}\n\nimport (\n\t"testing"\n\n\t"example.com/shop/${path}"\n)\n\nfunc TestOf(t *testing.T) {\n\tif ${call}.Of(3) != 42 {\n\t\tt.Fatal("no")\n\t}\n}\n`;

  it.each<[string, string, string, boolean]>([
    ["its package", "package price\n\nfunc TestOf() {}\n", "package cost\n\nfunc TestOf() {}\n", true],
    ["the package beside it", goTest("price_test"), goTest("cost_test", "cost", "internal/cost"), true],
    [
      "the package itself and no more the one beside",
      goTest("price_test"),
      goTest("cost", "cost", "internal/cost"),
      false,
    ],
    ["another package", goTest("price_test"), goTest("cost_test", "fake", "internal/fake"), false],
    [
      "what it is compared with",
      "package a\n\nvar is = price.Of(3) == cost.Of(3)\n",
      "package a\n\nvar is = cost.Of(3) == cost.Of(3)\n",
      false,
    ],
    ["another value", goTest("price_test"), goTest("cost_test", "cost", "internal/cost").replace("42", "41"), false],
  ])("of Go that names %s", (_what, before, now, expected) => {
    expect(isOnlyFollowing(before, now, go)).toBe(expected);
  });
});
