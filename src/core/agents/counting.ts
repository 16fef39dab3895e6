/**
 * How an agent counts what its session has cost, once that session is taken up again in another process: it goes on from
 * where it was, or begins anew (D48). An agent that reports each turn by itself begins anew.
 */
export type Counting = "goes-on" | "anew";

/** Agents that were tried, by the name that they give at *initialize* (docs/agents.md). */
const tried: Readonly<Record<string, Counting>> = {
  OpenCode: "goes-on",
  "@zed-industries/claude-agent-acp": "anew",
  "scripted-agent": "anew",
};

/** What is known of an agent by its name; null: it has to be learnt. */
export function triedCounting(name: string): Counting | null {
  return tried[name] ?? null;
}

/** One session of an agent, as one call of it sees that session. Micro-dollars, as the agent counts. */
export interface SessionCost {
  /** The most that it had said when this call began; 0: this call opened it. */
  readonly before: number;
  /** The most that it has said since. */
  readonly said: number;
}

/**
 * What a call cost by the agent's own sessions: of each the most that it said, without what earlier calls were charged for
 * (F-301). `learnt`: a session that says less than it had said counts anew, for certain. `isCertain` false: a session says
 * more than before, and nobody knows whether it went on or began anew.
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
