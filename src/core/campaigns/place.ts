/** A goal to be put on a day: how long it takes, and the day it is pinned to. */
export interface Placeable {
  readonly minutes: number;
  /** From 1; null: wherever there is room. */
  readonly day: number | null;
}

/**
 * The day of every goal, from 1: pinned ones stay; the others keep their order, and their minutes are spread evenly up to the
 * last day. Without `days`: as many as the minutes ask for. No day is left empty where the goals suffice. S4-PN-01.
 */
export function placeGoals(
  goals: readonly Placeable[],
  { days, dayMinutes }: { readonly days: number | null; readonly dayMinutes: number },
): number[] {
  const total = goals.reduce((sum, goal) => sum + goal.minutes, 0);
  const pinned = Math.max(0, ...goals.map((goal) => goal.day ?? 0));
  const asked = days ?? Math.max(1, Math.min(Math.ceil(total / dayMinutes), goals.length));
  const length = Math.max(asked, pinned);
  const placed: number[] = [];
  let before = 0;
  let previous = 1;
  for (const [index, goal] of goals.entries()) {
    // Where its middle lies in the whole of the work.
    const share = total === 0 ? (index + 0.5) / goals.length : (before + goal.minutes / 2) / total;
    const even = Math.min(length, Math.floor(share * length) + 1);
    before += goal.minutes;
    if (goal.day !== null) {
      placed.push(goal.day);
      continue;
    }
    const day = Math.max(
      previous,
      goals.length < length ? even : filling(even, { index, goals: goals.length, length, placed }),
    );
    placed.push(day);
    previous = day;
  }
  return placed;
}

/** Neither so late that the days before it would have nothing, nor so early that those after it would. */
function filling(
  even: number,
  at: { readonly index: number; readonly goals: number; readonly length: number; readonly placed: readonly number[] },
): number {
  const earliest = at.length - (at.goals - at.index - 1);
  const latest = Math.max(0, ...at.placed) + 1;
  return Math.max(1, Math.min(Math.max(even, earliest), latest));
}
