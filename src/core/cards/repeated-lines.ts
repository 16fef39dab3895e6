import { count } from "../text.ts";
import type { Text } from "./card.ts";

/** An event of the timeline, in words. */
export interface ToldLine {
  readonly at: Date;
  readonly words: string;
  /** The line as it is shown, with its time. */
  readonly shown: Text;
}

/** Maximum number of lines of a repetition that is searched for. Attempts with their rounds are shorter. */
const longestCycle = 30;

/** Minimum number of repetitions for which the lines are shown once and the others counted. */
const leastTimes = 3;

/** The lines, with repeated lines only counted. Lines count as equal if they differ only in numbers. Runs in linear time. */
export function withoutRepeats(lines: readonly ToldLine[]): Text[] {
  const keys = lines.map(({ words }) => words.replaceAll(/\d+/g, "0"));
  const shown: Text[] = [];
  for (let from = 0; from < lines.length; ) {
    const { length, times } = bestCycle(keys, from);
    const cycle = lines.slice(from, from + length);
    from += length * times;
    if (times === 1) {
      shown.push(...cycle.map((line) => line.shown));
      continue;
    }
    shown.push(...(length === 1 ? cycle.map((line) => line.shown) : withoutRepeats(cycle)));
    const same = length === 1 ? "the same" : `the same ${count(length, "line")}`;
    const last = lines[from - 1];
    if (last !== undefined)
      shown.push([
        `… ${same}, except for numbers, ${times - 1} times more; last `,
        { at: last.at.toISOString(), withSeconds: true },
      ]);
  }
  return shown;
}

interface Cycle {
  readonly length: number;
  readonly times: number;
}

/** The repetition from this line on that removes the most lines. One line, once, when nothing repeats. */
function bestCycle(keys: readonly string[], from: number): Cycle {
  let best: Cycle = { length: 1, times: 1 };
  for (let length = 1; length <= longestCycle && from + leastTimes * length <= keys.length; length += 1) {
    let end = from + length;
    while (end < keys.length && keys[end] === keys[end - length]) end += 1;
    const times = Math.floor((end - from) / length);
    if (times >= leastTimes && (times - 1) * length > (best.times - 1) * best.length) best = { length, times };
  }
  return best;
}
