import { describe, expect, it } from "vitest";
import { mergeFirstWords, parkedWords } from "../../src/core/cards/ground-words.ts";
import {
  circleThrough,
  type Ground,
  groundState,
  type MergeNode,
  needsMergedFirst,
  standingOn,
  standsAlike,
  takeable,
  unmetOf,
} from "../../src/core/goals/ground.ts";
import { heldBy, heldInSession } from "../../src/core/goals/held.ts";
import { nextInSession } from "../../src/core/goals/next.ts";
import { resolveOrder } from "../../src/core/goals/order.ts";
import { sessionGoal as goal } from "../fakes/facts.ts";

const ground = (goalId: string, more: Partial<Ground> = {}): Ground => ({
  goalId,
  content: goalId,
  status: "complete",
  runId: `run-${goalId}`,
  commit: goalId,
  hasBranch: true,
  merge: null,
  ...more,
});

describe("what a goal is on top of", () => {
  it.each([
    ["complete", {}, "ready"],
    ["merged", { merge: "merged" }, "ready"],
    ["discarded", { merge: "discarded" }, "lost"],
    ["skipped", { status: "deferred" }, "lost"],
    ["failed", { status: "failed" }, "lost"],
    ["left to a person", { status: "manual_followup" }, "lost"],
    ["pending", { status: "pending" }, "to-come"],
    ["at work", { status: "in_progress" }, "to-come"],
    ["asked about or parked", { status: "blocked" }, "to-come"],
  ] as const)("%s [F-116]", (_what, more, state) => {
    expect(groundState(ground("a", more))).toBe(state);
  });

  it("is one run of it: another one is another ground, whatever it recorded [F-116]", () => {
    const grounds = new Map([["a", ground("a")]]);
    const stands = standingOn(["a"], grounds) ?? [];

    expect(stands).toEqual([{ goalId: "a", runId: "run-a", commit: "a" }]);
    expect(standsAlike(stands, stands)).toBe(true);
    expect(standsAlike(stands, [{ goalId: "a", runId: "run-2", commit: "a" }])).toBe(false);
    expect(standsAlike(stands, [])).toBe(false);
    expect(standingOn(["a", "b"], new Map([...grounds, ["b", ground("b", { status: "blocked" })]]))).toBeNull();
  });

  it.each([
    ["none", { a: [], b: ["a"], c: ["b"] }, "c", null],
    ["of one", { a: ["a"] }, "a", ["a", "a"]],
    ["of three", { a: ["c"], b: ["a"], c: ["b"] }, "a", ["a", "c", "b", "a"]],
    ["elsewhere", { a: ["b"], b: ["c"], c: ["b"] }, "a", null],
    ["over the second one", { a: ["b", "c"], b: [], c: ["a"] }, "a", ["a", "c", "a"]],
  ] as const)("a circle: %s [F-116]", (_what, edges, from, circle) => {
    expect(circleThrough(from, new Map(Object.entries(edges)))).toEqual(circle);
  });

  it.each([
    ["everything is there", ["a", "b"], [], ["a", "b"]],
    ["it is in the session already", ["b"], ["a"], ["b"]],
    ["it is elsewhere, and so is what builds on it", ["b", "c"], [], []],
  ] as const)("a session takes: %s [F-116]", (_what, ids, present, taken) => {
    const unmet = { a: [], b: ["a"], c: ["b"] };
    const goals = ids.map((goalId) => ({ goalId, unmet: unmet[goalId] }));

    expect(takeable(goals, new Set(present)).map((each) => each.goalId)).toEqual(taken);
  });

  it("says how it was lost and both ways on [F-116]", () => {
    expect(parkedWords({ goalId: "a", content: "One" }, "skipped", "b")).toBe(
      "a (One), which this is on top of, was skipped. Go on with: cos goal resume a; without it: cos goal edit b --after none",
    );
  });
});

describe("merging", () => {
  const node = (after: readonly string[], state: MergeNode["state"] = "open"): MergeNode => ({ after, state });

  it.each([
    ["nothing below", { d: node([]) }, []],
    ["the lowest first", { d: node(["c"]), c: node(["b"]), b: node(["a"]), a: node([]) }, ["a", "b", "c"]],
    ["a merged one has what is below it", { d: node(["c"]), c: node(["b"], "merged"), b: node([]) }, []],
    ["each once", { d: node(["b", "c"]), c: node(["a"]), b: node(["a"]), a: node([]) }, ["a", "b", "c"]],
    ["what is under way is named too", { d: node(["c"]), c: node([], "under-way") }, ["c"]],
  ] as const)("%s [F-116]", (_what, nodes, first) => {
    expect(needsMergedFirst("d", new Map(Object.entries(nodes)))).toEqual(first);
  });

  it("names the first command [F-116]", () => {
    expect(mergeFirstWords("c", ["a", "b"])).toEqual({
      reason: "c is on top of b, which is not merged (first a, b after that)",
      next: "cos goal merge a",
    });
  });
});

describe("a session with goals on top of others", () => {
  const asked = goal("a", { status: "blocked", question: "passes" });
  const b = goal("b", { unmet: ["a"] });
  const c = goal("c", { unmet: ["b"] });

  it("passes over what cannot begin, waits while an answer can bring it, and is done when none can [F-116]", () => {
    expect(nextInSession([b, goal("d")], false)).toEqual({ type: "run", goalId: "d" });
    expect(nextInSession([asked, b, c], false)).toEqual({ type: "waits", goalId: "a" });
    expect(nextInSession([goal("a", { status: "blocked" }), b, c], false)).toEqual({ type: "done" });
  });

  it("counts what builds on a goal, over others and outside of it too [F-116]", () => {
    const session = {
      isPaused: false,
      stopping: false,
      goals: [asked, b, goal("d")],
      others: [c, goal("e", { unmet: ["x"] })],
    };

    expect(heldBy("a", session)).toEqual({ waits: ["b", "c"], goesOn: ["d"] });
    expect(heldInSession(session)).toEqual({ waits: ["a", "b"], goesOn: ["d"] });
    expect(heldInSession({ ...session, goals: [goal("a"), b, c] })).toEqual({ waits: [], goesOn: ["a", "b", "c"] });
  });
});

describe("a list of goals", () => {
  it("names its own goals before those that are there [F-116]", () => {
    const orders = [
      { name: "one", after: [] },
      { name: null, after: ["one", "goal-1a2b3c4d"] },
    ];
    expect(resolveOrder(orders)).toEqual({
      type: "resolved",
      after: [
        [],
        [
          { type: "listed", index: 0 },
          { type: "known", goalId: "goal-1a2b3c4d" },
        ],
      ],
    });
  });

  it.each<[string, Parameters<typeof resolveOrder>[0], readonly string[]]>([
    [
      "two goals of one name",
      [
        { name: "one", after: [] },
        { name: null, after: [] },
        { name: "one", after: [] },
      ],
      ['goal 3: name: goal 1 is called "one" too'],
    ],
    [
      "a circle behind the first goal",
      [
        { name: null, after: [] },
        { name: "two", after: ["three"] },
        { name: "three", after: ["two"] },
      ],
      ["goal 2: after: that goes in a circle: two → three → two"],
    ],
  ])("is wrong with %s [F-116]", (_what, orders, problems) => {
    expect(resolveOrder(orders)).toEqual({ type: "wrong", problems });
  });

  it("waits for those that are not ready, and not for what is not known any more [F-116]", () => {
    const grounds = new Map([
      ["done", ground("done")],
      ["lost", ground("lost", { status: "failed" })],
      ["later", ground("later", { status: "pending" })],
    ]);

    expect(unmetOf(["gone", "later", "done", "lost"], grounds)).toEqual(["later", "lost"]);
  });
});
