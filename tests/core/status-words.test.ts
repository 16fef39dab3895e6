import { expect, it } from "vitest";
import { providerItems, statusNamed, statusWords } from "../../src/core/cards/status-words.ts";
import { goalStatuses } from "../../src/core/goals/goal.ts";

it.each(goalStatuses)("%s is found by its name and by its words", (status) => {
  expect(statusNamed(status)).toBe(status);
  expect(statusNamed(statusWords(status).toUpperCase())).toBe(status);
});

it.each([
  ["starting", "in_progress"],
  ["verifying", "in_progress"],
  ["retrying", "in_progress"],
  ["interrupted", "in_progress"],
  ["next", "in_progress"],
  ["waiting", "blocked"],
  ["parked", "blocked"],
  ["done", "complete"],
  ["constructor", null],
])("%s, as lists call it", (word, status) => {
  expect(statusNamed(word)).toBe(status);
});

it("of many goals that wait for their provider the first are named, and how many there are", () => {
  const goals = Array.from({ length: 7 }, (_, at) => ({ goalId: `goal-${at}`, content: "Work", wakeAt: new Date(at) }));

  const items = providerItems(goals);
  expect(items).toHaveLength(6);
  expect(items[0]).toContainEqual({ at: "1970-01-01T00:00:00.000Z" });
  expect(items[5]).toEqual(["and 2 more that wait for it"]);
  expect(providerItems([])).toEqual([]);
});
