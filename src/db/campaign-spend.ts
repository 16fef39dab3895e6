import { sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { textArray } from "./connection/lists.ts";
import { type Total, type Summed, totalIn } from "./spend.ts";

/** What campaigns cost, their goals and their planning, by their ids; those for which nothing was spent or reserved are missing. */
export async function totalsOfCampaigns(db: Db, campaignIds: readonly string[]): Promise<ReadonlyMap<string, Total>> {
  const ids = textArray(campaignIds);
  const found = await db.execute<Summed & { id: string }>(sql`
    select coalesce(c.campaign_id, g.campaign_id) as id, sum(c.committed_micro_usd) as committed,
      sum(c.spent_micro_usd) as spent, bool_or(c.is_estimated) as estimated
    from cos.call_costs c left join cos.goals g on g.goal_id = c.goal_id
    where c.campaign_id = any(${ids}) or c.goal_id = any(array(select goal_id from cos.goals where campaign_id = any(${ids})))
    group by 1`);
  return new Map(found.rows.map((row) => [row.id, totalIn(row)]));
}

/** What open sessions other than these may still spend of their budgets. */
export async function promisedElsewhere(db: Db, campaignId: string): Promise<number> {
  const found = await db.execute<{ promised: string }>(sql`
    select coalesce(sum(greatest(0, s.budget_micro_usd - coalesce((
      select sum(c.committed_micro_usd) from cos.call_costs c where c.session_id = s.session_id), 0))), 0) as promised
    from cos.sessions s
    where s.status <> 'ended' and s.kind = 'campaign' and s.campaign_id is distinct from ${campaignId}`);
  return Number(found.rows[0]?.promised ?? 0);
}
