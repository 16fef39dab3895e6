import { sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { textArray } from "./connection/lists.ts";
import { type LedgerCall, ofRun } from "./spend.ts";

/** What earlier calls of a run heard of one of the agent's sessions. */
export interface HeardSession {
  /** The most that it has said, in micro-dollars. */
  readonly said: number;
  /** A call of it was cut short, and what that one cost is an estimate. */
  readonly wasCut: boolean;
}

/** What earlier calls of a run heard of each of the agent's sessions. */
export async function agentSessionsOf(db: Db, runId: string): Promise<ReadonlyMap<string, HeardSession>> {
  const found = await db.execute<{ session: string; said: string; cut: boolean }>(sql`
    select told.key as session, max(told.value::bigint) as said, bool_or(kind = 'settled' and is_estimated) as cut
    from cos.spend, jsonb_each_text(agent_sessions) as told
    where ${ofRun(runId)} and agent_sessions is not null group by told.key`);
  return new Map(found.rows.map(({ session, said, cut }) => [session, { said: Number(said), wasCut: cut }]));
}

/**
 * Earlier calls of a run that were only assumed, and whose sessions an agent has now counted whole: what they had reported is
 * what they cost, for the rest stands with the call that was told the sum (F-301). Safe twice.
 */
export async function putRight(
  tx: Db,
  call: Pick<LedgerCall, "callId" | "runId">,
  sessions: readonly string[],
): Promise<void> {
  await tx.execute(sql`
    insert into cos.spend (call_id, kind, amount_micro_usd, is_estimated, day, goal_id, run_id, session_id, at)
    select s.call_id, 'settled', coalesce((select max(r.amount_micro_usd) from cos.spend r
        where r.call_id = s.call_id and r.kind = 'reported'), 0), false, s.day, s.goal_id, s.run_id, s.session_id, s.at
    from cos.spend s
    where s.goal_id = (select goal_id from cos.runs where run_id = ${call.runId}) and s.run_id = ${call.runId}
      and s.kind = 'settled' and s.is_estimated and s.call_id <> ${call.callId}
      and exists (select 1 from jsonb_object_keys(s.agent_sessions) as told (session) where told.session = any(${textArray(sessions)}))
    on conflict do nothing`);
}
