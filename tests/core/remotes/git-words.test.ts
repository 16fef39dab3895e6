import { expect, it } from "vitest";
import { gitWords } from "../../../src/core/remotes/git-words.ts";

it.each([
  [
    "error: The following untracked working tree files would be overwritten by merge:\n\ta.txt\nPlease move or remove them before you merge.\nAborting\n",
    "The following untracked working tree files would be overwritten by merge: a.txt Please move or remove them before you merge",
  ],
  ["hint: a hint\nfatal: Not possible to fast-forward, aborting.\n", "Not possible to fast-forward, aborting"],
  [" \n", "git gave no reason"],
  [`fatal: ${"x".repeat(500)}`, `${"x".repeat(399)}…`],
])("says what git said on one line: %j", (stderr, words) => {
  expect(gitWords(stderr)).toBe(words);
});
