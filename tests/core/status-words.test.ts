import { expect, it } from "vitest";
import { stateWords } from "../../src/core/cards/goal-card.ts";
import { awaitingItems, statusNamed, statusWords } from "../../src/core/cards/status-words.ts";
import { type ShownWorklog, worklogLine, worklogsCard } from "../../src/core/cards/worklog-lists.ts";
import { type Goal, goalStatuses } from "../../src/core/goals/goal.ts";

it.each(goalStatuses)("%s is found by its name and by its words", (status) => {
  expect(statusNamed(status)).toBe(status);
  expect(statusNamed(statusWords(status).toUpperCase())).toBe(status);
});

it.each([
  ["starting", "in_progress"],
  ["pushing", "in_progress"],
  ["looking for another way", "in_progress"],
  ["verifying", "in_progress"],
  ["retrying", "in_progress"],
  ["interrupted", "in_progress"],
  ["next", "in_progress"],
  ["waiting for its turn", "in_progress"],
  ["waiting", "blocked"],
  ["parked", "blocked"],
  ["done", "complete"],
  ["constructor", null],
])("%s, as lists call it", (word, status) => {
  expect(statusNamed(word)).toBe(status);
});

it("a goal that was begun and has no turn waits for it; one that lost its worker is interrupted", () => {
  const goal = { status: "in_progress", phase: "implement", leasedBy: null } as const;
  const words = (more: object, state: "idle" | "ready") =>
    stateWords({ goal: { ...goal, ...more } as unknown as Goal, state });

  expect(words({}, "idle")).toBe("waiting for its turn");
  expect(words({}, "ready")).toBe("next");
  expect(words({ leasedBy: "one/1/1" }, "ready")).toBe("interrupted");
});

it.each([
  ["start", "starting"],
  ["implement", "working"],
  ["recover", "looking for another way"],
  ["verify", "verifying"],
  ["finish", "pushing"],
])("a goal at work is called what it does: %s", (phase, words) => {
  const goal = { status: "in_progress", phase, leasedBy: "one/1/1" } as unknown as Goal;

  expect(stateWords({ goal, state: "running" })).toBe(words);
});

it("of many goals that wait for their provider, or to be pushed, the first are named, and how many there are", () => {
  const goals = Array.from({ length: 7 }, (_, at) => {
    const phase = at === 1 ? ("finish" as const) : ("implement" as const);
    return { goalId: `goal-${at}`, content: "Work", phase, wakeAt: new Date(at) };
  });

  const items = awaitingItems(goals);
  expect(items).toHaveLength(6);
  expect(items.slice(0, 2).map(([what]) => what)).toEqual([
    { strong: "waits for its provider " },
    { strong: "waits to be pushed " },
  ]);
  expect(items[0]).toContainEqual({ at: "1970-01-01T00:00:00.000Z" });
  expect(items[5]).toEqual(["and 2 more that wait so"]);
  expect(awaitingItems([])).toEqual([]);
});

it("a worklog that is not over says so, whatever its goal does", () => {
  const worklog = {
    sessionId: "20260126-work",
    goalId: "goal-1",
    taskDescription: "Work",
    tier: "STANDARD",
    outcome: "in_progress",
    startedAt: new Date(0),
    summary: null,
    gap: null,
  } as unknown as ShownWorklog;

  expect(JSON.stringify([worklogsCard([worklog]).blocks, worklogLine(worklog)])).not.toContain("in progress");
  expect(worklogLine(worklog)[1]).toBe(" worklog 20260126-work (STANDARD, not finished): ");
});
