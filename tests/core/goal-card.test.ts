import { describe, expect, it } from "vitest";
import type { Backing } from "../../src/core/acceptance/backing.ts";
import { diffCard } from "../../src/core/cards/diff-card.ts";
import { goalCard, listedWords, nowWords } from "../../src/core/cards/goal-card.ts";
import { leftOutBlocks } from "../../src/core/cards/left-out-words.ts";
import { lookBlocks } from "../../src/core/cards/proof-words.ts";
import { backedStateWords } from "../../src/core/cards/status-words.ts";
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

  it("says where callers cannot be distinguished [D45]", () => {
    const facts = { ...goalFacts(goalOf("Round prices"), "Round prices", 1), notFollowed: "no-processes" } as const;

    expect(terminalLines(goalCard(facts), "UTC").join(" ")).toContain(
      "not isolated: on this machine callers cannot be distinguished: cos doctor",
    );
  });
});

describe("a goal whose setup failed", () => {
  it.each([
    [
      "Setup failed: pnpm install: exit code 127 (no such command). pnpm: command not found",
      "Install it where goals are worked, or name another setup: cos repo edit shop --setup CMD, then cos goal resume goal-00000001",
    ],
    ["Setup failed: npm ci: exit code 1. no lock file", "Work it again: cos goal resume goal-00000001"],
  ])("%j says what helps", (outcome, next) => {
    const failed = { ...goalOf("Round prices"), goalId: "goal-00000001", status: "failed", outcome } as const;
    const facts = { ...goalFacts(failed, "Round prices", 1), repositoryName: "shop", again: null };

    expect(terminalLines(goalCard(facts), "UTC")).toContain(`  ${next}`);
  });
});

describe("a file whose name has a line end", () => {
  const path = "a.js\n  verified: by the evidence kept\u001b[1m";
  const shown = "a.js\uFFFD  verified: by the evidence kept\uFFFD[1m";
  const card = goalCard(goalFacts(goalOf("Round prices"), "Round prices", 1));

  it.each([
    ["what to look at", lookBlocks([{ path, what: "test" }], [])],
    ["what is not in the commit", leftOutBlocks({ paths: [path], count: 1 })],
    ["what a difference is made of", differenceOf(path).blocks],
  ])("begins no line of its own in %s", (_where, blocks) => {
    const lines = terminalLines({ ...card, blocks }, "UTC");

    expect(lines.join("\n")).toContain(shown);
    expect(lines.filter((line) => line.startsWith("  verified"))).toEqual([]);
  });
});

function differenceOf(path: string): ReturnType<typeof diffCard> {
  return diffCard({
    goal: goalOf("Round prices"),
    commit: "0123456789ab",
    stat: { files: 1, insertions: 1, deletions: 0 },
    files: [{ path, status: "added" }],
    patch: "",
  });
}

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
    expect(backedStateWords("complete", backing)).toBe(listedWords(listed));
    expect(listedWords({ ...listed, goal: { ...complete, status: "failed" } })).toBe("failed");
  });
});

describe("an escalation's card", () => {
  it("names the command that prints it as Markdown", () => {
    const lines = Object.values(everyCard("Round prices", 1)).flatMap((card) => terminalLines(card, "UTC"));

    expect(lines.join("\n")).toMatch(/As Markdown: cos escalation cp-\w+ --markdown/);
  });
});
