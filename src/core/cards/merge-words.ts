import { formatDuration } from "../text.ts";

/** Said of a merge that something prevents for now: it is tried again. */
export function triedAgainWords(reason: string, waitMs: number): string {
  return `Waits: ${reason}. Tried again in ${formatDuration(waitMs)}.`;
}

interface Located {
  readonly name: string;
  readonly location: string;
}

const notThere = ({ name, location }: Located): string => `${name} is not at ${location} on `;

/** The outcome of a merge that no machine has begun, because this machine does not find the repository's folder. */
export function outOfReachWords(repository: Located, machine: string): string {
  return `Waits: ${notYetWithinWords(repository, machine)}`;
}

/** True when the outcome already says that the folder is missing, on whichever machine. */
export function saysOutOfReach(outcome: string | null, repository: Located): boolean {
  return outcome?.startsWith(`Waits: ${notThere(repository)}`) === true;
}

/** The answer to a person who asks for a merge while the folder is missing. The merge begins as soon as a machine finds the folder. */
export function notYetWithinWords(repository: Located, machine: string): string {
  return `${notThere(repository)}${machine}. Put it back, or say where it is: cos repo add PATH --name ${repository.name}`;
}

/** Like `notYetWithinWords`, when a worker on another machine has the folder: that worker merges, and nobody has to do anything. */
export function mergedElsewhereWords(repository: Located, machine: string, other: string): string {
  return `${notThere(repository)}${machine}. It is merged on ${other}, which has it`;
}

/** What a finished goal's merge waits for, and the next command without `cos`. Null when no merge is under way. */
export function mergeHop(
  goalId: string,
  merge: { readonly status: string; readonly into: string; readonly outcome: string | null } | null,
): { readonly words: string; readonly next: string | null } | null {
  if (merge === null || (merge.status !== "due" && merge.status !== "merging")) return null;
  const said = merge.outcome?.replace(/\.$/, "").replace(/^Waits: /, "");
  if (said !== undefined) return { words: `waits to be merged into ${merge.into}: ${said}`, next: null };
  return merge.status === "due"
    ? { words: `waits to be merged into ${merge.into}`, next: `goal undo ${goalId}` }
    : { words: `is being merged into ${merge.into}`, next: null };
}

/** The outcome of a merge that was tried for too long. `next`: when to ask again. `wasAsked`: a remote repository may have done it. */
export function notWithinWords(
  { goalId, forMs, wasAsked }: { readonly goalId: string; readonly forMs: number; readonly wasAsked: boolean },
  { reason, next }: { readonly reason: string; readonly next: string },
): string {
  const touched = wasAsked
    ? "If it arrived there after all, the next request to merge finds it."
    : "Nothing was touched.";
  return `Not done within ${formatDuration(forMs)}: ${reason}. ${touched} ${next}: cos goal merge ${goalId}`;
}

/** Another git process holds the lock of the branch, or left it behind when it was killed. `lock`: its file. */
export function lockedWords(lock: string): { readonly reason: string; readonly next: string } {
  return {
    reason: `another git holds ${lock}, or one that was killed has left it there`,
    next: "Where no git is at work in that repository, remove that file, then",
  };
}

/** A remote repository does not answer. */
export function awayWords(reason: string): { readonly reason: string; readonly next: string } {
  return { reason, next: "When it answers again" };
}

/** Said of a merge with commits that came after the work began: nobody has verified the two together (D14). */
export function movedWords(into: string): string {
  return `${into} had moved since the work began: the two together were not verified`;
}

/** Why nothing is merged into that branch: its repository has another base branch now. `next`: the command that asks again. */
export function otherBaseWords(
  into: string,
  { name, baseBranch }: { readonly name: string; readonly baseBranch: string },
  next: string,
): string {
  return `${into} is not the base branch of ${name} any more, ${baseBranch} is. Go on with: ${next}`;
}

/** Says that a branch was discarded. `ref`: the ref that keeps its commit; null when no ref does. */
export function discardedWords(ref: string | null): string {
  return ref === null
    ? "Discarded; its branch was gone, and its commit is not on this machine."
    : `Discarded; kept as ${ref} for 30 days.`;
}
