import { describe, expect, it } from "vitest";
import type { Backing } from "../../src/core/acceptance/backing.ts";
import { goalCard, listedWords, nowWords } from "../../src/core/cards/goal-card.ts";
import { backedWords } from "../../src/core/cards/status-words.ts";
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
    const listed = { goal: complete, state: "ended", backing: null } as const;

    expect([listedWords(listed), nowWords(listed)]).toEqual(["complete, claimed", "complete, claimed"]);
  });
});

describe("a goal that is complete by its criteria", () => {
  const criteria = [
    "#### AC-1: It is there",
    "```yaml",
    "method: bash",
    "command: test -f one.txt",
    "pass_condition: exit code 0",
    "```",
  ].join("\n");
  const complete = { ...goalOf("Round prices"), status: "complete", criteria } as const;

  it.each<[Backing, string]>([
    [{ tag: "verified" }, "complete, verified"],
    [{ tag: "verified", guardsOnly: true }, "complete, verified, guards only"],
    [
      { tag: "not checked", provesNothing: "all", accepted: { by: "ada", at: new Date(0) } },
      "complete, accepted by ada",
    ],
  ])("is called in lists as it is backed: %j", (backing, words) => {
    const listed = { goal: complete, state: "ended", backing } as const;

    expect(listedWords(listed)).toContain(words);
    expect(nowWords(listed)).toBe(listedWords(listed));
    expect(backedWords("complete", backing)).toBe(listedWords(listed));
    expect(listedWords({ ...listed, goal: { ...complete, status: "failed" } })).toBe("failed");
  });
});

describe("an escalation's card", () => {
  it("names the command that prints it as Markdown", () => {
    const lines = Object.values(everyCard("Round prices", 1)).flatMap((card) => terminalLines(card, "UTC"));

    expect(lines.join("\n")).toMatch(/As Markdown: cos escalation cp-\w+ --markdown/);
  });
});
