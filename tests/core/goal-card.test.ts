import { describe, expect, it } from "vitest";
import { goalCard, listedWords, nowWords } from "../../src/core/cards/goal-card.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { everyCard, goalFacts, goalOf } from "../chat/every-card.ts";

describe("a goal's card", () => {
  it("says what it may change where somebody has said it", () => {
    const allowed = { filesAllowed: ["src/**", "a.md"], proofAllowed: ["tests/**"] };
    const linesOf = (more: object) =>
      terminalLines(goalCard(goalFacts({ ...goalOf("Round prices"), ...more }, "Round prices", 1)), "UTC").join("\n");

    expect(linesOf(allowed)).toMatch(/May change:? +src\/\*\*, a\.md[\s\S]*May change of the proof:? +tests\/\*\*/);
    expect(linesOf({})).not.toContain("May change");
  });

  it("says where callers cannot be told apart [D45]", () => {
    const facts = { ...goalFacts(goalOf("Round prices"), "Round prices", 1), notFollowed: "no-processes" } as const;

    expect(terminalLines(goalCard(facts), "UTC").join(" ")).toContain(
      "not isolated: on this machine callers cannot be told apart: cos doctor",
    );
  });
});

describe("a goal that is complete on its agent's word", () => {
  const complete = { ...goalOf("Round prices"), status: "complete", criteria: null } as const;

  it("is called so wherever goals stand in a list: in that of goals, of a session and in what a status says", () => {
    expect([listedWords({ goal: complete, state: "ended" }), nowWords(complete, "ended")]).toEqual([
      "complete, claimed",
      "complete, claimed",
    ]);
  });
});

describe("an escalation's card", () => {
  it("names the command that prints it as Markdown", () => {
    const lines = Object.values(everyCard("Round prices", 1)).flatMap((card) => terminalLines(card, "UTC"));

    expect(lines.join("\n")).toMatch(/As Markdown: cos escalation cp-\w+ --markdown/);
  });
});
