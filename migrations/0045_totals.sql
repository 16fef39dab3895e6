CREATE TABLE "cos"."totals" (
	"about" text NOT NULL,
	"id" text NOT NULL,
	"slot" smallint NOT NULL,
	"committed_micro_usd" bigint NOT NULL,
	"spent_micro_usd" bigint NOT NULL,
	"estimated_calls" integer NOT NULL,
	CONSTRAINT "totals_about_id_slot_pk" PRIMARY KEY("about","id","slot"),
	CONSTRAINT "totals_about" CHECK (about in ('goal', 'session', 'campaign', 'day'))
);
--> statement-breakpoint
DROP INDEX "cos"."spend_by_session";--> statement-breakpoint
CREATE INDEX "spend_by_call" ON "cos"."spend" USING btree ("call_id");--> statement-breakpoint
-- What new lines of the ledger add to the totals: what their calls cost with them, less what they cost without (`cos.call_costs`). Lines of
-- one call are never written side by side: whoever comes second waits for the goal's or the campaign's total, and sees the others then.
create function cos.add_to_totals() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(call_id, 45)) from (
    select distinct call_id from added where goal_id is null and campaign_id is null order by call_id) alone;
  insert into cos.totals (about, id, slot, committed_micro_usd, spent_micro_usd, estimated_calls)
  select about, id, 0, 0, 0, 0 from (
    select distinct case when goal_id is null then 'campaign' else 'goal' end as about, coalesce(goal_id, campaign_id) as id
    from added where coalesce(goal_id, campaign_id) is not null) locked
  order by about desc, id
  on conflict (about, id, slot) do update set slot = 0 where false;

  insert into cos.totals (about, id, slot, committed_micro_usd, spent_micro_usd, estimated_calls)
  select about, id, slot, sum(sign * committed), sum(sign * spent), sum(sign * is_estimated::int)
  from (
    select goal_id, session_id, campaign_id, day, sign,
      coalesce(said, case when assumed is null then greatest(reserved, reported) else greatest(assumed, reported) end) as committed,
      coalesce(said, greatest(assumed, reported), 0) as spent,
      said is null and assumed is not null as is_estimated
    from (
      select call_id, goal_id, run_id, session_id, day, campaign_id, sign,
        max(amount_micro_usd) filter (where kind = 'settled' and not is_estimated) as said,
        max(amount_micro_usd) filter (where kind = 'settled' and is_estimated) as assumed,
        max(amount_micro_usd) filter (where kind = 'reported') as reported,
        max(amount_micro_usd) filter (where kind = 'reserved') as reserved
      from (
        select line.*, exists (select 1 from added where added.spend_id = line.spend_id) as is_new
        from (select distinct call_id, goal_id, run_id, session_id, day, campaign_id from added) touched
        cross join lateral (
          select * from cos.spend where spend.call_id = touched.call_id
            and (spend.goal_id, spend.run_id, spend.session_id, spend.day, spend.campaign_id)
              is not distinct from (touched.goal_id, touched.run_id, touched.session_id, touched.day, touched.campaign_id)) line
      ) lines
      cross join (values (1), (-1)) as signs (sign)
      where sign = 1 or not is_new
      group by call_id, goal_id, run_id, session_id, day, campaign_id, sign
    ) calls
  ) costs
  cross join lateral (values
    (1, 'goal', goal_id, 0),
    (2, 'campaign', campaign_id, 0),
    (3, 'session', session_id, 0),
    -- All that one transaction adds to a day goes to one row: those who wait for each other's do so in one order.
    (4, 'day', to_char(day, 'YYYY-MM-DD'), pg_backend_pid() % 8)) as kept (place, about, id, slot)
  where id is not null
  group by place, about, id, slot
  order by place, id
  on conflict (about, id, slot) do update set
    committed_micro_usd = totals.committed_micro_usd + excluded.committed_micro_usd,
    spent_micro_usd = totals.spent_micro_usd + excluded.spent_micro_usd,
    estimated_calls = totals.estimated_calls + excluded.estimated_calls;
  return null;
end
$$;
--> statement-breakpoint
create trigger add_to_totals after insert on cos.spend referencing new table as added
  for each statement execute function cos.add_to_totals();
--> statement-breakpoint
insert into cos.totals (about, id, slot, committed_micro_usd, spent_micro_usd, estimated_calls)
select about, id, 0, sum(committed_micro_usd), sum(spent_micro_usd), count(*) filter (where is_estimated)
from cos.call_costs cross join lateral (values
  ('goal', goal_id), ('campaign', campaign_id), ('session', session_id), ('day', to_char(day, 'YYYY-MM-DD'))) as kept (about, id)
where id is not null
group by about, id;
