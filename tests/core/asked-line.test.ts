import { expect, it } from "vitest";
import { plainText } from "../../src/core/cards/card.ts";
import { askedLine, waitingItem } from "../../src/core/cards/question-name.ts";
import { goalOptions } from "../../src/core/checkpoints/options.ts";

it.each([
  ["About to make user-facing changes: Round prices up", "Round prices up: about to make user-facing changes"],
  [
    "This action is estimated to cost $7.50: Round prices up",
    "Round prices up: this action is estimated to cost $7.50",
  ],
  [
    "Daily spending has exceeded $15.00. Next action: Round prices up",
    "Round prices up: daily spending has exceeded $15.00",
  ],
  [
    "The finished work changed user-facing files: a.ts",
    "Round prices up: The finished work changed user-facing files: a.ts",
  ],
  ["Recovery failed. Goal: Round prices up. Error: x", "Recovery failed. Goal: Round prices up. Error: x"],
])("of %j the goal comes first", (context, line) => expect(askedLine(context, "Round prices up")).toBe(line));

it("a question that waits has its id once, in the command that answers it", () => {
  const createdAt = new Date("2026-01-26T09:00:00Z");
  const question = { checkpointId: "cp-1", kind: "start", options: goalOptions("start", []), createdAt } as const;

  const said = plainText(waitingItem(question, "Round prices up: it asks"), "UTC");

  expect(said).toMatch(/^Round prices up: it asks, since 2026-01-26 09:00.*: cos answer cp-1 Proceed$/);
  expect(said.match(/cp-1/g)).toHaveLength(1);
});
