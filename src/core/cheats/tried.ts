import { count } from "../text.ts";
import type { CheatRunner } from "./cheat.ts";

/** How a cheat ended: its goal was verified; it was not; or nothing defended the criterion, and the cheat did not make it pass. */
export type CheatEnd = "through" | "seen" | "does not apply";

export interface TriedCheat {
  readonly name: string;
  readonly title: string;
  /** The row of the fault that it is one of. */
  readonly class: string;
  readonly end: CheatEnd;
  /** What held it up, or why it does not apply; of one that got through, why it needs no control. */
  readonly why: string;
}

/** A criterion, and what the cheats came to; `ground` null: none was tried, because of `why`. */
export interface TriedCriterion {
  readonly id: string;
  readonly title: string;
  readonly ground: { readonly source: string; readonly planted: string | null; readonly runner: CheatRunner } | null;
  readonly why: string | null;
  readonly cheats: readonly TriedCheat[];
}

/** Whether any cheat ended as complete and verified. */
export function gotThrough(tried: readonly TriedCriterion[]): boolean {
  return tried.some(({ cheats }) => cheats.some(({ end }) => end === "through"));
}

/** What a person reads: which cheats a criterion would let through. `notIsolated`: what was not kept apart, in words. */
export function triedLines(tried: readonly TriedCriterion[], notIsolated: string | null): string[] {
  return [...tried.flatMap(linesOf), ...(notIsolated === null ? [] : [`Here: ${notIsolated}.`])];
}

function linesOf({ id, title, ground, why, cheats }: TriedCriterion): string[] {
  if (ground === null) return [`${id} ${title}: not tried: ${why ?? ""}`];
  const ended = (end: CheatEnd): TriedCheat[] => cheats.filter((cheat) => cheat.end === end);
  const through = ended("through");
  const applying = cheats.length - ended("does not apply").length;
  const verdict =
    through.length === 0
      ? `none of ${count(applying, "cheat")} got through`
      : `${through.length} of ${count(applying, "cheat")} got through`;
  return [
    `${id} ${title}: ${verdict}`,
    ground.planted === null ? "  it fails as it is" : `  planted: ${ground.planted}`,
    ...through.map((cheat) => `  got through: ${cheat.title} (${cheat.name}, ${cheat.class})`),
    ...ended("does not apply").map((cheat) => `  does not apply: ${cheat.title} (${cheat.name})`),
  ];
}
