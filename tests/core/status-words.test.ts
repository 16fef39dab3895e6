import { expect, it } from "vitest";
import { statusNamed, statusWords } from "../../src/core/cards/status-words.ts";
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
