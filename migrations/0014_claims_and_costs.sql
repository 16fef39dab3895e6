DROP INDEX "cos"."spend_settled_once";--> statement-breakpoint
CREATE UNIQUE INDEX "spend_settled_once" ON "cos"."spend" USING btree ("call_id","is_estimated") WHERE kind = 'settled';--> statement-breakpoint
-- What an agent says that its call cost counts before what was assumed when it was cut short; what it reported is the least.
create or replace view cos.call_costs as
select call_id, goal_id, run_id, session_id, day, campaign_id, is_settled,
  coalesce(said, case when assumed is null then greatest(reserved, reported) else greatest(assumed, reported) end) as committed_micro_usd,
  coalesce(said, greatest(assumed, reported), 0) as spent_micro_usd,
  said is null and assumed is not null as is_estimated
from (
  select call_id, goal_id, run_id, session_id, day, campaign_id,
    bool_or(kind = 'settled') as is_settled,
    max(amount_micro_usd) filter (where kind = 'settled' and not is_estimated) as said,
    max(amount_micro_usd) filter (where kind = 'settled' and is_estimated) as assumed,
    max(amount_micro_usd) filter (where kind = 'reported') as reported,
    max(amount_micro_usd) filter (where kind = 'reserved') as reserved
  from cos.spend group by call_id, goal_id, run_id, session_id, day, campaign_id
) as calls;
--> statement-breakpoint
-- Whether no other goal of a session is being worked, as it is now: called with the session locked, it sees every claim that
-- was made before, which the statement that calls it need not (D40).
create function cos.is_session_free(session text, goal text, held text[]) returns boolean language plpgsql volatile as $$
begin
  return not exists (
    select 1 from cos.goals other
    where other.session_id = session and other.goal_id <> goal
      and (other.leased_until > clock_timestamp() or other.goal_id = any(held)));
end $$;
