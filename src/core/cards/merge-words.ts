import { formatDuration } from "../text.ts";

/** A merge that something stands in the way of which may pass: it is tried again. */
export function triedAgainWords(reason: string, waitMs: number): string {
  return `Waits: ${reason}. Tried again in ${formatDuration(waitMs)}.`;
}

interface Located {
  readonly name: string;
  readonly location: string;
}

const notThere = ({ name, location }: Located): string => `${name} is not at ${location} on `;

/** No machine has begun it: the folder of its repository is not where it was, as far as this one sees. */
export function outOfReachWords(repository: Located, machine: string): string {
  return `Waits: ${notYetWithinWords(repository, machine)}`;
}

/** Whether a merge says that already, of whichever machine. */
export function saysOutOfReach(outcome: string | null, repository: Located): boolean {
  return outcome?.startsWith(`Waits: ${notThere(repository)}`) === true;
}

/** The answer to who asks for a merge while the folder is not there: it is begun as soon as a machine reaches it. */
export function notYetWithinWords(repository: Located, machine: string): string {
  return `${notThere(repository)}${machine}. Put it back, or say where it is: cos repo add PATH --name ${repository.name}`;
}

/** The same where a worker on another machine has it: that one merges, and nobody has to do anything. */
export function mergedElsewhereWords(repository: Located, machine: string, other: string): string {
  return `${notThere(repository)}${machine}. It is merged on ${other}, which has it`;
}

/** What a finished goal's merge waits for, with the command that goes on from there, without `cos`; null: it waits for nothing. */
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

/** It was tried for long enough. `next`: when it is asked for again. `wasAsked`: a repository elsewhere may have done it. */
export function notWithinWords(
  { goalId, forMs, wasAsked }: { readonly goalId: string; readonly forMs: number; readonly wasAsked: boolean },
  { reason, next }: { readonly reason: string; readonly next: string },
): string {
  const touched = wasAsked
    ? "What arrived there after all is found when it is asked for again."
    : "Nothing was touched.";
  return `Not done within ${formatDuration(forMs)}: ${reason}. ${touched} ${next}: cos goal merge ${goalId}`;
}

/** Another git has the branch in hand, or one that was killed in the middle had. `lock`: its file. */
export function lockedWords(lock: string): { readonly reason: string; readonly next: string } {
  return {
    reason: `another git holds ${lock}, or one that was killed has left it there`,
    next: "Where no git is at work in that repository, remove that file, then",
  };
}

/** A repository elsewhere does not answer. */
export function awayWords(reason: string): { readonly reason: string; readonly next: string } {
  return { reason, next: "When it answers again" };
}

/** Of a merge with commits that its work did not begin on: nobody has verified both (D14). */
export function movedWords(into: string): string {
  return `${into} had moved since the work began: the two together were not verified`;
}

/** Why nothing lands where it was asked to land: its repository has another base branch now. `next`: the command that asks again. */
export function otherBaseWords(
  into: string,
  { name, baseBranch }: { readonly name: string; readonly baseBranch: string },
  next: string,
): string {
  return `${into} is not the base branch of ${name} any more, ${baseBranch} is. Go on with: ${next}`;
}

/** That a branch was discarded. `ref`: what keeps its commit; null: nothing does. */
export function discardedWords(ref: string | null): string {
  return ref === null
    ? "Discarded; its branch was gone, and its commit is not on this machine."
    : `Discarded; kept as ${ref} for 30 days.`;
}
