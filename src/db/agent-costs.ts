import { sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { textArray } from "./connection/lists.ts";
import { type LedgerCall, ofRun } from "./spend.ts";

/** What earlier calls of a run recorded about one of the agent's sessions. */
export interface HeardSession {
  /** The highest total that the agent reported for this session, in micro-dollars. */
  readonly said: number;
  /** True when a call of this session was cut short, so that its cost is an estimate. */
  readonly wasCut: boolean;
}

/** For each agent session of a run: what earlier calls of the run recorded about it. */
export async function agentSessionsOf(db: Db, runId: string): Promise<ReadonlyMap<string, HeardSession>> {
  const found = await db.execute<{ session: string; said: string; cut: boolean }>(sql`
    select told.key as session, max(told.value::bigint) as said, bool_or(kind = 'settled' and is_estimated) as cut
    from cos.spend, jsonb_each_text(agent_sessions) as told
    where ${ofRun(runId)} and agent_sessions is not null group by told.key`);
  return new Map(found.rows.map(({ session, said, cut }) => [session, { said: Number(said), wasCut: cut }]));
}

/**
 * Corrects earlier calls of a run whose cost was only an estimate, once the agent has reported the total of their sessions. Each of
 * these calls is settled at what it had reported itself: the rest is booked on the call that received the total (F-301). Idempotent.
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
