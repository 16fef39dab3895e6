import { count, firstLine } from "../text.ts";

/** A night of which nothing is left that could go on without anybody. */
export interface DoneNight {
  /** Who stopped sessions of it. */
  readonly stoppedBy: readonly string[];
  /** That was all of its sessions. */
  readonly areAllStopped: boolean;
  /** Why others of its sessions stopped themselves. */
  readonly stops: readonly string[];
  /** Goals of sessions that stopped, or were stopped, and that had not begun. */
  readonly notBegun: number;
}

/** Why it is over. That everything has been worked is said only where no session stopped, or was stopped, before that. */
export function doneNightWords({ stoppedBy, areAllStopped, stops, notBegun }: DoneNight): string {
  if (stoppedBy.length === 0 && stops.length === 0) return "Everything that needed nobody has been worked.";
  if (areAllStopped) return `Stopped by ${stoppedBy.join(", ")}.`;
  const reasons = [...new Set(stops.map((stop) => firstLine(stop, 300).replace(/\.$/, "")))];
  return [
    ...(reasons.length === 0 ? [] : [`It stopped itself: ${reasons.join("; ")}.`]),
    ...(stoppedBy.length === 0 ? [] : [`Stopped in part by ${stoppedBy.join(", ")}.`]),
    ...(notBegun === 0 ? [] : [`${count(notBegun, "goal")} ${notBegun === 1 ? "was" : "were"} not begun.`]),
  ].join(" ");
}
