import { describe, expect, it } from "vitest";
import { newSurroundings } from "../../../src/core/trials/surroundings.ts";

const found = (path: string, text: string) => newSurroundings(path, text, null);

describe("a source that looks for what a runner gives to all code, or changes it", () => {
  it.each<[string, string, string[], string[]]>([
    ["src/price.js", 'const price = typeof describe === "function" ? 42 : 41;\n', ["typeof describe"], []],
    ["src/price.js", 'if (typeof it !== "undefined") price = 42;\n', ["typeof it"], []],
    [
      "src/price.js",
      'globalThis.beforeEach ? 42 : 41;\n"afterAll" in globalThis;\n',
      ["globalThis.beforeEach", '"afterAll" in globalThis'],
      [],
    ],
    ["src/price.js", 'global["describe"] && 42;\n', ["global.describe"], []],
    ["src/price.js", "globalThis.expect = (one) => plain(one);\n", [], ["expect"]],
    ["src/price.js", 'global["test"] = own;\nexpect = own;\n', [], ["test", "expect"]],
    ["src/price.ts", "Object.assign(globalThis, { rates: 1, expect: own, it });\n", [], ["expect", "it"]],
    ["src/price.js", 'Object.defineProperty(global, "assert", { value: own });\n', [], ["assert"]],
    // What programs do every day.
    ["src/price.js", 'function filter(it) {\n  return typeof it === "function";\n}\n', [], []],
    ["src/price.js", 'const keep = (it) => typeof it === "string";\nlist.map(expect => typeof expect);\n', [], []],
    [
      "src/price.ts",
      "let expect = 1;\nexpect = 2;\nexport function describe(shop: Shop) {}\ntypeof describe;\n",
      [],
      [],
    ],
    [
      "src/price.js",
      'schema.describe("a price");\nthis.it = 1;\nglobalThis.fetch = own;\nwindow.shop = { it: 1 };\n',
      [],
      [],
    ],
    [
      "src/price.js",
      'Object.assign(globalThis, { fetch, Headers });\nif (typeof test === "function") test();\n',
      [],
      [],
    ],
    ["shop/price.py", "expect = 1\nit = 2\n", [], []],
  ])("%s: %s [F-201]", (path, text, runners, changes) => {
    expect(found(path, text)).toMatchObject({ runners, changes });
  });
});
