/**
 * How an agent counts a session's cost after another process resumes the session: it continues the sum, or starts again
 * (D48). An agent that reports each turn separately starts again.
 */
export type Counting = "goes-on" | "anew";

/** Agents that were tested, by the name that they give at *initialize* (docs/agents.md). */
const tried: ReadonlyMap<string, Counting> = new Map(
  Object.entries<Counting>({
    OpenCode: "goes-on",
    "@zed-industries/claude-agent-acp": "anew",
    "scripted-agent": "anew",
  }),
);

/** Returns how an agent counts, by its name. Null when that is unknown. */
export function triedCounting(name: string): Counting | null {
  return tried.get(name) ?? null;
}

/** The cost of one agent session, as seen by one call. Micro-dollars, as the agent counts. */
export interface SessionCost {
  /** The highest cost it had reported when this call began; 0 when this call opened it. */
  readonly before: number;
  /** The highest cost it has reported since. */
  readonly said: number;
}

/**
 * Returns the cost of a call from the agent's own sessions: the highest cost of each, without what earlier calls were charged
 * (F-301). `learnt`: a session that reports less than before certainly starts again. `isCertain` is false when a session
 * reports more than before and the way of counting is unknown.
 */
export function costOfCall(
  sessions: readonly SessionCost[],
  known: Counting | null,
): { readonly amountMicroUsd: number; readonly learnt: Counting | null; readonly isCertain: boolean } {
  const isAnew = sessions.some(({ before, said }) => said < before);
  const counting = isAnew ? "anew" : known;
  const amounts = sessions.map(({ before, said }) => (counting === "anew" ? said : Math.max(0, said - before)));
  return {
    amountMicroUsd: amounts.reduce((sum, each) => sum + each, 0),
    learnt: isAnew ? "anew" : null,
    isCertain: counting !== null || sessions.every(({ before }) => before === 0),
  };
}
