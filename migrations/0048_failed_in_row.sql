ALTER TABLE "cos"."sessions" ADD COLUMN "failed_in_row" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
-- Who was counted is known by how it ended: the last ones, as many as were counted.
update cos.sessions s set failed_in_row = (
  select coalesce(jsonb_agg(goal_id order by updated_at), '[]') from (
    select goal_id, updated_at from cos.goals g
    where g.session_id = s.session_id and (g.status = 'failed' or g.recovery_level = 4)
    order by updated_at desc limit s.failure_streak
  ) counted)
  where failure_streak > 0 and status <> 'ended';--> statement-breakpoint
ALTER TABLE "cos"."sessions" DROP COLUMN "failure_streak";
