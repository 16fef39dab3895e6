import { expect, it } from "vitest";
import { asksToRename, renamedOnly } from "../../../src/core/acceptance/renaming.ts";

const test = (name: string, from: string, title: string, wanted = 84) =>
  `import { ${name} } from "${from}";\ntest("${title}", () => assert.equal(${name}(2), ${wanted}));\n`;
const before = test("price", "../src/price.js", "the price");
const moved = [{ from: "src/price.js", to: "src/total.js" }];

it.each<[string, string, [string, string][] | null]>([
  ["a name everywhere", test("total", "../src/price.js", "the price"), [["price", "total"]]],
  ["with its title and the place of what moved", test("total", "../src/total.js", "the total"), [["price", "total"]]],
  ["and expects another value", test("total", "../src/price.js", "the price", 82), null],
  ["and names another file", test("total", "../support/fake.js", "the price"), null],
  ["in one place of two", before.replace("{ price }", "{ total as price }"), null],
  ["as what is there already", before.replaceAll("price", "assert"), null],
  ["nothing", before, null],
])("a test that differs by %s", (_what, now, expected) => {
  const names = renamedOnly({ oldPath: "test/a.test.js", path: "test/a.test.js", before, now }, moved);
  expect(names === null ? null : [...names]).toEqual(expected);
});

it("a name is kept as one: what was compared with another is not compared with itself", () => {
  const compared = {
    oldPath: "a.test.js",
    path: "a.test.js",
    before: "same(one(), other());",
    now: "same(two(), two());",
  };
  expect(renamedOnly(compared, [])).toBeNull();
  expect(renamedOnly({ ...compared, now: "same(other(), one());" }, [])).toBeNull();
});

it.each<[string, boolean]>([
  ["Rename the function price to total", true],
  ["The total is the price with tax", false],
  ["Rename prices to total", false],
])("a goal asks for it by both names: %s", (goal, expected) => {
  expect(asksToRename(goal)("price", "total")).toBe(expected);
});
