import { describe, expect, it } from "vitest";
import { briefOf } from "../../src/core/cards/brief.ts";
import type { CardBlock } from "../../src/core/cards/card.ts";
import { spanText } from "../../src/core/cards/drawn-lines.ts";
import { sessionCard, type SessionCardGoal } from "../../src/core/cards/session-card.ts";

const standings = [
  "complete, verified",
  "complete, verified, guards only",
  "complete, claimed",
  "needs a person",
  "skipped",
];

function goal(number: number, now: string): SessionCardGoal {
  const content = `Write a currency table with tests for every currency, part ${number}`;
  return {
    goalId: `goal-${number}`,
    content,
    status: "complete",
    now,
    isAsked: false,
    waitsFor: [],
    hasJoined: false,
    retriesAt: null,
  };
}

function card(now: readonly string[], endReason: string | null) {
  return sessionCard({
    session: {
      sessionId: "session-1a2b3c4d",
      status: endReason === null ? "running" : "ended",
      stopping: false,
      inOrder: false,
      budgetMicroUsd: 15_000_000,
      pausedBy: null,
      endReason,
    },
    purpose: { type: "plain" },
    repositoryName: "sample",
    goals: now.map((each, index) => goal(index, each)),
    held: { waits: [], goesOn: [] },
    spentMicroUsd: 0,
    isEstimated: false,
  });
}

/** Goals that the blocks list, and goals that they only count. */
function told(blocks: readonly CardBlock[]): number {
  return blocks.reduce((sum, block) => {
    if (block.type === "list") return sum + block.items.length;
    const words = block.type === "text" ? block.text.map(spanText).join("") : "";
    return words.startsWith("and ")
      ? sum + (words.match(/\d+/g) ?? []).reduce((all, each) => all + Number(each), 0)
      : sum;
  }, 0);
}

describe.each(["chat", "page", "wide page"] as const)("a session's card in a %s", (place) => {
  it.each([
    null,
    "All goals have been worked.",
    "What is left needs a person: 2 goals are parked, 3 goals wait for another one.",
  ])("lists or counts every goal, and names those that it lists [F-407] [F-408]: %s", (endReason) => {
    for (let goals = 1; goals <= 12; goals++) {
      for (let first = 0; first < standings.length; first++) {
        const now = Array.from({ length: goals }, (_, index) => standings[(first + index) % standings.length] ?? "");
        const { blocks } = briefOf(card(now, endReason), place).card;
        expect(told(blocks), JSON.stringify(blocks)).toBe(goals);
        for (const block of blocks)
          for (const item of block.type === "list" ? block.items : [])
            expect(item.map(spanText).join("")).toMatch(/: Write/);
      }
    }
  });
});
