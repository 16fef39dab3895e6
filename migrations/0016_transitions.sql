ALTER TABLE "cos"."goals" ADD COLUMN "blocked_on" text;
--> statement-breakpoint
ALTER TABLE "cos"."goals" ADD CONSTRAINT "goals_leased_turn" CHECK (leased_by is null or turn > 0) NOT VALID;
--> statement-breakpoint
ALTER TABLE "cos"."goals" ADD CONSTRAINT "goals_stop" CHECK (stop_requested is null or leased_by is not null) NOT VALID;
--> statement-breakpoint
ALTER TABLE "cos"."goals" ADD CONSTRAINT "goals_pending" CHECK (status <> 'pending' or phase = 'start') NOT VALID;
--> statement-breakpoint
ALTER TABLE "cos"."goals" ADD CONSTRAINT "goals_begun" CHECK (status <> 'in_progress' or phase <> 'start') NOT VALID;
--> statement-breakpoint
ALTER TABLE "cos"."goals" ADD CONSTRAINT "goals_run" CHECK (phase = 'start' or run_id is not null) NOT VALID;
--> statement-breakpoint
ALTER TABLE "cos"."goals" ADD CONSTRAINT "goals_blocked" CHECK ((status = 'blocked') = (blocked_on is not null) and (blocked_on is null or blocked_on in ('question', 'person', 'ground'))) NOT VALID;
--> statement-breakpoint
ALTER TABLE "cos"."goals" ADD CONSTRAINT "goals_blocked_sleep" CHECK (status <> 'blocked' or wake_at is null) NOT VALID;
--> statement-breakpoint
ALTER TABLE "cos"."goals" ADD CONSTRAINT "goals_parked_why" CHECK (blocked_on is distinct from 'person' or outcome is not null) NOT VALID;
--> statement-breakpoint
ALTER TABLE "cos"."goals" ADD CONSTRAINT "goals_parked_ground" CHECK (blocked_on is distinct from 'ground' or parked_for is not null) NOT VALID;
--> statement-breakpoint
ALTER TABLE "cos"."goals" ADD CONSTRAINT "goals_ended" CHECK (status not in ('complete', 'failed', 'deferred', 'manual_followup')
        or (leased_by is null and stop_requested is null and parked_for is null and phase = 'start')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "cos"."runs" ADD CONSTRAINT "runs_status" CHECK (status in ('open', 'ended')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "cos"."runs" ADD CONSTRAINT "runs_ended" CHECK ((status = 'ended') = (ended_at is not null)) NOT VALID;
--> statement-breakpoint
-- Rows that cannot be, as earlier versions or hands left them. A run has an end when it has ended, and has ended with its goal.
update cos.runs set
  status = case when status = 'open' then 'open' else 'ended' end,
  ended_at = case when status = 'open' then null else coalesce(ended_at, started_at) end
where status not in ('open', 'ended') or (status = 'ended') <> (ended_at is not null);
--> statement-breakpoint
update cos.runs r set status = 'ended', ended_at = g.updated_at from cos.goals g
where g.goal_id = r.goal_id and r.status = 'open' and g.status in ('complete', 'failed', 'deferred', 'manual_followup');
--> statement-breakpoint
-- Nobody needs an answer about a goal that has ended.
update cos.checkpoints c set status = 'superseded', resolved_at = now() from cos.goals g
where g.goal_id = c.subject and c.status = 'pending' and g.status in ('complete', 'failed', 'deferred', 'manual_followup');
--> statement-breakpoint
-- What has ended or is blocked rests, who is in a phase has an open run, and what a goal is blocked on is told from the rows.
update cos.goals g set
  status = n.status, blocked_on = n.blocked_on, phase = n.phase, wake_at = n.wake_at, leased_by = n.leased_by,
  leased_until = n.leased_until, stop_requested = n.stop_requested, parked_for = n.parked_for, outcome = n.outcome
from (
  select goal_id, status, phase, parked_for, leased_by, leased_until, blocked_on,
    case when is_resting then null else wake_at end as wake_at,
    case when leased_by is null then null else stop_requested end as stop_requested,
    case when blocked_on = 'person' then coalesce(outcome, 'Parked. Go on with: cos goal resume ' || goal_id) else outcome end as outcome
  from (
    select goal_id, wake_at, stop_requested, outcome, phase, parked_for, is_ended or status = 'blocked' as is_resting,
      case when is_ended or status = 'blocked' then status when phase = 'start' then 'pending' else 'in_progress' end as status,
      case when status <> 'blocked' then null when is_asked then 'question' when parked_for is not null then 'ground' else 'person' end as blocked_on,
      case when is_ended or turn = 0 then null else leased_by end as leased_by,
      case when is_ended or turn = 0 then null else leased_until end as leased_until
    from (
      select goal_id, status, turn, wake_at, leased_by, leased_until, stop_requested, outcome, is_ended, is_asked,
        case when is_ended or not has_run then 'start' else phase end as phase,
        case when is_ended then null else parked_for end as parked_for
      from (
        select *, status in ('complete', 'failed', 'deferred', 'manual_followup') as is_ended,
          exists (select 1 from cos.checkpoints c where c.subject = goals.goal_id and c.status = 'pending') as is_asked,
          exists (select 1 from cos.runs r where r.run_id = goals.run_id and r.goal_id = goals.goal_id and r.status = 'open') as has_run
        from cos.goals
      ) as known
    ) as placed
  ) as held
) as n
where n.goal_id = g.goal_id
  and (g.status, g.blocked_on, g.phase, g.wake_at, g.leased_by, g.leased_until, g.stop_requested, g.parked_for, g.outcome)
    is distinct from (n.status, n.blocked_on, n.phase, n.wake_at, n.leased_by, n.leased_until, n.stop_requested, n.parked_for, n.outcome);
--> statement-breakpoint
ALTER TABLE "cos"."goals" VALIDATE CONSTRAINT "goals_leased_turn";
--> statement-breakpoint
ALTER TABLE "cos"."goals" VALIDATE CONSTRAINT "goals_stop";
--> statement-breakpoint
ALTER TABLE "cos"."goals" VALIDATE CONSTRAINT "goals_pending";
--> statement-breakpoint
ALTER TABLE "cos"."goals" VALIDATE CONSTRAINT "goals_begun";
--> statement-breakpoint
ALTER TABLE "cos"."goals" VALIDATE CONSTRAINT "goals_run";
--> statement-breakpoint
ALTER TABLE "cos"."goals" VALIDATE CONSTRAINT "goals_blocked";
--> statement-breakpoint
ALTER TABLE "cos"."goals" VALIDATE CONSTRAINT "goals_blocked_sleep";
--> statement-breakpoint
ALTER TABLE "cos"."goals" VALIDATE CONSTRAINT "goals_parked_why";
--> statement-breakpoint
ALTER TABLE "cos"."goals" VALIDATE CONSTRAINT "goals_parked_ground";
--> statement-breakpoint
ALTER TABLE "cos"."goals" VALIDATE CONSTRAINT "goals_ended";
--> statement-breakpoint
ALTER TABLE "cos"."runs" VALIDATE CONSTRAINT "runs_status";
--> statement-breakpoint
ALTER TABLE "cos"."runs" VALIDATE CONSTRAINT "runs_ended";
--> statement-breakpoint
-- What one row cannot say, looked at when a transaction commits: a goal that is blocked on a question has one, one in a phase has
-- its run, and one that has ended has neither.
create function cos.hold_goal() returns trigger language plpgsql as $$
declare
  goal cos.goals;
  is_asked boolean;
  rule text;
begin
  select * into goal from cos.goals where goal_id = new.goal_id;
  if not found then return null; end if;
  is_asked := exists (select 1 from cos.checkpoints where subject = goal.goal_id and status = 'pending');
  if goal.blocked_on = 'question' and not is_asked then rule := 'goals_question';
  elsif goal.phase <> 'start'
    and not exists (select 1 from cos.runs where goal_id = goal.goal_id and run_id = goal.run_id and status = 'open')
    then rule := 'goals_open_run';
  elsif goal.status in ('complete', 'failed', 'deferred', 'manual_followup') then
    if is_asked then rule := 'goals_ended_question';
    elsif exists (select 1 from cos.runs where goal_id = goal.goal_id and status = 'open') then rule := 'goals_ended_run';
    end if;
  end if;
  if rule is not null then
    raise exception 'goal % (%, phase %) violates "%"', goal.goal_id, goal.status, goal.phase, rule
      using errcode = 'check_violation', schema = 'cos', table = 'goals', constraint = rule;
  end if;
  return null;
end $$;
--> statement-breakpoint
create constraint trigger goals_hold_new after insert on cos.goals deferrable initially deferred for each row
when (new.status <> 'pending') execute function cos.hold_goal();
--> statement-breakpoint
create constraint trigger goals_hold after update of status, blocked_on, phase, run_id on cos.goals deferrable initially deferred
for each row when (
  (old.status, old.blocked_on, old.phase, old.run_id) is distinct from (new.status, new.blocked_on, new.phase, new.run_id)
  and (new.blocked_on = 'question' or new.phase <> 'start' or new.status in ('complete', 'failed', 'deferred', 'manual_followup'))
) execute function cos.hold_goal();
--> statement-breakpoint
create constraint trigger checkpoints_hold_new after insert on cos.checkpoints deferrable initially deferred for each row
when (new.goal_id = new.subject) execute function cos.hold_goal();
--> statement-breakpoint
create constraint trigger checkpoints_hold after update of status on cos.checkpoints deferrable initially deferred for each row
when (new.goal_id = new.subject and old.status <> new.status) execute function cos.hold_goal();
--> statement-breakpoint
create constraint trigger runs_hold_new after insert on cos.runs deferrable initially deferred for each row
when (new.status = 'open') execute function cos.hold_goal();
--> statement-breakpoint
create constraint trigger runs_hold after update of status on cos.runs deferrable initially deferred for each row
when (old.status <> new.status) execute function cos.hold_goal();
