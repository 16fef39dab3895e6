import { sql } from "drizzle-orm";
import type { Linkage } from "../core/goals/goal.ts";
import type { CheckpointKind } from "../core/checkpoints/checkpoint.ts";
import type { Db } from "./connection/client.ts";

/** An ended run, with its cost and every checkpoint that it asked. */
export interface EndedRun {
  readonly hasOwnCommand: boolean;
  readonly link: Linkage["kind"];
  readonly costMicroUsd: number;
  readonly estimateMicroUsd: number | null;
  readonly questions: readonly { readonly kind: CheckpointKind; readonly askedAt: Date }[];
}

/** The newest ended runs in which something was executed. */
export async function endedRuns(db: Db, limit: number): Promise<EndedRun[]> {
  const found = await db.execute<{
    own: boolean;
    link: Linkage["kind"];
    cost: string;
    estimate: string | null;
    questions: { kind: CheckpointKind; askedAt: string }[];
  }>(sql`
    select g.run_command is not null as own, g.linkage->>'kind' as link, g.estimate_micro_usd as estimate,
      coalesce((select sum(c.spent_micro_usd) from cos.call_costs c where c.goal_id = r.goal_id and c.run_id = r.run_id), 0) as cost,
      coalesce((
        select jsonb_agg(jsonb_build_object('kind', p.kind, 'askedAt', p.created_at))
        from cos.checkpoints p where p.goal_id = r.goal_id and p.run_id = r.run_id), '[]') as questions
    from (
      select run_id, goal_id, ended_at from cos.runs
      where ended_at is not null and status = 'ended'
        and exists (select 1 from cos.evidence e where e.run_id = runs.run_id and e.kind = 'execution')
      order by ended_at desc limit ${limit}) r
    cross join lateral (
      select run_command, linkage, estimate_micro_usd from cos.goals where goals.goal_id = r.goal_id limit 1) g
    order by r.ended_at desc`);
  return found.rows.map((row) => ({
    hasOwnCommand: row.own,
    link: row.link,
    costMicroUsd: Number(row.cost),
    estimateMicroUsd: row.estimate === null ? null : Number(row.estimate),
    questions: row.questions.map(({ kind, askedAt }) => ({ kind, askedAt: new Date(askedAt) })),
  }));
}
