import { describe, expect, it } from "vitest";
import { newSurroundings } from "../../../src/core/trials/surroundings.ts";

const data = ["fixtures/rates.json", "packages/shop/fixtures/expected.json", "src/__snapshots__/price.test.js.snap"];
const named = (path: string, text: string) => newSurroundings(path, text, null, { data }).runners;

describe("a source that names the data of its tests", () => {
  it.each<[string, string, string[]]>([
    ["src/price.js", 'readFileSync("fixtures/rates.json");\n', ["fixtures/rates.json"]],
    [
      "src/price.js",
      'new URL("../fixtures/expected.json", import.meta.url);\n',
      ["packages/shop/fixtures/expected.json"],
    ],
    ["src/price.js", 'join(root, "fixtures", "rates.json");\n', ["fixtures/rates.json"]],
    ["src/price.js", 'names.find((each) => each === "expected.json");\n', ["packages/shop/fixtures/expected.json"]],
    ["shop/price.py", 'Path("fixtures") / "rates.json"\n', ["fixtures/rates.json"]],
    ["lib/price.sh", "cat ../fixtures/rates.json\n", ["fixtures/rates.json"]],
    // What programs do every day.
    [
      "src/price.js",
      '// as in fixtures/rates.json\nreadFileSync("data/rates.json");\njoin("data", "rates.json");\n',
      [],
    ],
    ["src/price.js", 'const rates = "rates.json";\nconst folder = "fixtures";\nconst expected = 1;\n', []],
    ["shop/price.py", "fixtures = load('rates')\n", []],
  ])("%s: %s [F-201]", (path, text, names) => {
    expect(named(path, text)).toEqual(names);
  });

  it("looks through long texts and many files in one go", () => {
    const many = Array.from({ length: 20_000 }, (_each, index) => `fixtures/${index}.json`);
    const text = 'readFileSync("data/rates.json");\n'.repeat(14_000);

    expect(newSurroundings("src/price.js", text, null, { data: many }).runners).toEqual([]);
  });
});

describe("a source that names tests", () => {
  const tests = ["a", "test/price.test.js", "test/price.test.js.snap", "spec/a/rates_spec.rb", "src/test_rates.py"];
  const namedTests = (text: string) => newSurroundings("src/price.js", text, null, { tests }).runners;

  it.each<[string, string[]]>([
    ['read("test/price.test.js");\n', ["test/", "test/price.test.js"]],
    ['read("./test/other.js");\n', ["test/"]],
    ['read("../spec/a/b");\n', ["spec/"]],
    ['read("price.test.jsx"); read("test_rates.py");\n', ["price.test.js", "test_rates.py"]],
    // Longer ones that begin alike, and ones that only end so.
    ['read("latest/price"); read("https://example.com/test/price"); read("src/testing");\n', []],
    ['read("my-price.test.js"); read("contest_rates.py");\n', []],
    ["// test/price.test.js\nconst price = 1;\n", []],
  ])("%s [F-201]", (text, names) => {
    expect(namedTests(text)).toEqual(names);
  });

  it("looks through many files for the names of many tests in one go", () => {
    const many = Array.from({ length: 30_000 }, (_each, index) => `packages/p${index % 300}/test/m${index}.test.ts`);
    const text = 'const rates = read("data/rates.json");\n'.repeat(60);

    const all = Array.from({ length: 200 }, () => newSurroundings("src/price.js", text, null, { tests: many }).runners);

    expect(all.flat()).toEqual([]);
  });
});
