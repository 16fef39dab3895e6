import { expect, it } from "vitest";
import type { Text } from "../../src/core/cards/card.ts";
import { cutText } from "../../src/core/cards/cut-block.ts";

/** What is left of spans in a line that has no room for all of them. */

const line: Text = ["The day waits. Go on: ", { command: "campaign resume camp-1a2b3c4d" }, " or wait."];

it.each<[number, Text]>([
  [80, line],
  [55, ["The day waits. Go on: ", { command: "campaign resume camp-1a2b3c4d" }]],
])("a command that fits is shown whole, in %d columns", (width, shown) => {
  expect(cutText(line, width)).toEqual(shown);
});

it.each([25, 30, 45])(
  "a command that does not fit is left out with the words that lead to it, in %d columns",
  (width) => {
    expect(cutText(line, width)).toEqual(["The day waits"]);
  },
);
