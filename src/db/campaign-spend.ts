import { sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { textArray } from "./connection/lists.ts";
import { type Total, type Summed, totalIn } from "./totals.ts";

/** What campaigns cost, their goals and their planning, by their ids; those for which nothing was spent or reserved are missing. */
export async function totalsOfCampaigns(db: Db, campaignIds: readonly string[]): Promise<ReadonlyMap<string, Total>> {
  const ids = textArray(campaignIds);
  const found = await db.execute<Summed & { id: string }>(sql`
    select campaign_id as id, sum(committed_micro_usd) as committed, sum(spent_micro_usd) as spent,
      bool_or(estimated_calls > 0) as estimated
    from (
      select id as campaign_id, committed_micro_usd, spent_micro_usd, estimated_calls from cos.totals
      where about = 'campaign' and id = any(${ids})
      union all
      select g.campaign_id, committed_micro_usd, spent_micro_usd, estimated_calls from cos.goals g
      cross join lateral (select * from cos.totals where about = 'goal' and id = g.goal_id offset 0) spent
      where g.campaign_id = any(${ids})) parts
    group by campaign_id`);
  return new Map(found.rows.map((row) => [row.id, totalIn(row)]));
}

/** What open sessions other than these may still spend of their budgets. */
export async function promisedElsewhere(db: Db, campaignId: string): Promise<number> {
  const found = await db.execute<{ promised: string }>(sql`
    select coalesce(sum(greatest(0, s.budget_micro_usd - coalesce((
      select t.committed_micro_usd from cos.totals t where t.about = 'session' and t.id = s.session_id and t.slot = 0), 0))), 0) as promised
    from cos.sessions s
    where s.status <> 'ended' and s.kind = 'campaign' and s.campaign_id is distinct from ${campaignId}`);
  return Number(found.rows[0]?.promised ?? 0);
}
