import { count } from "../text.ts";
import type { Text } from "./card.ts";

/** Something that happened, in words. */
export interface ToldLine {
  readonly at: Date;
  readonly words: string;
  /** As it is shown, with its time. */
  readonly shown: Text;
}

/** Longer repetitions than this are not looked for: attempts with their rounds are shorter. */
const longestCycle = 30;

/** Where so many alike follow each other, the first is shown and the others are counted. */
const leastTimes = 3;

/** What happened, where lines that say the same as those before them, but for their numbers, are only counted. Linear in the lines. */
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
        `… ${same}, but for numbers, ${times - 1} times more; last `,
        { at: last.at.toISOString(), withSeconds: true },
      ]);
  }
  return shown;
}

interface Cycle {
  readonly length: number;
  readonly times: number;
}

/** The repetition that begins here and takes away most lines; one line once where there is none. */
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
