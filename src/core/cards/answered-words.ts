import type { EventDetails } from "../events/event.ts";
import { formatUsd } from "../money.ts";
import { firstLine, formatDuration } from "../text.ts";

/** An answer in the timeline: what was chosen, by whom, after how long, and what came with it. */
export function answeredWords(answer: EventDetails["checkpoint.answered"], by: string): string {
  return `answered ${answer.choice}${by}, after ${formatDuration(answer.waitedMs)}${broughtWords(answer)}`;
}

/** ": ceiling $7.00; told: use blue"; empty where it was only a choice. */
export function broughtWords(answer: EventDetails["checkpoint.answered"]): string {
  const { ceilingMicroUsd, hasCriteria, instructions, notes } = answer;
  const said = [
    ...(ceilingMicroUsd === undefined ? [] : [`ceiling ${formatUsd(ceilingMicroUsd)}`]),
    ...(hasCriteria === true ? ["criteria"] : []),
    ...(instructions === undefined ? [] : [`told: ${firstLine(instructions, 300)}`]),
    ...(notes === undefined ? [] : [`noted: ${firstLine(notes, 300)}`]),
  ];
  return said.length === 0 ? "" : `: ${said.join("; ")}`;
}
