import { expect, it } from "vitest";
import { cutWords } from "../../../src/core/text/width.ts";

it.each([
  ["19:26, $0.00: no tokens", "19:26,…"],
  ["it costs $15.00 a day", "it costs…"],
  ["part 12345 of the work", "part…"],
  ["$1.50 of $5.00 spent", "$1.50 of…"],
])("cuts %j before a number that does not fit, never within it", (text, expected) => {
  for (let width = 4; width < text.length; width++) {
    const cut = cutWords(text, width);
    const shown = cut.replace(/…$/, "").match(/[\d.,:$]*\d[\d.,:]*/g) ?? [];
    for (const number of shown) expect(text.match(/[\d.,:$]*\d[\d.,:]*/g), cut).toContain(number);
  }
  expect(cutWords(text, expected.length + 3)).toBe(expected);
});

it("a text that is one number is cut where it no longer fits", () => {
  expect(cutWords("12345678901234567890123456789", 10)).toBe("12345678…");
  expect(cutWords("12345", 4)).toBe("…");
});

it("words are cut as before, at a full stop too", () => {
  expect(cutWords("one two. three", 10)).toBe("one two.…");
  expect(cutWords("goal-1a2b3c4d and more", 10)).toBe("goal-1a2…");
});
