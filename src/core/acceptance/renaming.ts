import { withoutEnding } from "../files/path.ts";
import { titlePair } from "../trials/retitled.ts";
import { wholeOf } from "../trials/loading-files.ts";
import { type Token, tokensOf } from "../trials/tokens.ts";
import type { MovedFile } from "./following.ts";

/** A test file before and after the work. */
export interface ChangedTest {
  readonly oldPath: string;
  readonly path: string;
  readonly before: string;
  readonly now: string;
}

/**
 * The renamed names, old to new, when a test differs by nothing else. Each name must be replaced everywhere. Titles of tests and paths of
 * moved files may differ too. Null when anything else differs, or no name does.
 */
export function renamedOnly(test: ChangedTest, moved: readonly MovedFile[]): ReadonlyMap<string, string> | null {
  const old = tokensOf(test.before, test.oldPath);
  const fresh = tokensOf(test.now, test.path);
  if (old.length !== fresh.length) return null;
  const names = new Map<string, string>();
  const kept = new Set<string>();
  for (const [index, token] of old.entries()) {
    const other = fresh[index];
    if (other === undefined || other.type !== token.type) return null;
    if (token.text === other.text) {
      if (token.type === "word") kept.add(token.text);
    } else if (token.type === "word") {
      if ((names.get(token.text) ?? other.text) !== other.text) return null;
      names.set(token.text, other.text);
    } else if (titlePair(old, fresh, index) === null && !isPlace(token, other, test, moved)) return null;
  }
  const given = [...names.values()];
  const isEach = [...names.keys()].every((name) => !kept.has(name));
  // Two different names became one, or a new name was already in use.
  const isOther = new Set(given).size === given.length && given.every((name) => !kept.has(name) && !names.has(name));
  return names.size > 0 && isEach && isOther ? names : null;
}

function isPlace(before: Token, now: Token, { oldPath, path }: ChangedTest, moved: readonly MovedFile[]): boolean {
  if (before.type !== "string" || (!before.text.startsWith('".') && !before.text.startsWith("'."))) return false;
  const [was, is] = [wholeOf(before.text.slice(1, -1), oldPath), wholeOf(now.text.slice(1, -1), path)].map(
    withoutEnding,
  );
  return moved.some(({ from, to }) => withoutEnding(from) === was && withoutEnding(to) === is);
}

/** True for a pair of names when the goal says that it renames and contains both names. */
export function asksToRename(goal: string): (from: string, to: string) => boolean {
  const isAsked = /\brenam(?:e|es|ed|ing)\b/i.test(goal);
  const words = new Set(goal.split(/[^\p{L}\p{N}_$]+/u));
  return (from, to) => isAsked && words.has(from) && words.has(to);
}
