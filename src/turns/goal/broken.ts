import { fileKinds } from "../../core/files/kind.ts";
import { brokenFile, type Edit, testMisses } from "../../core/trials/near-miss.ts";
import type { Deps } from "../../deps.ts";
import type { Work } from "./on-trial.ts";

/** What is tried where no value of a test, or of the changed source, can be changed. */

/** At most so many files are broken at once. */
const mostBroken = 300;
/** Of sources that hold tests at most so many are read. */
const mostRead = 5;
const longestRead = 99_000;

export interface Broken {
  readonly what: string;
  readonly edits: readonly Edit[];
}

/**
 * Of tests that lie in source (Rust) what they compare with, in changed files first; at last the changed files broken, which no test
 * fails by: nothing is compiled then. `titles`: as `testMisses` has them.
 */
export async function leftMisses(
  { git }: Pick<Deps, "git">,
  { verifying: { mirror }, commit, proof }: Pick<Work, "verifying" | "commit" | "proof">,
  titles: readonly string[],
): Promise<readonly Broken[]> {
  const holding = (await git.filesNaming(mirror, commit, "#[test]")).filter((path) => path.endsWith(".rs"));
  const isOfWork = (path: string): number => (proof.source.includes(path) ? 0 : 1);
  const found: Broken[] = [];
  for (const path of holding.toSorted((one, other) => isOfWork(one) - isOfWork(other)).slice(0, mostRead)) {
    const misses = testMisses(path, (await git.textAt(mirror, commit, path, longestRead)) ?? "", titles);
    found.push(...misses.filter((each) => each.isAsserted).map((each) => ({ what: each.what, edits: [each] })));
  }
  return [...found, ...brokenChanges({ proof })];
}

function* brokenChanges({ proof }: Pick<Work, "proof">): Generator<Broken> {
  const changed = proof.source.slice(0, mostBroken).map((path) => brokenFile(path));
  if (changed.length > 0) yield { what: wordsOf(changed, "the changed files were broken"), edits: changed };
}

/** The changed files broken, then all source of `files`. */
export function* broken(
  { policy }: Pick<Deps, "policy">,
  { proof }: Pick<Work, "proof">,
  files: readonly string[],
): Generator<Broken> {
  yield* brokenChanges({ proof });
  const kindOf = fileKinds(policy);
  const source = files.filter((path) => kindOf(path).role === "source").slice(0, mostBroken);
  if (source.length > 0) yield { what: "all source was broken", edits: source.map((path) => brokenFile(path)) };
}

/** What was done, of one edit in its own words. */
export function wordsOf(edits: readonly Edit[], many: string): string {
  const [only] = edits;
  return edits.length === 1 && only !== undefined ? only.what : many;
}
