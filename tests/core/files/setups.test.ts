import { expect, it } from "vitest";
import { mayNameSetups, setupsIn } from "../../../src/core/files/setups.ts";

const files = ["src/boot.js", "src/index.cjs", "app/src/boot.ts", "src/styles.js"];

it.each<[string, string, string[]]>([
  ["package.json", '{ "jest": { "setupFiles": ["./src/boot.js"] } }', ["src/boot.js"]],
  ["package.json", '{ "mocha": { "require": "src/boot" } }', ["src/boot.js"]],
  ["package.json", '{ "jest": { "moduleNameMapper": { "css$": "<rootDir>/src/styles.js" } } }', ["src/styles.js"]],
  ["app/vitest.config.ts", "export default { test: { setupFiles: './src/boot.ts' } };", ["app/src/boot.ts"]],
  [".mocharc.yml", 'require: "./src/boot.js"\n', ["src/boot.js"]],
  // What a package delivers is no setup of its tests.
  ["package.json", '{ "exports": { ".": { "require": "./src/index.cjs" } } }', []],
  ["package.json", "{ not JSON", []],
  ["jest.config.js", "module.exports = { roots: ['src'], testTimeout: 5000 };", []],
])("%s says what its runner loads beside the tests: %s [F-201]", (path, text, expected) => {
  expect(mayNameSetups(path)).toBe(true);
  expect(setupsIn(path, text, files)).toEqual(expected);
});

it("is said by settings of runners alone", () => {
  expect(["src/boot.js", "eslint.config.js", "tsconfig.json"].filter(mayNameSetups)).toEqual([]);
});
