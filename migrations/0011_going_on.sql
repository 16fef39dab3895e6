ALTER TABLE "cos"."goals" ADD COLUMN "unplanned_in" text;--> statement-breakpoint
ALTER TABLE "cos"."goals" ADD COLUMN "after" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "cos"."goals" ADD COLUMN "parked_for" text;--> statement-breakpoint
ALTER TABLE "cos"."goals" ADD COLUMN "joined_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "cos"."runs" ADD COLUMN "stands_on" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "cos"."sessions" ADD COLUMN "in_order" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "goals_by_ground" ON "cos"."goals" USING gin ("after");--> statement-breakpoint
-- What joined a session, or was changed in one, was marked as unplanned for ever: it is so in that session only.
update cos.goals g set is_unplanned = false, unplanned_in = g.session_id
where g.is_unplanned and (
  exists (select 1 from cos.timeline t where t.event = 'session.joined' and t.detail -> 'goals' ? g.goal_id)
  or exists (select 1 from cos.timeline t where t.event = 'goal.edited' and t.goal_id = g.goal_id));
