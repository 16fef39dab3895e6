import { describe, expect, it } from "vitest";
import { landingOrder, nextInQueue, type Queued } from "../../src/core/merging/queue.ts";

function queued(goalId: string, rest: Partial<Queued> = {}): Queued {
  return { goalId, state: "waits", goal: { status: "complete", phase: "finish" }, merge: null, rounds: 0, ...rest };
}

describe("what a merge queue does next whose branch is not merged into any more", () => {
  const working = { status: "in_progress", phase: "verify" } as const;
  const merging = { status: "merging", outcome: null } as const;
  const left = (goalId: string) => ({ type: "note", goalId, state: "left-out", reason: "another base" });
  it.each<[string, Queued[], object]>([
    ["leaves out what waits", [queued("a", { state: "merged" }), queued("b")], left("b")],
    ["leaves out what is verified", [queued("a", { state: "verifies", goal: working })], left("a")],
    ["leaves out what is worked again", [queued("a", { state: "returned", goal: working })], left("a")],
    ["waits for one that merges", [queued("a", { state: "merges", merge: merging }), queued("b")], { type: "rest" }],
    [
      "notes what was merged all the same",
      [queued("a", { merge: { status: "merged", outcome: null } })],
      { type: "note", goalId: "a", state: "merged", reason: "by itself" },
    ],
    ["ends when nothing is left", [queued("a", { state: "left-out" })], { type: "end" }],
  ])("%s", (_, queue, step) => {
    expect(nextInQueue(queue, "another base")).toEqual(step);
  });
});

describe("what a merge queue does next", () => {
  const working = { status: "in_progress", phase: "verify" } as const;
  const back = { status: "in_progress", phase: "implement" } as const;
  it.each<[string, Queued[], object]>([
    [
      "looks at the first that waits",
      [queued("a", { state: "merged" }), queued("b"), queued("c")],
      { type: "look", goalId: "b" },
    ],
    [
      "waits for one that merges",
      [queued("a", { state: "merges", merge: { status: "due", outcome: null } }), queued("b")],
      { type: "rest" },
    ],
    [
      "notes what was merged",
      [queued("a", { state: "merges", merge: { status: "merged", outcome: null } }), queued("b")],
      { type: "note", goalId: "a", state: "merged", reason: null },
    ],
    [
      "leaves out what was undone",
      [queued("a", { state: "merges", merge: { status: "undone", outcome: "undone by ana" } }), queued("b")],
      { type: "note", goalId: "a", state: "left-out", reason: "undone by ana" },
    ],
    [
      "waits for one that is verified",
      [queued("a", { state: "verifies", goal: working }), queued("b")],
      { type: "rest" },
    ],
    [
      "goes on past one that was sent back",
      [queued("a", { state: "verifies", goal: back }), queued("b")],
      { type: "note", goalId: "a", state: "returned", reason: null },
    ],
    [
      "and takes the next",
      [queued("a", { state: "returned", goal: back }), queued("b")],
      { type: "look", goalId: "b" },
    ],
    [
      "rests while only such are left",
      [queued("a", { state: "returned", goal: back }), queued("b", { state: "merged" })],
      { type: "rest" },
    ],
    [
      "takes one in again that is complete",
      [queued("a", { state: "returned" })],
      { type: "note", goalId: "a", state: "waits", reason: null },
    ],
    [
      "leaves out one that was given up",
      [queued("a", { state: "returned", goal: { status: "deferred", phase: "verify" } })],
      { type: "note", goalId: "a", state: "left-out", reason: "its goal is skipped" },
    ],
    [
      "ends when all have landed or are out",
      [queued("a", { state: "merged" }), queued("b", { state: "left-out" })],
      { type: "end" },
    ],
    [
      "believes a merge that somebody made beside it",
      [queued("a", { merge: { status: "merged", outcome: null } })],
      { type: "note", goalId: "a", state: "merged", reason: "by itself" },
    ],
  ])("%s", (_, queue, step) => {
    expect(nextInQueue(queue, null)).toEqual(step);
  });

  it("lands everything behind what it is on top of, else as given", () => {
    const goals = [
      { goalId: "c", after: ["b"] },
      { goalId: "a", after: ["gone"] },
      { goalId: "b", after: ["a"] },
      { goalId: "d", after: [] },
    ];
    expect(landingOrder(goals).map((goal) => goal.goalId)).toEqual(["a", "b", "c", "d"]);
  });
});
