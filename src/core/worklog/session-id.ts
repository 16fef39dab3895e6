/**
 * Ids of worklogs: `20260126_143215_001`, UTC, made without coordination. The counter begins again at 001 in every second. After 999 the
 * caller waits for the next second. If the clock went back, ids continue from the last second. If two processes make the same id, the
 * primary key in the database refuses one. Seed 000 NFR-005, C-04.
 */
export interface IdCounter {
  /** Whole seconds since 1970. */
  readonly second: number;
  readonly count: number;
}

export type NextId =
  | { readonly type: "made"; readonly id: string; readonly counter: IdCounter }
  | { readonly type: "wait"; readonly ms: number };

const most = 999;

/** The id after the last one, UTC: `YYYYMMDD_HHMMSS_nnn`. When the second has none left, the milliseconds to wait. */
export function nextSessionId(last: IdCounter | null, now: Date): NextId {
  const clock = Math.floor(now.getTime() / 1000);
  const isFull = last !== null && last.count >= most;
  if (isFull && last.second === clock) return { type: "wait", ms: Math.max(1, (clock + 1) * 1000 - now.getTime()) };
  // If the clock went back, waiting is no solution: it may take days until it reaches that second again.
  const second = Math.max(clock, (last?.second ?? 0) + (isFull ? 1 : 0));
  const count = last?.second === second ? last.count + 1 : 1;
  return { type: "made", id: idOf(second, count), counter: { second, count } };
}

function idOf(second: number, count: number): string {
  const [date = "", time = ""] = new Date(second * 1000).toISOString().slice(0, 19).split("T");
  return `${date.replaceAll("-", "")}_${time.replaceAll(":", "")}_${String(count).padStart(3, "0")}`;
}

/** True when a word has the form of an id. The worklog may not exist. */
export function isSessionId(word: string): boolean {
  return /^\d{8}_\d{6}_\d{3}$/.test(word);
}
