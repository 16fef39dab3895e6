import { describe, expect, it } from "vitest";
import { answerHolds, questionsHold } from "../../src/core/cards/held-words.ts";
import { type HoldingSession, heldBy, heldInSession } from "../../src/core/goals/held.ts";
import { holdOf, type SessionGoal } from "../../src/core/goals/next.ts";
import { orderWith } from "../../src/core/goals/place.ts";
import { sessionGoal as goal } from "../fakes/facts.ts";

const asked = (goalId: string, question: SessionGoal["question"] = "passes") =>
  goal(goalId, { status: "blocked", question });
const session = (goals: readonly SessionGoal[], more: Partial<HoldingSession> = {}): HoldingSession => ({
  isPaused: false,
  stopping: false,
  goals,
  others: [],
  ...more,
});
const five = [
  goal("done", { status: "complete" }),
  asked("a"),
  goal("b"),
  asked("c"),
  goal("d"),
  goal("parked", { status: "blocked" }),
];
const inOrder = five.map((each) => (each.question === "passes" ? { ...each, question: "holds" as const } : each));

describe("what an answer holds", () => {
  it.each([
    ["a plain session", "start", "plain", false, "passes"],
    ["a plain session in order", "start", "plain", true, "holds"],
    ["the question of rung 3, in order", "clarify", "plain", true, "passes"],
    ["an escalation, in order", "escalation", "plain", true, "holds"],
    ["a campaign's day", "start", "campaign", false, "passes"],
    ["a night", "escalation", "night", false, "passes"],
    ["nothing is asked", undefined, "plain", true, "none"],
  ] as const)("%s [F-116]", (_what, kind, session, order, hold) => {
    expect(holdOf(kind, { kind: session, inOrder: order })).toBe(hold);
  });

  it.each([
    ["goes on", session(five), "a", [], ["b", "d"]],
    [
      "in order: what comes after it, and only what comes before it goes on",
      session(inOrder),
      "a",
      ["b", "c", "d"],
      [],
    ],
    ["in order: of the second one", session(inOrder), "c", ["d"], []],
    ["is paused", session(five, { isPaused: true }), "a", [], []],
    [
      "is stopping",
      session([asked("a"), goal("b", { isLeased: true, status: "in_progress" }), goal("c")], { stopping: true }),
      "a",
      [],
      ["b"],
    ],
    ["paused itself: everything that is not parked", session(five, { isPaused: true }), null, ["a", "b", "c", "d"], []],
  ] as const)("a session that %s [F-116]", (_what, holding, about, waits, goesOn) => {
    expect(heldBy(about, holding)).toEqual({ waits, goesOn });
  });

  it("and of the session as a whole", () => {
    expect(heldInSession(session(five))).toEqual({ waits: ["a", "c"], goesOn: ["b", "d"] });
    expect(heldInSession(session(inOrder))).toEqual({ waits: ["a", "b", "c", "d"], goesOn: [] });
  });

  it.each([
    [[], ["x"], false, "No other goal waits for this answer; 1 goes on."],
    [["a", "b"], ["x", "y"], false, "2 goals wait for this answer (in order); 2 go on."],
    [["a"], [], false, "1 goal waits for this answer (in order); nothing goes on meanwhile."],
    [[], [], true, "No other goal waits for this answer. Nothing goes on meanwhile: the session is paused."],
  ] as const)("in words: %j, %j, paused %j [F-116]", (waits, goesOn, isPaused, words) => {
    expect(
      answerHolds({ held: { waits, goesOn }, why: "order", session: isPaused ? "paused" : "running", builders: 0 }),
    ).toBe(words);
  });

  it("in words for the whole session [F-116]", () => {
    expect(questionsHold(1, 0, 2, false)).toBe("1 question is open: no other goal waits for it; 2 go on.");
    expect(questionsHold(2, 3, 0, false)).toBe(
      "2 questions are open: 3 goals wait for them; nothing goes on meanwhile.",
    );
  });
});

describe("where a goal joins", () => {
  const placed = (goalId: string, priority: "high" | "medium" | "low", more = {}) => ({
    goalId,
    priority,
    status: "pending" as const,
    phase: "start" as const,
    leasedBy: null,
    ...more,
  });
  const ended = { status: "complete" as const };
  const begun = { status: "in_progress" as const, phase: "implement" as const };

  it.each([
    ["nothing is there", [], "high", ["new"]],
    ["all are as urgent", [placed("a", "medium"), placed("b", "medium")], "medium", ["a", "b", "new"]],
    ["less urgent ones follow", [placed("a", "high"), placed("b", "low")], "medium", ["a", "new", "b"]],
    ["it is the most urgent", [placed("a", "medium"), placed("b", "low")], "high", ["new", "a", "b"]],
    ["something has begun", [placed("a", "low", begun), placed("b", "low")], "high", ["a", "new", "b"]],
    ["what ended stays where it was", [placed("a", "low"), placed("b", "low", ended)], "high", ["new", "a", "b"]],
    ["everything has ended", [placed("a", "low", ended), placed("b", "low", ended)], "high", ["a", "b", "new"]],
  ] as const)("%s [F-117]", (_what, goals, priority, order) => {
    expect(orderWith(goals, [placed("new", priority)])).toEqual(order);
  });
});
