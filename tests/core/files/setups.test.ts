import { expect, it } from "vitest";
import { mayNameSetups, setupsIn } from "../../../src/core/files/setups.ts";

const files = ["boot.js", "src/boot.js", "src/index.cjs", "app/src/boot.ts", "src/style-mock.js", "src/env.ts"];

it.each<[string, string, string[]]>([
  ["package.json", '{ "jest": { "setupFiles": ["./src/boot.js"] } }', ["src/boot.js"]],
  ["package.json", '{ "mocha": { "require": "src/boot" } }', ["src/boot.js"]],
  [
    "package.json",
    '{ "jest": { "moduleNameMapper": { "css$": "<rootDir>/src/style-mock.js" } } }',
    ["src/style-mock.js"],
  ],
  ["app/vitest.config.ts", "export default { test: { setupFiles: './src/boot.ts' } };", ["app/src/boot.ts"]],
  [".mocharc.yml", 'require: "./src/boot.js"\n', ["src/boot.js"]],
  [
    "app/jest.config.js",
    'module.exports = { setupFiles: ["../boot.js", "<rootDir>/src/boot.ts"] };',
    ["boot.js", "app/src/boot.ts"],
  ],
  ["jest.config.js", 'module.exports = { setupFiles: [require.resolve("./src/boot.js")] };', ["src/boot.js"]],
  ["vite.config.ts", 'export default { test: { environment: "./src/env.ts", globals: true } };', ["src/env.ts"]],
  ["bunfig.toml", '[test]\ncoverage = true\npreload = ["./src/boot.js"]\n', ["src/boot.js"]],
  // What is built, or run outside of the tests.
  [
    "vite.config.ts",
    'export default { define: { environment: "src/env.ts", runner: "src/boot.js" }, test: { globals: true } };',
    [],
  ],
  ["bunfig.toml", 'preload = ["./src/boot.js"]\n[test]\ncoverage = true\n[install]\npreload = ["./src/boot.js"]\n', []],
  ["playwright.config.ts", 'export default { runner: "src/boot.js", helpers: ["src/env.ts"] };', []],
  // Comments, and the repository's own modules under the names by which they are imported.
  ["jest.config.js", '// setupFiles: ["./src/boot.js"]\nmodule.exports = {}; /* runner: "src/boot.js" */', []],
  ["jest.config.js", 'module.exports = { moduleNameMapper: { "^@shop/env$": "<rootDir>/src/env.ts" } };', []],
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

it("is read once, however often a setting is named", () => {
  const many = setupsIn(
    "jest.config.js",
    `module.exports = {${'"setupFiles": ["./src/boot.js"], '.repeat(10_000)}}`,
    files,
  );
  const begun = setupsIn("jest.config.js", 'setupFiles: ["./src/boot.js", '.repeat(10_000), files);
  expect([many, begun]).toEqual([["src/boot.js"], []]);
});
