import pg from "pg";

const parts = (about: string): string => `(values
  ('goal', ${about}.goal_id), ('campaign', ${about}.campaign_id), ('session', ${about}.session_id),
  ('day', to_char(${about}.day, 'YYYY-MM-DD'))) as part (about, id)`;

/** Totals that are not what the ledger comes to, in words; those that are kept beside those that are added up. */
export async function wrongTotals(client: Pick<pg.ClientBase, "query">): Promise<string[]> {
  const { rows } = await client.query<Record<string, string>>(`
    with kept as (
      select about, id, sum(committed_micro_usd) as committed, sum(spent_micro_usd) as spent, sum(estimated_calls) as estimated
      from cos.totals group by about, id),
    added_up as (
      select about, id, sum(committed_micro_usd) as committed, sum(spent_micro_usd) as spent,
        count(*) filter (where is_estimated) as estimated
      from cos.call_costs as costs cross join lateral ${parts("costs")} where id is not null group by about, id)
    select about, id, concat_ws(', ', kept.committed, kept.spent, kept.estimated) as kept,
      concat_ws(', ', added_up.committed, added_up.spent, added_up.estimated) as added_up
    from kept full join added_up using (about, id)
    where (coalesce(kept.committed, 0), coalesce(kept.spent, 0), coalesce(kept.estimated, 0))
      is distinct from (coalesce(added_up.committed, 0), coalesce(added_up.spent, 0), coalesce(added_up.estimated, 0))`);
  return rows.map((row) => `${row["about"]} ${row["id"]}: kept ${row["kept"]}, added up ${row["added_up"]}`);
}

/** In every test: what is kept of the ledger is what it comes to. Nothing, where the test has left no database to ask. */
export async function wrongTotalsLeft(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await wrongTotals(client);
  } catch {
    return [];
  } finally {
    await client.end().catch(() => undefined);
  }
}
