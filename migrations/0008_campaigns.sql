CREATE TABLE "cos"."campaign_days" (
	"campaign_id" text NOT NULL,
	"day_number" integer NOT NULL,
	"date" date,
	"goals" jsonb NOT NULL,
	"budget_micro_usd" bigint NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"actual_cost_micro_usd" bigint DEFAULT 0 NOT NULL,
	"notes" text DEFAULT '' NOT NULL,
	CONSTRAINT "campaign_days_campaign_id_day_number_pk" PRIMARY KEY("campaign_id","day_number"),
	CONSTRAINT "campaign_days_status" CHECK (status in ('pending', 'in_progress', 'done')),
	CONSTRAINT "campaign_days_number" CHECK (day_number >= 1)
);
--> statement-breakpoint
CREATE TABLE "cos"."campaigns" (
	"campaign_id" text PRIMARY KEY NOT NULL,
	"repository_id" text NOT NULL,
	"name" text NOT NULL,
	"goal" text NOT NULL,
	"state" text DEFAULT 'planning' NOT NULL,
	"current_day" integer DEFAULT 1 NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"end_reason" text,
	"total_budget_micro_usd" bigint NOT NULL,
	"daily_budget_micro_usd" bigint NOT NULL,
	"deadline_days" integer,
	"original_duration_days" integer DEFAULT 0 NOT NULL,
	"replanning_threshold" double precision DEFAULT 0.3 NOT NULL,
	"replan_count" integer DEFAULT 0 NOT NULL,
	"automatic_replans" integer DEFAULT 0 NOT NULL,
	"last_automatic_day" integer,
	"plan_notes" jsonb NOT NULL,
	"planned_by" text NOT NULL,
	"wanted" jsonb,
	"goes_on" boolean DEFAULT false NOT NULL,
	"paused_by" text,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "campaigns_state" CHECK (state in ('planning', 'active', 'paused', 'completed', 'failed')),
	CONSTRAINT "campaigns_budget" CHECK (total_budget_micro_usd > 0 and daily_budget_micro_usd > 0),
	CONSTRAINT "campaigns_ended" CHECK ((state in ('completed', 'failed')) = (ended_at is not null)),
	CONSTRAINT "campaigns_started" CHECK (state not in ('active', 'paused', 'completed') or started_at is not null)
);
--> statement-breakpoint
CREATE TABLE "cos"."milestones" (
	"campaign_id" text NOT NULL,
	"milestone_id" text NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"target_day" integer NOT NULL,
	"success_criteria" jsonb NOT NULL,
	"instructions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"completed_at" timestamp with time zone,
	"completed_by" text,
	CONSTRAINT "milestones_campaign_id_milestone_id_pk" PRIMARY KEY("campaign_id","milestone_id"),
	CONSTRAINT "milestones_status" CHECK (status in ('pending', 'in_progress', 'done', 'blocked')),
	CONSTRAINT "milestones_done" CHECK ((status = 'done') = (completed_at is not null))
);
--> statement-breakpoint
CREATE TABLE "cos"."nights" (
	"night_id" text PRIMARY KEY NOT NULL,
	"budget_micro_usd" bigint NOT NULL,
	"until_at" timestamp with time zone NOT NULL,
	"allowed" jsonb NOT NULL,
	"goal_ids" jsonb NOT NULL,
	"started_by" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"end_reason" text
);
--> statement-breakpoint
ALTER TABLE "cos"."spend" ALTER COLUMN "goal_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "cos"."spend" ALTER COLUMN "run_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "cos"."consultations" ADD COLUMN "campaign_id" text;--> statement-breakpoint
ALTER TABLE "cos"."goals" ADD COLUMN "campaign_id" text;--> statement-breakpoint
ALTER TABLE "cos"."goals" ADD COLUMN "campaign_day" integer;--> statement-breakpoint
ALTER TABLE "cos"."goals" ADD COLUMN "milestone_id" text;--> statement-breakpoint
ALTER TABLE "cos"."sessions" ADD COLUMN "kind" text DEFAULT 'plain' NOT NULL;--> statement-breakpoint
ALTER TABLE "cos"."sessions" ADD COLUMN "campaign_id" text;--> statement-breakpoint
ALTER TABLE "cos"."sessions" ADD COLUMN "campaign_day" integer;--> statement-breakpoint
ALTER TABLE "cos"."sessions" ADD COLUMN "night_id" text;--> statement-breakpoint
ALTER TABLE "cos"."sessions" ADD COLUMN "ended_by" text;--> statement-breakpoint
ALTER TABLE "cos"."spend" ADD COLUMN "campaign_id" text;--> statement-breakpoint
ALTER TABLE "cos"."timeline" ADD COLUMN "campaign_id" text;--> statement-breakpoint
ALTER TABLE "cos"."campaign_days" ADD CONSTRAINT "campaign_days_campaign_id_campaigns_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "cos"."campaigns"("campaign_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."campaigns" ADD CONSTRAINT "campaigns_repository_id_repositories_repository_id_fk" FOREIGN KEY ("repository_id") REFERENCES "cos"."repositories"("repository_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."milestones" ADD CONSTRAINT "milestones_campaign_id_campaigns_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "cos"."campaigns"("campaign_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "campaigns_open" ON "cos"."campaigns" USING btree ("created_at") WHERE state in ('planning', 'active', 'paused');--> statement-breakpoint
CREATE UNIQUE INDEX "nights_one_open" ON "cos"."nights" USING btree ((ended_at is null)) WHERE ended_at is null;--> statement-breakpoint
ALTER TABLE "cos"."checkpoints" ADD CONSTRAINT "checkpoints_campaign_id_campaigns_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "cos"."campaigns"("campaign_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."consultations" ADD CONSTRAINT "consultations_campaign_id_campaigns_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "cos"."campaigns"("campaign_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."goals" ADD CONSTRAINT "goals_campaign_id_campaigns_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "cos"."campaigns"("campaign_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."sessions" ADD CONSTRAINT "sessions_campaign_id_campaigns_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "cos"."campaigns"("campaign_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."sessions" ADD CONSTRAINT "sessions_night_id_nights_night_id_fk" FOREIGN KEY ("night_id") REFERENCES "cos"."nights"("night_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."spend" ADD CONSTRAINT "spend_campaign_id_campaigns_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "cos"."campaigns"("campaign_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "goals_by_campaign" ON "cos"."goals" USING btree ("campaign_id") WHERE campaign_id is not null;--> statement-breakpoint
CREATE INDEX "sessions_by_campaign" ON "cos"."sessions" USING btree ("campaign_id","campaign_day");--> statement-breakpoint
CREATE INDEX "timeline_by_campaign" ON "cos"."timeline" USING btree ("campaign_id","timeline_id") WHERE campaign_id is not null;--> statement-breakpoint
ALTER TABLE "cos"."spend" ADD CONSTRAINT "spend_for" CHECK ((goal_id is null) = (run_id is null) and (goal_id is null) = (campaign_id is not null));--> statement-breakpoint
drop view cos.call_costs;--> statement-breakpoint
create view cos.call_costs as
select call_id, goal_id, run_id, session_id, day, campaign_id,
  bool_or(kind = 'settled') as is_settled,
  coalesce(max(amount_micro_usd) filter (where kind = 'settled'), max(amount_micro_usd)) as committed_micro_usd,
  coalesce(max(amount_micro_usd) filter (where kind = 'settled'),
           max(amount_micro_usd) filter (where kind = 'reported'), 0) as spent_micro_usd,
  coalesce(bool_or(is_estimated) filter (where kind = 'settled'), false) as is_estimated
from cos.spend group by call_id, goal_id, run_id, session_id, day, campaign_id;
