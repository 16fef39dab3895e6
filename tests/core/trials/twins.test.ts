import { expect, it } from "vitest";
import { isTakenFor, twinsOf } from "../../../src/core/trials/twins.ts";

it.each<[string, string, string, string, boolean]>([
  ["src/price.mjs", "src/price.js", "../src/price", "test/a.test.js", true],
  ["src/price.js", "src/price.ts", "../src/price.js", "test/a.test.ts", true],
  ["src/price.js", "src/price.ts", "../src/price", "test/a.test.ts", true],
  ["price.js", "price.json", "./price", "a.test.js", true],
  ["src/price.mjs", "src/price.js", "../src/price.js", "test/a.test.js", false],
  ["src/price.mjs", "src/price.js", "../src/price.mjs", "test/a.test.js", false],
  ["src/price.mjs", "src/price.js", "./price", "test/a.test.js", false],
  ["src/price.mjs", "src/price.js", "price", "test/a.test.js", false],
])("%s beside %s: is %s in %s given it in its place? [F-201]", (path, other, said, from, expected) => {
  expect(twinsOf(path, new Set([other]))).toEqual([{ path, other }]);
  expect(isTakenFor({ path, other }, said, from)).toBe(expected);
});

it.each(["src/price.css", "src/price.d.ts", "src/price.test.js", "lib/price.js", "src/prices.ts"])(
  "src/price.mjs has another name than %s, or says another thing",
  (other) => {
    expect(twinsOf("src/price.mjs", new Set([other]))).toEqual([]);
  },
);
