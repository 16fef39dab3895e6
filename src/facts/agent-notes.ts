import { z } from "zod";
import type { AgentNotes, AgentSilence } from "../core/cards/agent-words.ts";
import type { Evidence } from "../db/evidence.ts";

const agentSchema = z.object({
  unasked: z.array(z.string()).catch([]),
  odd: z.string().nullable().catch(null),
});

/** What all executions of a run recorded about its agent. */
export function agentNotesOf(
  runId: string | null,
  kept: readonly Evidence[],
  silence: AgentSilence | null,
): AgentNotes {
  const known = kept.flatMap((row) => {
    const parsed = row.runId === runId ? agentSchema.safeParse(row.detail["agent"]) : null;
    return parsed?.success === true ? [parsed.data] : [];
  });
  return {
    unasked: [...new Set(known.flatMap((each) => each.unasked))],
    odd: known.findLast((each) => each.odd !== null)?.odd ?? null,
    silence,
  };
}
