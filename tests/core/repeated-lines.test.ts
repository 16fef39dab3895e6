import { expect, it } from "vitest";
import { plainText } from "../../src/core/cards/card.ts";
import { withoutRepeats } from "../../src/core/cards/repeated-lines.ts";

/** What happened to a goal, without what only happened again. */
function shown(words: readonly string[]): string[] {
  const lines = words.map((each, index) => ({ at: new Date(index * 1000), words: each, shown: [each] }));
  return withoutRepeats(lines).map((line) => plainText(line, "UTC"));
}

const rounds = (many: number): string[] =>
  Array.from({ length: many }, (_, round) => ["executed", `verified, round ${round + 1}`]).flat();
const attempt = (number: number): string[] => [...rounds(3), `failed; attempt ${number}`];

it.each<[string, string[], (string | RegExp)[]]>([
  ["nothing", [], []],
  ["lines that differ stay", ["added", "queued", "picked up"], ["added", "queued", "picked up"]],
  ["what happened twice stays", ["a", "b", "a", "b"], ["a", "b", "a", "b"]],
  [
    "one line again and again is counted",
    ["queued", "fails 1", "fails 2", "fails 3", "asked"],
    ["queued", "fails 1", /^… the same, except for numbers, 2 times more; last 1970-01-01 00:00:03$/, "asked"],
  ],
  [
    "attempts with their rounds are, and the rounds of the one that is shown",
    ["queued", ...attempt(1), ...attempt(2), ...attempt(3), ...attempt(4), "asked"],
    [
      "queued",
      "executed",
      "verified, round 1",
      /^… the same 2 lines, except for numbers, 2 times more; last /,
      "failed; attempt 1",
      /^… the same 7 lines, except for numbers, 3 times more; last /,
      "asked",
    ],
  ],
])("%s", (_what, words, expected) => {
  expect(shown(words)).toEqual(
    expected.map((each) => (typeof each === "string" ? each : (expect.stringMatching(each) as string))),
  );
});
