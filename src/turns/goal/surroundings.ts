import type { Mirror } from "../../agent/git/mirror.ts";
import { fileKinds, isProgram } from "../../core/files/kind.ts";
import type { TrialQuestion } from "../../core/trials/judge.ts";
import type { Changed } from "../../core/trials/plan.ts";
import { newSurroundings, type Surroundings } from "../../core/trials/surroundings.ts";
import type { Deps } from "../../deps.ts";

/** Which two commits are compared. */
interface Compared {
  readonly mirror: Mirror;
  readonly baseCommit: string;
  readonly commit: string;
  readonly changed: readonly Changed[];
}

/** What a changed program begins to say; unread: it is too long, or lies behind too many others, and nothing is known of it. */
interface Around extends Surroundings {
  readonly isUnread?: boolean;
}

/** At most so many changed files are read, and none that is longer; what is not read is asked about. */
const mostRead = 300;
const longestRead = 500_000;

/** What changed programs say of their surroundings that they did not say before, by path; the others are not in it. */
export async function surroundingsOf(
  deps: Pick<Deps, "git" | "policy">,
  { mirror, baseCommit, commit, changed }: Compared,
): Promise<ReadonlyMap<string, Around>> {
  const kindOf = fileKinds(deps.policy);
  const found = new Map<string, Around>();
  const read = changed.filter(
    ({ path, status }) => status !== "deleted" && isProgram(path) && ["source", "unsure"].includes(kindOf(path).role),
  );
  if (read.length === 0) return found;
  const files = await deps.git.filesAt(mirror, commit);
  const tests = files.filter((path) => isProgram(path) && ["test", "proof"].includes(kindOf(path).role));
  for (const { path } of read.slice(mostRead)) found.set(path, unread);
  for (const { path, oldPath, status } of read.slice(0, mostRead)) {
    // By one more it is seen that there is more.
    const text = await deps.git.textAt(mirror, commit, path, longestRead + 1);
    if (text === null) continue;
    if (Buffer.byteLength(text) > longestRead) {
      found.set(path, unread);
      continue;
    }
    const old = status === "added" ? null : await deps.git.textAt(mirror, baseCommit, oldPath ?? path, longestRead);
    const around = newSurroundings(path, text, old, tests);
    const named = around.runners.length + around.changes.length + around.looks.length;
    if (named > 0 || around.isTimed || around.isPlaced) found.set(path, around);
  }
  return found;
}

/**
 * What of it a person is asked about: source that names a runner or a test where no source did before, or changes what all
 * code shares (PROOF.md), and source that nobody has read.
 */
export async function runnerQuestions(
  deps: Pick<Deps, "git" | "policy">,
  compared: Compared,
  around: ReadonlyMap<string, Around>,
): Promise<readonly TrialQuestion[]> {
  const kindOf = fileKinds(deps.policy);
  const paths = [...around].flatMap(([path, { isUnread }]) => (isUnread === true ? [path] : []));
  const questions: TrialQuestion[] = paths.length === 0 ? [] : [{ type: "unread", paths }];
  for (const [path, { runners, changes }] of around) {
    const names: string[] = [];
    for (const name of runners) {
      const naming = await deps.git.filesNaming(compared.mirror, compared.baseCommit, name);
      if (!naming.some((each) => kindOf(each).role === "source")) names.push(name);
    }
    if (names.length > 0) questions.push({ type: "names-runner", path, names });
    if (changes.length > 0) questions.push({ type: "changes-shared", path, names: changes });
  }
  return questions;
}

const unread: Around = { runners: [], changes: [], looks: [], isTimed: false, isPlaced: false, isUnread: true };

/** The same as words of each file, for its card. */
export function saidOf(around: ReadonlyMap<string, Around>): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...around].map(([path, { runners, changes, looks, isUnread }]) => [
      path,
      isUnread === true ? ["not looked at"] : [...new Set([...runners, ...changes, ...looks])],
    ]),
  );
}
