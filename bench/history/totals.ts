/** What a trigger would have kept of the ledger, as two statements (`cos.totals`). */
export const keepTotals = [
  "delete from cos.totals",
  `insert into cos.totals (about, id, slot, committed_micro_usd, spent_micro_usd, estimated_calls)
   select about, id, 0, sum(committed_micro_usd), sum(spent_micro_usd), count(*) filter (where is_estimated)
   from cos.call_costs cross join lateral (values
     ('goal', goal_id), ('campaign', campaign_id), ('session', session_id), ('day', to_char(day, 'YYYY-MM-DD'))) as kept (about, id)
   where id is not null group by about, id`,
];
