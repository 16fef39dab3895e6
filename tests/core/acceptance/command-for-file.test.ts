import { expect, it } from "vitest";
import { commandForFileWords } from "../../../src/core/acceptance/command-for-file.ts";

it.each([
  ["npm test", true],
  ["node --test test/", true],
  ["make", true],
  ["specs/rounding.md", false],
  ["my criteria.md", false],
  ["specs/rounding", false],
  ["criteria.md", false],
])("%j reads as a command: %s", (typed, isCommand) => {
  expect(commandForFileWords(typed) !== null).toBe(isCommand);
});

it("says how a command is given, as it is typed", () => {
  expect(commandForFileWords("npm test")).toContain(
    "--done-when 'npm test', or in a list or an outline done-when: npm test",
  );
});
