import type { KeptKind, PruneVerdict } from "../housekeeping/prune.ts";
import { formatBytes } from "../space/free.ts";
import { count } from "../text.ts";
import type { Span } from "./card.ts";

/** Something that is kept on disk, as people read it. `size` is null for a ref, whose contents are shared with others. */
export interface KeptItem {
  readonly kind: KeptKind;
  readonly name: string;
  readonly size: Size | null;
}

/** `isWhole` is false when there is more than could be measured. */
interface Size {
  readonly bytes: number;
  readonly isWhole: boolean;
}

/** "worktree goal-1a2b3c4d, 120 MB: its goal is over" */
export function keptLine({ kind, name, size }: KeptItem, verdict: PruneVerdict): Span[] {
  return [`${kindWords[kind]} `, { strong: name }, size === null ? "" : `, ${sizeWords(size)}`, ...whyWords(verdict)];
}

/** "5 things go, 1.2 GB; 3 stay" */
export function pruneTitle(goes: readonly KeptItem[], staying: number, isDone: boolean): string {
  const stays = staying === 0 ? "" : `; ${staying} ${staying === 1 ? "stays" : "stay"}`;
  if (goes.length === 0) return isDone ? "There was nothing to remove" : `Nothing would go${stays}`;
  const bytes = goes.reduce((sum, { size }) => sum + (size?.bytes ?? 0), 0);
  const isWhole = goes.every(({ size }) => size?.isWhole !== false);
  const what = `${count(goes.length, "thing")}, ${sizeWords({ bytes, isWhole })}`;
  return isDone ? `Removed ${what}` : `${what} would go${stays}`;
}

/** "1.2 GB: worktrees 1.1 GB, kept output 80 MB; cos prune --dry-run says what would go", largest first. */
export function keptSizes(kept: readonly { readonly what: string; readonly size: Size }[]): string {
  const some = kept.filter(({ size }) => size.bytes > 0).toSorted((one, other) => other.size.bytes - one.size.bytes);
  if (some.length === 0) return "nothing yet";
  const whole = {
    bytes: some.reduce((sum, { size }) => sum + size.bytes, 0),
    isWhole: some.every(({ size }) => size.isWhole),
  };
  const each = some.map(({ what, size }) => `${what} ${sizeWords(size)}`).join(", ");
  return `${sizeWords(whole)}: ${each}; cos prune --dry-run says what would go`;
}

const kindWords: Readonly<Record<KeptKind, string>> = {
  worktree: "worktree",
  place: "place of verification",
  output: "output of",
  done: "output of",
  attempts: "attempt",
  replaced: "replaced branch",
  backup: "what a backup held,",
  mirror: "mirror of removed",
  copy: "copy of removed",
};

function sizeWords({ bytes, isWhole }: Size): string {
  return `${isWhole ? "" : "more than "}${formatBytes(bytes)}`;
}

function whyWords(verdict: PruneVerdict): Span[] {
  if (verdict.type === "goes") return [];
  switch (verdict.because) {
    case "goal unknown":
      return [": stays, this database knows no such goal"];
    case "repository known":
      return [": stays, its repository is known again"];
    case "perhaps in use":
      return [": stays, a backup may be reading it"];
    case "goal not over":
      return [": stays, its goal is not over"];
    case "not long enough":
      return [": stays until ", { at: verdict.until.toISOString() }];
  }
}
