import type { Trouble } from "./trouble.ts";

/** Whether a server answers. `saidAt`: when the log last reported the outage. */
export type OutageState =
  | { readonly type: "answers" }
  | { readonly type: "away"; readonly trouble: Trouble; readonly since: Date; readonly saidAt: Date };

export interface OutageStep {
  readonly state: OutageState;
  /** What to log now. Null for nothing. */
  readonly says: "begins" | "lasts" | "ends" | null;
}

const sayEveryMs = 60_000;

/** Decides what to log after a check of a server: one line when an outage begins, one a minute, and one when it ends (F-113). */
export function decideOutage(state: OutageState, trouble: Trouble | null, now: Date): OutageStep {
  if (trouble === null) return { state: { type: "answers" }, says: state.type === "away" ? "ends" : null };
  if (state.type === "answers") return { state: { type: "away", trouble, since: now, saidAt: now }, says: "begins" };
  const isDue = now.getTime() - state.saidAt.getTime() >= sayEveryMs;
  return { state: { ...state, trouble, saidAt: isDue ? now : state.saidAt }, says: isDue ? "lasts" : null };
}

/** True when lost connections to a server that answers may be logged: at once, and then at most once a minute. */
export function maySayLosses(lastSaidAt: Date | null, now: Date): boolean {
  return lastSaidAt === null || now.getTime() - lastSaidAt.getTime() >= sayEveryMs;
}
