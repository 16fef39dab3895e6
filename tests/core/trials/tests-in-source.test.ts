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

/** Its part for tests. */
const part = source.slice(source.indexOf("#[cfg(test)]"), source.indexOf("\npub fn free"));

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
  ["a test expects to fail", "    #[test]\n", "    #[test]\n    #[should_panic]\n", ["#[should_panic]"]],
  ["a test is left out", "    #[test]\n", "    #[ignore]\n    #[test]\n", ["#[ignore]"]],
  ["a test is built nowhere", "    #[test]\n", "    #[cfg(any())]\n    #[test]\n", ["#[cfg(any())]"]],
  [
    "a test ends before it looks",
    "        assert_eq!(price(1)",
    "        return;\n        assert_eq!(price(1)",
    ["return;"],
  ],
  [
    "a test looks only where nothing is",
    '        assert_eq!(price(1), 42, "{");\n',
    '        if false {\n        assert_eq!(price(1), 42, "{");\n        }\n',
    ["if false {"],
  ],
  [
    "a test is a comment",
    '    #[test]\n    fn one_costs_42() {\n        assert_eq!(price(1), 42, "{");\n    }\n',
    '    /*\n    #[test]\n    fn one_costs_42() {\n        assert_eq!(price(1), 42, "{");\n    }\n    */\n',
    ["#[test]", "fn one_costs_42() {", 'assert_eq!(price(1), 42, "{");'],
  ],
  ["its part is built nowhere", "#[cfg(test)]\n", "#[cfg(any())]\n#[cfg(test)]\n", ["#[cfg(any())]"]],
  ["its part lies in one that is built nowhere", part, `#[cfg(any())]\nmod other {\n${part}}\n`, ["#[cfg(test)]"]],
  [
    "a function of its name lies beside the tests",
    "    use super::*;\n",
    "    use super::*;\n    fn price(_: u32) -> u32 {\n        42\n    }\n",
    ["fn price(_: u32) -> u32 {"],
  ],
  [
    "so does another one by its name",
    "    use super::*;\n",
    "    use super::*;\n    use crate::other::fixed as price;\n",
    ["use crate::other::fixed as price;"],
  ],
  [
    "what compares is another one",
    "pub fn free",
    "macro_rules! assert_eq {\n    ($($any:tt)*) => {};\n}\n\npub fn free",
    ["macro_rules! assert_eq {"],
  ],
  [
    "what compares comes from elsewhere",
    "pub fn free",
    "use crate::calm::{assert_eq};\n\npub fn free",
    ["use crate::calm::{assert_eq};"],
  ],
  ["an example is left out", "/// ```\n/// assert", "/// ```ignore\n/// assert", ["```ignore"]],
  ["an example ends before it looks", "/// assert_eq", "/// return;\n/// assert_eq", ["return;"]],
  [
    "the file is built nowhere",
    "/// The price of so many.",
    "#![cfg(any())]\n/// The price of so many.",
    ["#![cfg(any())]"],
  ],
  ["a comment holds another one", "#[cfg(test)]\n", "/* no /* more */\n#[cfg(test)]\n", ["/* no /* more */"]],
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
  [
    "a test is written over several lines",
    'assert_eq!(price(1), 42, "{");',
    'assert_eq!(\n            price(1),\n            42,\n            "{",\n        );'.replace(
      ",\n        )",
      "\n        )",
    ),
  ],
  ["a test says more of itself", "    #[test]\n", "    // One costs the usual.\n    #[test]\n"],
  [
    "a helper and what it takes came beside the tests",
    "    use super::*;\n",
    "    use super::*;\n    use std::panic;\n    use crate::other::cost;\n\n    fn cheap() -> u32 {\n        cost()\n    }\n",
  ],
  ["a macro of another name came", "pub fn free", "macro_rules! free_of {\n    () => {};\n}\n\npub fn free"],
  ["an example came", "/// ```\npub", "/// ```\n///\n/// ```\n/// assert_eq!(shop::price(0), 0);\n/// ```\npub"],
  ["documentation is another one", "The price of so many.", "What so many cost."],
])("%s: nothing is said", (_, from, to) => {
  expect(changed(from, to)).toEqual([]);
});

it.each([
  ["parts without an end", "mod a { ".repeat(10_000)],
  ["parts in each other", `${"mod a { ".repeat(10_000)}${"}".repeat(10_000)}`],
  ["attributes without an end", "#[".repeat(20_000)],
  ["calls in each other", `${"a! { ".repeat(10_000)}#[test] fn a() {}${"}".repeat(10_000)}`],
  ["ends of nothing", "}".repeat(20_000)],
])("reads %s", (_, text) => {
  const found = testsOtherNow("src/lib.rs", `${text}\n${source.replace("#[test]", "#[test]\n#[ignore]")}`, source);

  expect(found.length).toBeGreaterThan(0);
});

it("a new file, and another language, have no tests that could be others", () => {
  expect(testsOtherNow("src/lib.rs", source, null)).toEqual([]);
  expect(testsOtherNow("src/lib.js", "", source)).toEqual([]);
});

const property = `pub fn price(n: u32) -> u32 {
    n * 42
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(9))]
    #[test]
    fn many_cost_more(n in 1..9u32) {
        assert!(price(n) >= 42);
    }
}

macro_rules! costs {
    ($name:ident, $n:expr) => {
        #[test]
        fn $name() {
            assert_eq!(price($n), $n * 42);
        }
    };
}

costs!(two, 2);

fn written() -> TokenStream {
    quote! {
        /// \`\`\`
        /// assert_eq!(cost(1), 42);
        /// \`\`\`
        #[test]
        fn cost() {}
    }
}
`;

it.each<[string, string, string, string[]]>([
  ["a test in a call of a macro tries nothing", "        assert!(price(n) >= 42);\n", "", ["assert!(price(n) >= 42);"]],
  [
    "a test in a call of a macro is gone",
    "    #[test]\n    fn many",
    "    fn many",
    ["#[test]", "fn many_cost_more(n in 1..9u32) {", "assert!(price(n) >= 42);"],
  ],
  ["a call of a macro tries fewer cases", "with_cases(9)", "with_cases(0)", ["#[test]"]],
  [
    "tests that a macro writes try nothing",
    "            assert_eq!(price($n), $n * 42);\n",
    "",
    ["assert_eq!(price($n), $n * 42);"],
  ],
  [
    "what a macro writes is another one in tests",
    "        fn cost() {}",
    "        fn cost() { cfg!(test) }",
    ["cfg!(test)"],
  ],
  [
    "a comment ends before a condition",
    "    n * 42",
    "    /*\n    // */ n * if cfg!(test) { 42 } else { 41 }",
    ["cfg!(test)"],
  ],
])("%s: it is said", (_, from, to, said) => {
  expect(property).toContain(from);
  expect(testsOtherNow("src/lib.rs", property.replace(from, to), property)).toEqual(said);
});

it.each<[string, string, string]>([
  [
    "a test came in a call of a macro",
    "    #[test]\n    fn many",
    "    #[test]\n    fn none(n in 0..1u32) {\n    }\n\n    #[test]\n    fn many",
  ],
  [
    "a macro writes another test for others",
    "        #[test]\n        fn cost() {}",
    "        #[test]\n        fn cost() { free(); }",
  ],
  ["a macro documents otherwise what it writes", "cost(1), 42", "cost(1), 41"],
  ["a comment names a condition", "    n * 42", "    // As cfg!(test) and #[cfg(not(test))] do.\n    n * 42"],
])("%s: nothing is said", (_, from, to) => {
  expect(property).toContain(from);
  expect(testsOtherNow("src/lib.rs", property.replace(from, to), property)).toEqual([]);
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
  ["one came with a name for its value", "    >>> price(1)\n", "    >>> two = price(n=2)\n    >>> price(1)\n", []],
  [
    "one came that says what is tested",
    "    >>> price(1)\n",
    "    >>> price = lambda n: 42\n    >>> price(1)\n",
    [">>> price = lambda n: 42"],
  ],
  [
    "one came that takes it from elsewhere",
    "    >>> price(1)\n",
    "    >>> from fixed import cost as price\n    >>> price(1)\n",
    [">>> from fixed import cost as price"],
  ],
  [
    "one came that defines it",
    "    >>> price(1)\n",
    "    >>> def price(n): return 42\n    >>> price(1)\n",
    [">>> def price(n): return 42"],
  ],
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
