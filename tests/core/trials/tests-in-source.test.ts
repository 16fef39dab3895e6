import { expect, it } from "vitest";
import { runsTestsIn, testsOtherNow } from "../../../src/core/trials/tests-in-source.ts";

const source = `/// The price of so many.
///
/// \`\`\`
/// assert_eq!(shop::price(2), 84);
/// \`\`\`
pub fn price(n: u32) -> u32 {
    n * 42
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_costs_42() {
        assert_eq!(price(1), 42, "{");
    }
}

pub fn free() -> u32 {
    0
}
`;

const changed = (from: string, to: string): string[] => {
  expect(source).toContain(from);
  return testsOtherNow("src/lib.rs", source.replace(from, to), source);
};

it.each<[string, string, string, string[]]>([
  ["what a test expects is another value", "price(1), 42", "price(1), 41", ['assert_eq!(price(1), 42, "{");']],
  ["a test is gone", '        assert_eq!(price(1), 42, "{");\n', "", ['assert_eq!(price(1), 42, "{");']],
  ["a test is one no more", "    #[test]\n", "", ["#[test]"]],
  ["an example expects another value", "price(2), 84", "price(2), 82", ["assert_eq!(shop::price(2), 84);"]],
  ["it is another one in tests", "n * 42", "n * if cfg!(test) { 42 } else { 41 }", ["cfg!(test)"]],
  [
    "it is another one in use",
    "pub fn free",
    "#[cfg(not(test))]\npub fn other() -> u32 { 1 }\n\npub fn free",
    ["cfg(not(test)"],
  ],
])("%s: that is said", (_, from, to, wanted) => {
  expect(changed(from, to)).toEqual(wanted);
});

it.each<[string, string, string]>([
  ["the source is another one", "n * 42", "n * 40 + n * 2"],
  ["what lies behind the tests is another one", "    0\n", "    1\n"],
  [
    "a test came",
    "    #[test]\n",
    "    #[test]\n    fn none() {\n        assert_eq!(price(0), 0);\n    }\n\n    #[test]\n",
  ],
  ["tests are indented otherwise", '        assert_eq!(price(1), 42, "{");', '    assert_eq!(price(1), 42, "{");'],
  ["documentation is another one", "The price of so many.", "What so many cost."],
])("%s: nothing is said", (_, from, to) => {
  expect(changed(from, to)).toEqual([]);
});

it("a new file, and another language, have no tests that could be others", () => {
  expect(testsOtherNow("src/lib.rs", source, null)).toEqual([]);
  expect(testsOtherNow("src/lib.js", "", source)).toEqual([]);
});

const python = `def price(n):
    """The price.

    >>> price(1)
    42
    >>> for n in [1]:
    ...     price(n)
    42
    """
    return n * 42
`;

it.each<[string, string, string, string[]]>([
  ["what an example prints is another value", "price(1)\n    42", "price(1)\n    41", [">>> price(1) 42"]],
  ["an example is skipped", "price(1)\n", "price(1)  # doctest: +SKIP\n", [">>> price(1) 42"]],
  ["a part of one is gone", "    ...     price(n)\n", "", [">>> for n in [1]: ...     price(n) 42"]],
  ["prose around them is another", "The price.", "The price of so many.", []],
  ["the code is another", "n * 42", "42 * n", []],
  ["one came", "    >>> price(1)\n", "    >>> price(2)\n    84\n    >>> price(1)\n", []],
])("of Python: %s", (_what, from, to, found) => {
  expect(python).toContain(from);
  expect(testsOtherNow("src/shop/price.py", python.replace(from, to), python)).toEqual(found);
});

const ran = (name: string) => [{ type: "names", tests: [{ name, outcome: "passed" }] } as const];

it.each<[string, string, string, string, boolean]>([
  ["its examples ran", "src/shop/price.py", "pytest", "shop.price.price", true],
  ["those of a package ran", "src/shop/__init__.py", "pytest", "shop.price", true],
  ["its command asks for them", "src/shop/price.py", "python3 -m doctest src/shop/price.py", "test_one", true],
  ["tests of its name ran", "src/shop/price.py", "pytest", "test_price", false],
  ["examples of another one ran", "src/shop/price.py", "pytest", "shop.prices.price", false],
])("a proof runs them where %s", (_what, path, command, name, is) => {
  expect(runsTestsIn(path, command, ran(name))).toBe(is);
});
