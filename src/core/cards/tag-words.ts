import type { AcceptedProof, Backing } from "../acceptance/backing.ts";
import { type CardBlock, note } from "./card.ts";

/**
 * A goal's evidence, for lists: "verified", "verified, guards only", "accepted by ada on 2026-11-23 16:05 UTC, proves nothing". The only
 * place that words a tag. A goal whose proof a person accepted is never called just "verified" (D27, D38).
 */
export function tagText(backing: Backing): string {
  const { tag, accepted } = backing;
  const worth = worthWords(backing);
  if (accepted === undefined) return [tag, ...worth].join(", ");
  return worth.length > 0 ? [acceptedWords(accepted), ...worth].join(", ") : `${tag}, proof ${acceptedWords(accepted)}`;
}

/** "[verified] ", "[verified, guards only] ". */
export function tagWords(backing: Backing): string {
  return `[${tagText(backing)}] `;
}

/** Explains *guards only*, once below lists and numbers that use it. Empty when none does. */
export function guardsNote(isSaid: boolean): CardBlock[] {
  return isSaid ? [note("Guards only: its checks pass with and without the work, so nothing proves the change.")] : [];
}

/** "3 verified", "3 verified (1 guards only, 1 accepted by a person)". */
export function verifiedCount({
  verified,
  guardsOnly,
  accepted = 0,
}: {
  readonly verified: number;
  readonly guardsOnly: number;
  readonly accepted?: number;
}): string {
  const notes = [...(guardsOnly === 0 ? [] : [`${guardsOnly} guards only`]), ...acceptedNotes(accepted)];
  return `${verified} verified${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`;
}

/** "1 accepted by a person". Empty for 0. */
export function acceptedNotes(times: number): string[] {
  return times === 0 ? [] : [`${times} accepted by a person`];
}

/** How many goals are verified, and how many of those have no proof of their change. */
export function countVerified(goals: readonly Backing[]): { readonly verified: number; readonly guardsOnly: number } {
  const verified = goals.filter(({ tag }) => tag === "verified");
  return { verified: verified.length, guardsOnly: verified.filter(({ guardsOnly }) => guardsOnly === true).length };
}

/** "accepted by ada on 2026-11-23 16:05 UTC". */
export function acceptedWords({ by, at }: AcceptedProof): string {
  return `accepted by ${by} on ${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function worthWords({ guardsOnly, provesNothing }: Backing): string[] {
  if (provesNothing !== undefined) return [provesNothing === "all" ? "proves nothing" : "a part proves nothing"];
  return guardsOnly === true ? ["guards only"] : [];
}
