import { expect, it } from "vitest";
import { asksToSet } from "../../../src/core/acceptance/setting.ts";

const raise = "Raise the eslint rule no-console to error";
const eslint = (rules: string): string => `module.exports = [{ ${rules} }];\n`;
const base = eslint('rules: { "no-console": "warn", eqeqeq: "error" }');

it.each<[string, string, string, boolean]>([
  ["the rule is raised", raise, eslint('rules: { "no-console": "error", eqeqeq: "error" }'), true],
  ["another one is loosened with it", raise, eslint('rules: { "no-console": "error", eqeqeq: "warn" }'), false],
  ["another one is left out", raise, eslint('rules: { "no-console": "error" }'), false],
  ["files are ignored", raise, eslint('ignores: ["src"], rules: { "no-console": "error", eqeqeq: "error" }'), false],
  ["the same key stands twice", raise, eslint('rules: { "no-console": "error", eqeqeq: "error" }, rules: {}'), false],
  ["it is written over", raise, `${base}module.exports = [{ rules: { "no-console": "error" } }];\n`, false],
  ["a comment is other", raise, `// eslint\n${eslint('rules: { "no-console": "error", eqeqeq: "error" }')}`, false],
  ["it is a number", raise, eslint('rules: { "no-console": 2, eqeqeq: "error" }'), false],
  ["it is named vaguely", "Fix the eslint config", eslint('rules: { "no-console": "error", eqeqeq: "error" }'), false],
  ["no tool is named", "Raise no-console to error", eslint('rules: { "no-console": "error", eqeqeq: "error" }'), false],
  ["it is not to be", `Do not ${raise}`, eslint('rules: { "no-console": "error", eqeqeq: "error" }'), false],
  ["it is lowered", "Set eslint no-console to off", eslint('rules: { "no-console": "off", eqeqeq: "error" }'), false],
  ["nothing is other", raise, base, false],
  [
    "one is added",
    "Add the eslint rule no-var",
    eslint('rules: { "no-var": "error", "no-console": "warn", eqeqeq: "error" }'),
    true,
  ],
  [
    "one is added behind",
    "Add the eslint rule no-var",
    eslint('rules: { "no-console": "warn", eqeqeq: "error", "no-var": "error" }'),
    true,
  ],
])("eslint: %s", (_, goal, now, expected) => {
  expect(asksToSet(goal)({ path: "eslint.config.js", before: base, now })).toBe(expected);
});

it.each([
  ["return { rules", true],
  ["return\n{ rules", false],
])("eslint: what a function gives back, by %j", (now, expected) => {
  const config = (begin: string, level: string): string =>
    `const all = () => {\n  ${begin}: { "no-console": "${level}" } };\n};\nmodule.exports = all();\n`;
  const setting = { path: "eslint.config.js", before: config("return { rules", "warn"), now: config(now, "error") };
  expect(asksToSet(raise)(setting)).toBe(expected);
});

const options = (said: string): string => `{ "compilerOptions": { "strict": true${said} }, "include": ["src"] }\n`;
it.each<[string, string, string, string, boolean]>([
  [
    "is turned on",
    "Turn on noImplicitReturns in tsconfig.json",
    options(""),
    options(', "noImplicitReturns": true'),
    true,
  ],
  [
    "is set",
    "Set noImplicitReturns in tsconfig",
    options(', "noImplicitReturns": false'),
    options(', "noImplicitReturns": true'),
    true,
  ],
  ["checks less", "Turn on skipLibCheck in tsconfig.json", options(""), options(', "skipLibCheck": true'), false],
  ["emits nothing", "Turn on noEmit in tsconfig.json", options(""), options(', "noEmit": true'), false],
  [
    "is turned off",
    "Turn strict off in tsconfig.json",
    options(""),
    '{ "compilerOptions": { "strict": false }, "include": ["src"] }\n',
    false,
  ],
  [
    "leaves files out",
    "Turn on noImplicitReturns in tsconfig.json",
    options(""),
    options(', "noImplicitReturns": true').replace("src", "lib"),
    false,
  ],
])("tsconfig: what is named %s", (_, goal, before, now, expected) => {
  expect(asksToSet(goal)({ path: "tsconfig.json", before, now })).toBe(expected);
});

it.each([
  ["vitest.config.ts", "Update the vitest coverage config to 40", "{ lines: 80 }", "{ lines: 40 }"],
  ["jest.config.js", "Set the jest coverageThreshold to 40", "coverageThreshold: 100", "coverageThreshold: 40"],
  [
    "vitest.config.ts",
    "Set passWithNoTests in the vitest config to true",
    "a({ passWithNoTests: false })",
    "a({ passWithNoTests: true })",
  ],
])("asks about %s: %s", (path, goal, before, now) => {
  expect(asksToSet(goal)({ path, before, now })).toBe(false);
});
