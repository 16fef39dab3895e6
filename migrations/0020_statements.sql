CREATE TABLE "cos"."open_branches" (
	"goal_id" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cos"."tallies" (
	"tally_id" bigserial PRIMARY KEY NOT NULL,
	"about" text NOT NULL,
	"number" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "cos"."messages" DROP CONSTRAINT "messages_once";--> statement-breakpoint
DROP INDEX "cos"."attempts_by_goal";--> statement-breakpoint
DROP INDEX "cos"."attempts_by_fingerprint";--> statement-breakpoint
DROP INDEX "cos"."goals_by_ground";--> statement-breakpoint
DROP INDEX "cos"."messages_wanting";--> statement-breakpoint
DROP INDEX "cos"."spend_by_goal";--> statement-breakpoint
DROP INDEX "cos"."sessions_by_campaign";--> statement-breakpoint
ALTER TABLE "cos"."messages" ADD COLUMN "is_wanting" boolean GENERATED ALWAYS AS (posted_version is distinct from version) STORED;--> statement-breakpoint
ALTER TABLE "cos"."messages" ADD COLUMN "is_asking" boolean GENERATED ALWAYS AS (jsonb_array_length(card -> 'actions') > 0) STORED;--> statement-breakpoint
ALTER TABLE "cos"."open_branches" ADD CONSTRAINT "open_branches_goal_id_goals_goal_id_fk" FOREIGN KEY ("goal_id") REFERENCES "cos"."goals"("goal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "campaigns_by_end" ON "cos"."campaigns" USING btree ("ended_at") WHERE ended_at is not null;--> statement-breakpoint
CREATE INDEX "checkpoints_by_campaign" ON "cos"."checkpoints" USING btree ("campaign_id") WHERE campaign_id is not null;--> statement-breakpoint
CREATE INDEX "decisions_by_checkpoint" ON "cos"."decisions" USING btree ("checkpoint_id");--> statement-breakpoint
CREATE INDEX "decisions_by_time" ON "cos"."decisions" USING btree ("at") WHERE settles;--> statement-breakpoint
CREATE INDEX "grants_open" ON "cos"."grants" USING btree ("goal_id") WHERE used_at is null;--> statement-breakpoint
CREATE INDEX "goals_leased" ON "cos"."goals" USING btree ("leased_by") WHERE leased_by is not null;--> statement-breakpoint
CREATE INDEX "goals_by_status" ON "cos"."goals" USING btree ("status","repository_id","created_at","goal_id");--> statement-breakpoint
CREATE INDEX "goals_by_age" ON "cos"."goals" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "goals_open_builders" ON "cos"."goals" USING btree ("repository_id") WHERE "after" <> '[]' and status in ('pending', 'in_progress', 'blocked');--> statement-breakpoint
CREATE INDEX "runs_by_goal" ON "cos"."runs" USING btree ("goal_id");--> statement-breakpoint
CREATE INDEX "runs_by_end" ON "cos"."runs" USING btree ("ended_at") WHERE ended_at is not null;--> statement-breakpoint
CREATE INDEX "merges_by_goal" ON "cos"."merges" USING btree ("goal_id","merge_id");--> statement-breakpoint
CREATE INDEX "merges_by_time" ON "cos"."merges" USING btree ("settled_at") WHERE settled_at is not null;--> statement-breakpoint
CREATE INDEX "merges_kept" ON "cos"."merges" USING btree ("settled_at") WHERE status = 'discarded' and purged_at is null;--> statement-breakpoint
CREATE INDEX "queued_merges_by_goal" ON "cos"."queued_merges" USING btree ("goal_id");--> statement-breakpoint
CREATE INDEX "messages_by_change" ON "cos"."messages" USING btree ("changed");--> statement-breakpoint
CREATE INDEX "messages_asking" ON "cos"."messages" USING btree ("platform","message_id") WHERE is_asking and address is not null and thread_subject is null;--> statement-breakpoint
CREATE INDEX "messages_by_thread" ON "cos"."messages" USING btree ("thread_subject") WHERE thread_subject is not null;--> statement-breakpoint
CREATE INDEX "messages_undeliverable" ON "cos"."messages" USING btree ("message_id") WHERE undeliverable is not null;--> statement-breakpoint
CREATE INDEX "seen_events_by_age" ON "cos"."seen_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "spend_by_campaign" ON "cos"."spend" USING btree ("campaign_id") WHERE campaign_id is not null;--> statement-breakpoint
CREATE INDEX "spend_by_time" ON "cos"."spend" USING btree ("at");--> statement-breakpoint
CREATE INDEX "nights_by_start" ON "cos"."nights" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "nights_by_goal" ON "cos"."nights" USING gin ("goal_ids");--> statement-breakpoint
CREATE INDEX "sessions_by_night" ON "cos"."sessions" USING btree ("night_id") WHERE night_id is not null;--> statement-breakpoint
CREATE INDEX "sessions_by_start" ON "cos"."sessions" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "timeline_posts" ON "cos"."timeline" USING btree ("checkpoint_id") WHERE event = 'message.posted' and checkpoint_id is not null;--> statement-breakpoint
CREATE INDEX "attempts_by_fingerprint" ON "cos"."attempts" USING btree ("fingerprint","attempt_id") WHERE fingerprint <> '';--> statement-breakpoint
CREATE INDEX "goals_by_ground" ON "cos"."goals" USING gin ("after") WHERE "after" <> '[]';--> statement-breakpoint
CREATE INDEX "messages_wanting" ON "cos"."messages" USING btree ("platform","channel","message_id") WHERE is_wanting;--> statement-breakpoint
CREATE INDEX "spend_by_goal" ON "cos"."spend" USING btree ("goal_id","run_id");--> statement-breakpoint
CREATE INDEX "sessions_by_campaign" ON "cos"."sessions" USING btree ("campaign_id","campaign_day") WHERE campaign_id is not null;--> statement-breakpoint
ALTER TABLE "cos"."messages" ADD CONSTRAINT "messages_once" UNIQUE("subject","platform","channel");--> statement-breakpoint
-- Adds to what is told by tallies; every 64th time some of its rows become one, those that nobody else is at.
create function cos.tally(what text, change integer) returns void language plpgsql as $$
declare
  id bigint;
begin
  insert into cos.tallies (about, number) values (what, change) returning tally_id into id;
  if id % 64 = 0 then
    with gone as (
      delete from cos.tallies where tally_id in (
        select tally_id from cos.tallies order by tally_id limit 1000 for update skip locked)
      returning about, number)
    insert into cos.tallies (about, number)
    select about, sum(number) from gone group by about having sum(number) <> 0;
  end if;
end $$;
--> statement-breakpoint
create function cos.tally_goal() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.status in ('complete', 'failed', 'deferred', 'manual_followup') then
    perform cos.tally('goal.' || old.status, -1);
  end if;
  if tg_op <> 'DELETE' and new.status in ('complete', 'failed', 'deferred', 'manual_followup') then
    perform cos.tally('goal.' || new.status, 1);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger tally_inserted after insert or delete on cos.goals for each row execute function cos.tally_goal();
--> statement-breakpoint
create trigger tally_updated after update of status on cos.goals for each row
  when (old.status is distinct from new.status) execute function cos.tally_goal();
--> statement-breakpoint
-- A plan that nobody started was discarded: it is no campaign that ended.
create function cos.tally_campaign() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.ended_at is not null and old.started_at is not null then
    perform cos.tally('campaign.' || old.state, -1);
  end if;
  if tg_op <> 'DELETE' and new.ended_at is not null and new.started_at is not null then
    perform cos.tally('campaign.' || new.state, 1);
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger tally_inserted after insert or delete on cos.campaigns for each row execute function cos.tally_campaign();
--> statement-breakpoint
create trigger tally_updated after update on cos.campaigns for each row
  when (old.state is distinct from new.state or old.ended_at is distinct from new.ended_at) execute function cos.tally_campaign();
--> statement-breakpoint
insert into cos.tallies (about, number)
select 'goal.' || status, count(*) from cos.goals
where status in ('complete', 'failed', 'deferred', 'manual_followup') group by status
union all
select 'campaign.' || state, count(*) from cos.campaigns where ended_at is not null and started_at is not null group by state;
--> statement-breakpoint
create function cos.open_branch() returns trigger language plpgsql as $$
begin
  if new.status = 'complete' and new.branch is not null then
    insert into cos.open_branches (goal_id) values (new.goal_id) on conflict do nothing;
  else
    delete from cos.open_branches where goal_id = new.goal_id;
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger open_branch_inserted after insert on cos.goals for each row
  when (new.status = 'complete') execute function cos.open_branch();
--> statement-breakpoint
create trigger open_branch_updated after update of status, branch on cos.goals for each row
  when ((old.status = 'complete' or new.status = 'complete')
    and (old.status is distinct from new.status or old.branch is distinct from new.branch)) execute function cos.open_branch();
--> statement-breakpoint
create function cos.close_merged_branch() returns trigger language plpgsql as $$
begin
  delete from cos.open_branches b using cos.goals g, cos.runs r
  where b.goal_id = new.goal_id and g.goal_id = b.goal_id and r.run_id = g.run_id and r.head_commit = new.head_commit;
  return null;
end $$;
--> statement-breakpoint
create trigger close_branch after insert or update of status on cos.merges for each row
  when (new.status in ('merged', 'discarded')) execute function cos.close_merged_branch();
--> statement-breakpoint
create function cos.close_found_branch() returns trigger language plpgsql as $$
begin
  delete from cos.open_branches b using cos.goals g, cos.runs r
  where b.goal_id = new.goal_id and g.goal_id = b.goal_id and r.run_id = g.run_id and r.ended_at <= new.at;
  return null;
end $$;
--> statement-breakpoint
create trigger close_branch after insert on cos.timeline for each row
  when (new.event = 'goal.found-in-git') execute function cos.close_found_branch();
--> statement-breakpoint
insert into cos.open_branches (goal_id)
select g.goal_id from cos.goals g left join cos.runs r on r.run_id = g.run_id
where g.status = 'complete' and g.branch is not null
  and not exists (
    select 1 from cos.merges m
    where m.goal_id = g.goal_id and m.head_commit = r.head_commit and m.status in ('merged', 'discarded'))
  and not exists (
    select 1 from cos.timeline t
    where t.goal_id = g.goal_id and t.event = 'goal.found-in-git' and t.at >= r.ended_at);
