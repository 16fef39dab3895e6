import { expect, it } from "vitest";
import { commands } from "../../src/commands/index.ts";
import { meantBy } from "../../src/commands/similar.ts";
import { briefOf } from "../../src/core/cards/brief.ts";
import { plainCard, text } from "../../src/core/cards/card.ts";
import { goalsBrief, type SessionCardGoal } from "../../src/core/cards/session-card.ts";

const noWords = { kind: "session", tone: "working", title: "Session", summary: "Session" } as const;

const waiting = (number: number): SessionCardGoal => ({
  goalId: `goal-${number}`,
  content: `Goal ${number}`,
  status: "blocked",
  now: "waiting for an answer",
  isAsked: true,
  waitsFor: [],
  hasJoined: false,
  retriesAt: null,
});

it.each([
  [5, "and 1 waits for an answer"],
  [6, "and 2 wait for an answer"],
])("the message of a session with %d questions says %j", (number, words) => {
  const goals = Array.from({ length: number }, (_, at) => waiting(at));
  const card = plainCard({ ...noWords, blocks: [text("x ".repeat(1000))], brief: goalsBrief(goals, "$0.00", 1) });
  expect(JSON.stringify(briefOf(card, "chat").card.blocks)).toContain(words);
});

it("a sentence is no mistyped command, and a slip of a letter is one", () => {
  expect(meantBy(commands, ["what", "is", "going", "on?"]).type).not.toBe("line");
  expect(meantBy(commands, ["wyh", "goal-1"])).toEqual({ type: "line", line: "cos why goal-1" });
  expect(meantBy(commands, ["wh", "goal-1"])).toEqual({ type: "line", line: "cos why goal-1" });
  expect(meantBy(commands, ["chekpoint"])).toEqual({ type: "line", line: "cos checkpoints" });
});
