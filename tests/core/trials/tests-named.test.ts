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
