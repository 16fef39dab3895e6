import { expect, it } from "vitest";
import { askedLine } from "../../src/core/cards/question-name.ts";

it.each<[string, string | null, string]>([
  ["Make it blue: cost is 2.00 USD", "Make it blue", "Make it blue: cost is 2.00 USD"],
  ["Validation failed: 2 concerns", "Make it blue\nand red", "Make it blue: Validation failed: 2 concerns"],
  ["The plan of the campaign", null, "The plan of the campaign"],
  ["x".repeat(200), "Make it blue", `Make it blue: ${"x".repeat(99)}…`],
])("%j, asked of %j, is listed with its goal, once", (context, content, line) => {
  expect(askedLine(context, content)).toBe(line);
});
