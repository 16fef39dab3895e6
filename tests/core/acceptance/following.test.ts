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
});
