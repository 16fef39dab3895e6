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

  const cases = [
    { from: "cases/10.json", to: "cases/12.json" },
    { from: "shop/ten.js", to: "shop/twelve.js" },
  ];
  it.each<[string, string, string, boolean]>([
    ["a value that is exported", "export const total = 10;\n", "export const total = 12;\n", false],
    ["a value in a shell's environment", "export TOTAL=10\n", "export TOTAL=12\n", false],
    [
      "what follows an import",
      "from shop import x; assert x.total == ten\n",
      "from shop import x; assert x.total == twelve\n",
      false,
    ],
    [
      "what a loaded module is compared with",
      'expect(require("../shop/ten").total).toBe(ten)\n',
      'expect(require("../shop/twelve").total).toBe(twelve)\n',
      false,
    ],
    ["a resource that is used", "using (var x = new Price(10)) {}\n", "using (var x = new Price(12)) {}\n", false],
    [
      "a module that it loads on its way",
      'const { total } = require("../shop/ten.js");\n',
      'const { total } = require("../shop/twelve.js");\n',
      true,
    ],
    [
      "a module that it passes on",
      'export { total } from "../shop/ten.js";\n',
      'export { total } from "../shop/twelve.js";\n',
      true,
    ],
    [
      "two imports in a line",
      'import "./a.js"; import x from "../cases/10.json";\n',
      'import "./a.js"; import x from "../cases/12.json";\n',
      true,
    ],
    ["a file of Ruby", "require_relative '../shop/ten'\n", "require_relative '../shop/twelve'\n", true],
    [
      "a module that is imported late",
      'const x = await import("../shop/ten.js");\n',
      'const x = await import("../shop/twelve.js");\n',
      true,
    ],
  ])("changes only %s", (_what, before, now, expected) => {
    expect(isOnlyFollowing(before, now, cases)).toBe(expected);
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
