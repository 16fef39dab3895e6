import { expect, it } from "vitest";
import { aboutProof } from "../../src/turns/goal/round-questions.ts";
import type { VerifiedRound } from "../../src/turns/goal/round.ts";

const round = { proofDiff: "", commit: "c0" } as VerifiedRound;

it.each([
  [["tests/a.test.ts"], "--allow-proof tests/a.test.ts"],
  [["tests/$id.test.ts"], "--allow-proof 'tests/$id.test.ts'"],
  [["tests/`date`.test.ts", "it's.test.ts"], "--allow-proof 'tests/`date`.test.ts' --allow-proof 'it'\\''s.test.ts'"],
  [["app/[id].test.ts"], "--allow-proof 'app/\\[id].test.ts'"],
  // A name with a line end cannot be typed.
  [["a\nb.test.ts"], "--allow-proof GLOB"],
])("the command that a question about proof proposes can be pasted into a shell: %j", (files, options) => {
  const { details } = aboutProof(round, { type: "ask-about-proof", files, criteria: ["AC-1"] });

  expect(details.at(-1)).toBe(`Where that is wanted, a goal says so when it is added, and nobody is asked: ${options}`);
});
