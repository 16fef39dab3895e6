import { count, firstLine } from "../text.ts";

/** A night in which nothing is left that could go on without a person. */
export interface DoneNight {
  /** People who stopped sessions of the night. */
  readonly stoppedBy: readonly string[];
  /** True when people stopped all its sessions. */
  readonly areAllStopped: boolean;
  /** Why other sessions of the night stopped by themselves. */
  readonly stops: readonly string[];
  /** Number of goals that had not begun when their session stopped or was stopped. */
  readonly notBegun: number;
}

/** Why the night is over. It says that everything has been worked only when no session stopped or was stopped early. */
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
