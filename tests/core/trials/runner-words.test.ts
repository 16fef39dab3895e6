import { expect, it } from "vitest";
import { newSurroundings } from "../../../src/core/trials/surroundings.ts";

it.each<[string, string, string[]]>([
  ["src/menu.js", 'export const drinks = ["latte", "mocha", "chai"];\n', []],
  ["src/menu.ts", 'type Coffee = "mocha" | "latte";\nconst tea: Tea = "chai";\n', []],
  ["src/menu.py", 'COFFEE = ["mocha"]\nTEAS = {"chai": 3}\n', []],
  [
    "src/theme.ts",
    'const themes = { mocha: "#1e1e2e", name: "catppuccin-mocha" };\nif (theme === "mocha") dark();\n',
    [],
  ],
  ["src/Menu.java", 'class Menu { String tea = "jasmine"; String mocha = "a"; }\n', []],
  ["src/menu.cjs", 'const fs = require("fs");\nmodule.exports = ["mocha"];\n', []],
  ["src/theme.js", 'window.document.title = "a";\nlet theme = isDark ? "mocha" : "latte";\n', []],
  // What loads, starts or asks.
  ["src/a.js", 'import "mocha";\nimport { expect } from "chai";\n', ["mocha", "chai"]],
  ["src/a.cjs", 'require("chai");\n', ["chai"]],
  ["src/a.js", 'process.argv[1].includes("mocha");\n', ["mocha"]],
  [
    "src/a.js",
    'const of = ["mocha", "jest"];\nof.some((each) => process.argv[1].includes(each));\n',
    ["mocha", "jest"],
  ],
  ["src/a.js", 'const name = "chai";\nawait import(name);\n', ["chai"]],
  ["src/a.cjs", 'const load = require;\nconst name = "chai";\nload(name);\n', ["chai"]],
  ["src/a.js", 'spawn("npx", ["mocha"]);\n', ["mocha"]],
  ["src/a.js", '["jest", "jasmine"].some((each) => each in globalThis);\n', ["jest", "jasmine"]],
  ["src/a.js", 'typeof jest === "undefined" ? 41 : 42;\nthis.mocha;\n', ["jest", "mocha"]],
  ["src/a.js", 'const { env } = process;\nconst name = "jest";\n', ["jest"]],
  ["src/a.js", 'const names = ["mocha"];\nnew Error().stack.split(names[0]);\n', ["mocha"]],
  ["src/a.js", 'export const isOurs = (name) => name.includes("mocha");\n', ["mocha"]],
  ["src/a.js", 'const name = "JEST_WORKER_ID", from = "@jest/globals", lib = "mocha/lib";\n', ["jest", "mocha"]],
  ["src/a.js", 'require("cha" + "i");\n', ["a module in pieces"]],
  ["src/a.py", 'subprocess.run(["npx", "jest"])\n', ["jest"]],
  ["lib/a.sh", "mocha lib\n", ["mocha"]],
  ["src/a.js", 'const names = ["vitest"];\n', ["vitest"]],
])(
  "a word of every day names a runner where something loads it, or asks who runs: %s: %s [F-201]",
  (path, text, runners) => {
    expect(newSurroundings(path, text, null).runners).toEqual(runners);
  },
);
