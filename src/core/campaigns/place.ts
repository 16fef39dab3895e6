import type { Policy } from "../policy.ts";

/** A goal of an outline, in the outline's order. */
export interface ToPlace {
  /** Null: as long as the policy assumes for a goal. */
  readonly minutes: number | null;
  /** From 1. Null: wherever it fits. */
  readonly day: number | null;
  /** The day by which its milestone is due. Null when none was given. */
  readonly dueDay: number | null;
}

/**
 * Returns the day of every goal, from 1.
 *
 * Pinned goals stay on their day. The others keep their order and lie between the pins around them. A pin that contradicts the order does
 * not limit its neighbours. None of them lies after the day by which its milestone or a later one is due, unless a pin forces it. Within
 * these limits the result has the fewest empty days, then the fewest minutes beyond a full day, then the most even days, with earlier days
 * fuller.
 *
 * `days` null: as many days as the minutes and the given days need. The result may exceed `goalsADay`, if that cannot be avoided, and
 * `longestDays`; the caller checks both. No pin may be later than `days`. Exact; takes about days × goals × `goalsADay` steps.
 */
export function placeGoals(goals: readonly ToPlace[], days: number | null, policy: Policy): number[] {
  const windows = windowsOf(goals);
  const sized = goals.map((goal, index) => ({
    ...(windows[index] ?? anyDay),
    day: goal.day,
    minutes: goal.minutes ?? policy.campaigns.goalMinutes,
  }));
  const filled = days === null ? fillDays(sized, policy) : [];
  const lastDay = days ?? Math.max(1, ...filled, ...goals.map((goal) => goal.dueDay ?? 1));
  if (days === null && lastDay > policy.campaigns.longestDays) return filled;
  const pinned = Array.from({ length: lastDay + 1 }, (_, day) => loadOf(sized.filter((goal) => goal.day === day)));
  const free = sized.filter((goal) => goal.day === null);
  const placed = balance(free, pinned, policy) ?? free.map((goal) => goal.from);
  const dayOfFree = placed.values();
  return goals.map((goal) => goal.day ?? dayOfFree.next().value ?? 1);
}

/** The days on which a goal may lie. */
interface Window {
  readonly from: number;
  readonly to: number;
}

const anyDay: Window = { from: 1, to: Number.POSITIVE_INFINITY };

/** The window of each goal. Neither end ever decreases from one goal to the next; `balance` relies on that. */
function windowsOf(goals: readonly ToPlace[]): Window[] {
  const pins = goals.map(({ day }, index) => {
    const isInOrder = goals.every(
      (other, at) => day === null || other.day === null || (at < index ? other.day <= day : other.day >= day),
    );
    return isInOrder ? day : null;
  });
  const latest = goals.map((_, index) =>
    Math.min(
      ...goals.slice(index).map((goal) => goal.dueDay ?? anyDay.to),
      ...pins.slice(index).map((day) => day ?? anyDay.to),
    ),
  );
  return goals.map((_, index) => {
    const from = Math.max(anyDay.from, ...pins.slice(0, index + 1).map((day) => day ?? anyDay.from));
    return { from, to: Math.max(from, latest[index] ?? from) };
  });
}

interface Sized extends Window {
  readonly day: number | null;
  readonly minutes: number;
}

interface Load {
  readonly goals: number;
  readonly minutes: number;
}

function loadOf(goals: readonly Sized[]): Load {
  return { goals: goals.length, minutes: goals.reduce((sum, goal) => sum + goal.minutes, 0) };
}

/** Places goals one after the other, and begins a new day when one is full. */
function fillDays(sized: readonly Sized[], policy: Policy): number[] {
  const { goalsADay, dayMinutes } = policy.campaigns;
  const loads = new Map<number, Load>();
  const loadAt = (day: number): Load => loads.get(day) ?? { goals: 0, minutes: 0 };
  const add = (day: number, { minutes }: Sized): void => {
    loads.set(day, { goals: loadAt(day).goals + 1, minutes: loadAt(day).minutes + minutes });
  };
  for (const goal of sized) if (goal.day !== null) add(goal.day, goal);

  let day = 1;
  return sized.map((goal) => {
    if (goal.day !== null) return goal.day;
    day = Math.max(day, goal.from);
    const isFull = ({ goals, minutes }: Load): boolean =>
      goals > 0 && (goals >= goalsADay || minutes + goal.minutes > dayMinutes);
    while (day < goal.to && isFull(loadAt(day))) day += 1;
    add(day, goal);
    return day;
  });
}

/** The cost of a distribution, most important part first. Less is better. */
interface Cost {
  readonly emptyDays: number;
  readonly overMinutes: number;
  /** The sum of the squares of each day's minutes. Smallest when the days are even. */
  readonly squares: number;
}

interface Best {
  readonly cost: Cost;
  /** Number of goals that the day takes. */
  readonly taken: number;
}

/** The days of the goals in order, by dynamic programming from the last day. Null when some day would have to take too many. */
function balance(goals: readonly Sized[], pinned: readonly Load[], policy: Policy): number[] | null {
  const lastDay = pinned.length - 1;
  const none: (Best | null)[] = goals.map(() => null);
  const nothing: Cost = { emptyDays: 0, overMinutes: 0, squares: 0 };
  const table: (Best | null)[][] = [[...none, { cost: nothing, taken: 0 }]];
  for (let day = lastDay; day >= 1; day -= 1) {
    const load = pinned[day] ?? { goals: 0, minutes: 0 };
    const after = table[0] ?? [];
    table.unshift([...none, null].map((_, first) => bestFrom(goals, first, { day, load, after }, policy)));
  }

  const days: number[] = [];
  for (let day = 1; day <= lastDay; day += 1) {
    const best = table[day - 1]?.[days.length] ?? null;
    if (best === null) return null;
    for (let taken = 0; taken < best.taken; taken += 1) days.push(day);
  }
  return days;
}

interface OnDay {
  readonly day: number;
  /** The goals that are pinned to it. */
  readonly load: Load;
  /** For each index, the best distribution of the goals from that index on over the later days. */
  readonly after: readonly (Best | null)[];
}

/** The best number of goals from `first` on that the day takes. Of equal distributions, the one that takes the most. */
function bestFrom(goals: readonly Sized[], first: number, { day, load, after }: OnDay, policy: Policy): Best | null {
  const { goalsADay, dayMinutes } = policy.campaigns;
  let best: Best | null = null;
  let { minutes } = load;
  for (let taken = 0; ; taken += 1) {
    const rest = after[first + taken]?.cost;
    if (rest !== undefined) {
      const cost: Cost = {
        emptyDays: rest.emptyDays + (load.goals + taken === 0 ? 1 : 0),
        overMinutes: rest.overMinutes + Math.max(0, minutes - dayMinutes),
        squares: rest.squares + minutes * minutes,
      };
      if (best === null || !isMore(cost, best.cost)) best = { cost, taken };
    }
    const goal = goals[first + taken];
    if (goal === undefined || load.goals + taken >= goalsADay || day < goal.from || day > goal.to) return best;
    minutes += goal.minutes;
  }
}

function isMore(one: Cost, other: Cost): boolean {
  if (one.emptyDays !== other.emptyDays) return one.emptyDays > other.emptyDays;
  if (one.overMinutes !== other.overMinutes) return one.overMinutes > other.overMinutes;
  return one.squares > other.squares;
}
