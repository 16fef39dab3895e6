import { describe, expect, it } from "vitest";
import { whatCameBack } from "../../../src/core/task-loop/came-back.ts";
import { refusalOf } from "../../../src/core/task-loop/files-allowed.ts";
import { passedFlags } from "../../../src/core/task-loop/flags.ts";

describe("what a run is to work although its list does not say so", () => {
  const now = { goal: { instructions: [] }, feedback: null, isOpen: false, isChanged: false };

  it.each([
    ["nothing", {}, null],
    ["what came back, whatever else", { feedback: "AC-1: exit 1", isOpen: true, isChanged: true }, "What came back"],
    ["what came back, of a goal as it was", { feedback: "AC-1: exit 1" }, "What came back"],
    ["what was changed after every task had passed", { isChanged: true }, "What was changed"],
    ["nothing: open tasks are told", { isOpen: true, isChanged: true }, null],
  ])("%s", (_what, more, title) => {
    expect(whatCameBack({ ...now, ...more })?.title ?? null).toBe(title);
  });

  it("says what was added, and by whom", () => {
    const instructions = [{ by: "ana", text: "Round up", at: "2026-01-26T09:00:00Z" }];

    expect(whatCameBack({ ...now, goal: { instructions }, isChanged: true })).toEqual({
      title: "What was changed",
      criteria: ["The work does what the goal, the document it refers to and its instructions ask now"],
      found: "The goal was changed, or added to, after its tasks had passed.\nInstruction by ana: Round up",
    });
  });
});

describe("a task's changed files that are not allowed [S3-PS-06]", () => {
  const changes = ["src/a.ts", "docs/b.md"].map((path) => ({ path, oldPath: null }));

  it.each([
    ["none", [], [], null],
    ["none, by both lists", ["**"], ["src/**", "docs/**"], null],
    ["by its own list", ["src/**"], [], "docs/b.md. The task allows: src/**."],
    ["by its goal's list", ["**"], ["docs/**"], "src/a.ts. Its goal allows: docs/**."],
    ["by both", ["src/**"], ["lib/**"], "docs/b.md, src/a.ts. The task allows: src/**. Its goal allows: lib/**."],
  ])("%s", (_what, task, goal, words) => {
    expect(refusalOf(changes, { task, goal })).toBe(words && `It changed files that it may not: ${words}`);
  });
});

it("a passed check says whether more tasks are left [S3-PS-02, S3-PS-03]", () => {
  expect(passedFlags(1)).toEqual({ taskPassed: true, taskFailed: false, hasMoreTasks: true, allTasksComplete: false });
  expect(passedFlags(0)).toEqual({ taskPassed: true, taskFailed: false, hasMoreTasks: false, allTasksComplete: true });
});
