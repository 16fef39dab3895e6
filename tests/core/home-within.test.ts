import { expect, it } from "vitest";
import { type Card, plainCard } from "../../src/core/cards/card.ts";
import { homeWithin } from "../../src/core/cards/home-card.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";

const cardOf = (title: string): Card =>
  plainCard({ kind: "list", tone: "neutral", title, summary: `${title}: Round prices up`, blocks: [] });
const cards = ["head", ...Array.from({ length: 11 }, (_, index) => `card ${index}`), "what runs"].map(cardOf);

it("the home of a platform that shows few cards names each one that it left out, and the command that shows it", () => {
  const shown = homeWithin(cards, 10);
  const [leftOut, last] = shown.slice(-2);
  if (leftOut === undefined || last === undefined) throw new Error("nothing is shown");
  const said = terminalLines(leftOut, "UTC").join("\n");

  expect([shown.length, last.title]).toEqual([10, "what runs"]);
  for (const card of cards) expect(shown.includes(card) || said.includes(card.summary)).toBe(true);
  expect(said).toContain("cos checkpoints");
});

it("a home that has room is shown as it is", () => {
  expect(homeWithin(cards, cards.length)).toBe(cards);
});
