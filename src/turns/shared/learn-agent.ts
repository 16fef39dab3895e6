import { learnAgent } from "../../db/agents.ts";
import type { Db } from "../../db/connection/client.ts";
import type { LedgerCall } from "../../db/spend.ts";
import { putRight } from "../../db/agent-costs.ts";
import type { Deps } from "../../deps.ts";
import type { Executed } from "./execution.ts";

/** Returns the facts about the agent that an execution's evidence keeps for the goal's card. Null for a goal's own command. */
export function agentDetail({ agent }: Pick<Executed, "agent">): Record<string, unknown> | null {
  if (agent === null) return null;
  const { name, version, unasked, odd } = agent;
  return { name, version, unasked, odd };
}

/** Stores what an execution showed about its agent, and corrects assumed costs of earlier calls. Safe to repeat. */
export async function learnOf(
  tx: Db,
  { now }: Pick<Deps, "now">,
  call: LedgerCall,
  { agent }: Pick<Executed, "agent">,
): Promise<void> {
  if (agent === null) return;
  if (agent.counted.length > 0) await putRight(tx, call, agent.counted);
  const { line, name, version, counting } = agent;
  const asks = agent.unasked.length > 0 ? "asks-nobody" : agent.hasAsked ? "asks" : null;
  // Stored only if something was learnt: whether it asks, or how it counts.
  if (asks !== null || counting !== null) await learnAgent(tx, { line, name, version, counting, asks, seenAt: now() });
}
