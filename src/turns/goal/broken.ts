import { fileKinds } from "../../core/files/kind.ts";
import { brokenFile, type Edit, testMisses } from "../../core/trials/near-miss.ts";
import type { Deps } from "../../deps.ts";
import type { Work } from "./on-trial.ts";

/** Trials that break whole files, for works in which no value of a test or of the source can be changed. */

/** Maximum number of files that are broken at once. */
const mostBroken = 300;
/** Maximum number of source files with tests that are read. */
const mostRead = 5;
const longestRead = 99_000;

export interface Broken {
  readonly what: string;
  readonly edits: readonly Edit[];
}

/**
 * Further trials: changed expected values of tests inside source files (Rust), in changed files first, and finally the changed files broken.
 * If no test fails then, the changed files are not compiled. `titles`: as for `testMisses`.
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

/** Trials that break the changed files, then all source among `files`. */
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

/** The words for some edits: those of a single edit, or `many`. */
export function wordsOf(edits: readonly Edit[], many: string): string {
  const [only] = edits;
  return edits.length === 1 && only !== undefined ? only.what : many;
}
