import { formatDuration } from "../text.ts";

/** A merge that something stands in the way of which may pass: it is tried again. */
export function triedAgainWords(reason: string, waitMs: number): string {
  return `Waits: ${reason}. Tried again in ${formatDuration(waitMs)}.`;
}

/** It was tried for long enough. `next`: what to do before it is asked for again. */
export function notWithinWords(
  { goalId, forMs }: { readonly goalId: string; readonly forMs: number },
  { reason, next }: { readonly reason: string; readonly next: string },
): string {
  return `Not done within ${formatDuration(forMs)}: ${reason}. Nothing was touched. ${next}, then: cos goal merge ${goalId}`;
}

/** Another git has the branch in hand, or one that was killed in the middle had. `lock`: its file. */
export function lockedWords(lock: string): { readonly reason: string; readonly next: string } {
  return {
    reason: `another git holds ${lock}, or one that was killed has left it there`,
    next: "Where no git is at work in that repository, remove that file",
  };
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
