import type { EventDetails } from "../events/event.ts";
import { formatUsd } from "../money.ts";
import { formatDuration, shorten } from "../text.ts";
import { inOneLine } from "../text/bounds.ts";
import { type CardBlock, text } from "./card.ts";

/** An answer in the timeline: the choice, who gave it, after how long, and what else it changed or said. */
export function answeredWords(answer: EventDetails["checkpoint.answered"], by: string): string {
  return `answered ${answer.choice}${by}, after ${formatDuration(answer.waitedMs)}${broughtWords(answer)}`;
}

/** What an answer contained besides its choice. */
export type Brought = Pick<
  EventDetails["checkpoint.answered"],
  "ceilingMicroUsd" | "hasCriteria" | "instructions" | "notes"
>;

/** ": ceiling $7.00; told: use blue". Empty when the answer was only a choice. */
export function broughtWords(answer: Brought): string {
  const notes = ownNotes(answer);
  const said = [...changedWords(answer), ...(notes === undefined ? [] : [`noted: ${everyLine(notes)}`])];
  return said.length === 0 ? "" : `: ${said.join("; ")}`;
}

/** The notes of an answer. Undefined when they only repeat the instructions for the agent. */
function ownNotes({ notes, instructions }: Brought): string | undefined {
  const written = notes?.trim() ?? "";
  const told = instructions?.trim() ?? "";
  if (told === "" || !written.endsWith(told)) return notes;
  // "retry: use blue"
  return /^(?:[\p{L} ]{1,30}[:,])?$/u.test(written.slice(0, -told.length).trim()) ? undefined : notes;
}

/** What an answer changed, one text for each change. */
function changedWords({ ceilingMicroUsd, hasCriteria, instructions }: Brought): string[] {
  return [
    ...(ceilingMicroUsd === undefined ? [] : [`ceiling ${formatUsd(ceilingMicroUsd)}`]),
    ...(hasCriteria === true ? ["criteria"] : []),
    ...(instructions === undefined ? [] : [`told: ${everyLine(instructions)}`]),
  ];
}

/** A text of several lines, joined into one line. */
function everyLine(written: string): string {
  return shorten(inOneLine(written, " / "), 300);
}

/** Like `broughtWords`, for the card of a settled question: what changed, and what the person wrote. */
export function saidBlocks(humanNotes: string | null, brought: Brought | null): CardBlock[] {
  const changed = brought === null ? [] : changedWords(brought);
  const said = (changed.length === 0 || brought === null ? humanNotes : ownNotes(brought))?.trim() ?? "";
  return [
    ...(changed.length === 0 ? [] : [text({ strong: "Changed: " }, changed.join("; "))]),
    ...(said === "" ? [] : [text("Said with it: ", shorten(said, 300))]),
  ];
}
