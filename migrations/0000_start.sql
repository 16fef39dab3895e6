CREATE SCHEMA "cos";
--> statement-breakpoint
CREATE TABLE "cos"."checkpoints" (
	"checkpoint_id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"goal_id" text,
	"campaign_id" text,
	"run_id" text,
	"version" integer DEFAULT 1 NOT NULL,
	"trigger" text NOT NULL,
	"reasons" jsonb NOT NULL,
	"context" text NOT NULL,
	"options" jsonb NOT NULL,
	"recommendation" text NOT NULL,
	"facts" jsonb NOT NULL,
	"content_hash" text NOT NULL,
	"status" text NOT NULL,
	"chosen_option" text,
	"human_notes" text,
	"resolved_by" text,
	"resolved_via" text,
	"resolved_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"reminded_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"paused_by" text,
	"changed" text,
	CONSTRAINT "checkpoints_status" CHECK (status in ('pending', 'approved', 'rejected', 'expired', 'superseded')),
	CONSTRAINT "checkpoints_resolved" CHECK ((status = 'pending') = (resolved_at is null)),
	CONSTRAINT "checkpoints_answered" CHECK (status not in ('approved', 'rejected') or (chosen_option is not null and resolved_by is not null))
);
--> statement-breakpoint
CREATE TABLE "cos"."days" (
	"day" date PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cos"."decisions" (
	"decision_id" bigserial PRIMARY KEY NOT NULL,
	"checkpoint_id" text NOT NULL,
	"version" integer NOT NULL,
	"choice" text NOT NULL,
	"effect" text NOT NULL,
	"settles" boolean NOT NULL,
	"actor" text NOT NULL,
	"via" text NOT NULL,
	"notes" text,
	"instructions" text,
	"criteria" text,
	"budget_micro_usd" bigint,
	"waited_ms" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cos"."evidence" (
	"evidence_id" bigserial PRIMARY KEY NOT NULL,
	"goal_id" text NOT NULL,
	"run_id" text NOT NULL,
	"turn" integer NOT NULL,
	"kind" text NOT NULL,
	"command" text NOT NULL,
	"exit_code" integer,
	"commit" text,
	"duration_ms" integer NOT NULL,
	"output_file" text,
	"output_bytes" bigint,
	"sha256" text,
	"tag" text NOT NULL,
	"detail" jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "evidence_once" UNIQUE("run_id","turn","kind")
);
--> statement-breakpoint
CREATE TABLE "cos"."goals" (
	"goal_id" text PRIMARY KEY NOT NULL,
	"repository_id" text NOT NULL,
	"session_id" text,
	"position" bigserial NOT NULL,
	"content" text NOT NULL,
	"tags" jsonb NOT NULL,
	"priority" text NOT NULL,
	"tier" text,
	"estimated_minutes" integer,
	"estimate_micro_usd" bigint,
	"ceiling_micro_usd" bigint,
	"linkage" jsonb NOT NULL,
	"linked_text" text,
	"criteria" text,
	"files_allowed" jsonb NOT NULL,
	"proof_allowed" jsonb NOT NULL,
	"run_command" text,
	"instructions" jsonb NOT NULL,
	"is_unplanned" boolean NOT NULL,
	"error_count" integer DEFAULT 0 NOT NULL,
	"recovery_level" integer DEFAULT 0 NOT NULL,
	"is_hiccup" boolean DEFAULT false NOT NULL,
	"status" text NOT NULL,
	"phase" text NOT NULL,
	"turn" integer DEFAULT 0 NOT NULL,
	"interruptions" integer DEFAULT 0 NOT NULL,
	"wake_at" timestamp with time zone,
	"leased_by" text,
	"leased_until" timestamp with time zone,
	"stop_requested" text,
	"run_id" text,
	"branch" text,
	"outcome" text,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "goals_status" CHECK (status in ('pending', 'in_progress', 'blocked', 'complete', 'failed', 'deferred', 'manual_followup')),
	CONSTRAINT "goals_lease" CHECK ((leased_by is null) = (leased_until is null)),
	CONSTRAINT "goals_turn" CHECK (turn >= 0),
	CONSTRAINT "goals_ended_sleep" CHECK (status not in ('complete', 'failed', 'deferred', 'manual_followup') or wake_at is null),
	CONSTRAINT "goals_estimate" CHECK (estimate_micro_usd is null or estimate_micro_usd >= 0)
);
--> statement-breakpoint
CREATE TABLE "cos"."grants" (
	"grant_id" bigserial PRIMARY KEY NOT NULL,
	"goal_id" text NOT NULL,
	"fingerprint" text NOT NULL,
	"checkpoint_id" text NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "grants_checkpoint_id_unique" UNIQUE("checkpoint_id")
);
--> statement-breakpoint
CREATE TABLE "cos"."messages" (
	"message_id" bigserial PRIMARY KEY NOT NULL,
	"platform" text NOT NULL,
	"channel" text NOT NULL,
	"subject" text NOT NULL,
	"thread_subject" text,
	"card" jsonb NOT NULL,
	"version" integer NOT NULL,
	"urgent_version" integer NOT NULL,
	"posted_card" jsonb,
	"posted_version" integer,
	"posted_at" timestamp with time zone,
	"posting_since" timestamp with time zone,
	"address" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"not_before" timestamp with time zone,
	"plain" boolean DEFAULT false NOT NULL,
	"undeliverable" text,
	"changed" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "messages_once" UNIQUE("platform","channel","subject"),
	CONSTRAINT "messages_version" CHECK (posted_version is null or posted_version <= version),
	CONSTRAINT "messages_posted" CHECK ((posted_version is null) = (address is null))
);
--> statement-breakpoint
CREATE TABLE "cos"."repositories" (
	"repository_id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"path" text NOT NULL,
	"base_branch" text NOT NULL,
	"setup" text,
	"checks" jsonb NOT NULL,
	"push_remote" text,
	"agent" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "repositories_name_unique" UNIQUE("name"),
	CONSTRAINT "repositories_path_unique" UNIQUE("path")
);
--> statement-breakpoint
CREATE TABLE "cos"."runs" (
	"run_id" text PRIMARY KEY NOT NULL,
	"goal_id" text NOT NULL,
	"status" text NOT NULL,
	"content_hash" text NOT NULL,
	"settled" jsonb NOT NULL,
	"approved_by" text,
	"base_commit" text,
	"head_commit" text,
	"agent_session_id" text,
	"claimed_summary" text,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "cos"."schedule_runs" (
	"schedule" text NOT NULL,
	"run_for" date NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "schedule_runs_once" UNIQUE("schedule","run_for")
);
--> statement-breakpoint
CREATE TABLE "cos"."seen_events" (
	"event_id" text PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cos"."sessions" (
	"session_id" text PRIMARY KEY NOT NULL,
	"repository_id" text NOT NULL,
	"status" text NOT NULL,
	"budget_micro_usd" bigint NOT NULL,
	"stopping" boolean DEFAULT false NOT NULL,
	"paused_by" text,
	"end_reason" text,
	"started_by" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "sessions_status" CHECK (status in ('running', 'paused', 'ended')),
	CONSTRAINT "sessions_budget" CHECK (budget_micro_usd > 0),
	CONSTRAINT "sessions_ended" CHECK ((status = 'ended') = (ended_at is not null))
);
--> statement-breakpoint
CREATE TABLE "cos"."spend" (
	"spend_id" bigserial PRIMARY KEY NOT NULL,
	"call_id" text NOT NULL,
	"kind" text NOT NULL,
	"amount_micro_usd" bigint NOT NULL,
	"is_estimated" boolean NOT NULL,
	"day" date NOT NULL,
	"goal_id" text NOT NULL,
	"run_id" text NOT NULL,
	"session_id" text,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "spend_amount" CHECK (amount_micro_usd >= 0)
);
--> statement-breakpoint
CREATE TABLE "cos"."timeline" (
	"timeline_id" bigserial PRIMARY KEY NOT NULL,
	"goal_id" text,
	"session_id" text,
	"run_id" text,
	"checkpoint_id" text,
	"event" text NOT NULL,
	"actor" text,
	"via" text,
	"detail" jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "cos"."checkpoints" ADD CONSTRAINT "checkpoints_goal_id_goals_goal_id_fk" FOREIGN KEY ("goal_id") REFERENCES "cos"."goals"("goal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."checkpoints" ADD CONSTRAINT "checkpoints_run_id_runs_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "cos"."runs"("run_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."decisions" ADD CONSTRAINT "decisions_checkpoint_id_checkpoints_checkpoint_id_fk" FOREIGN KEY ("checkpoint_id") REFERENCES "cos"."checkpoints"("checkpoint_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."evidence" ADD CONSTRAINT "evidence_goal_id_goals_goal_id_fk" FOREIGN KEY ("goal_id") REFERENCES "cos"."goals"("goal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."evidence" ADD CONSTRAINT "evidence_run_id_runs_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "cos"."runs"("run_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."goals" ADD CONSTRAINT "goals_repository_id_repositories_repository_id_fk" FOREIGN KEY ("repository_id") REFERENCES "cos"."repositories"("repository_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."goals" ADD CONSTRAINT "goals_session_id_sessions_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "cos"."sessions"("session_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."grants" ADD CONSTRAINT "grants_goal_id_goals_goal_id_fk" FOREIGN KEY ("goal_id") REFERENCES "cos"."goals"("goal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."grants" ADD CONSTRAINT "grants_checkpoint_id_checkpoints_checkpoint_id_fk" FOREIGN KEY ("checkpoint_id") REFERENCES "cos"."checkpoints"("checkpoint_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."runs" ADD CONSTRAINT "runs_goal_id_goals_goal_id_fk" FOREIGN KEY ("goal_id") REFERENCES "cos"."goals"("goal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."sessions" ADD CONSTRAINT "sessions_repository_id_repositories_repository_id_fk" FOREIGN KEY ("repository_id") REFERENCES "cos"."repositories"("repository_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."spend" ADD CONSTRAINT "spend_goal_id_goals_goal_id_fk" FOREIGN KEY ("goal_id") REFERENCES "cos"."goals"("goal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."spend" ADD CONSTRAINT "spend_run_id_runs_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "cos"."runs"("run_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "checkpoints_one_open" ON "cos"."checkpoints" USING btree ("subject") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "checkpoints_by_goal" ON "cos"."checkpoints" USING btree ("goal_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "decisions_one_settles" ON "cos"."decisions" USING btree ("checkpoint_id") WHERE settles;--> statement-breakpoint
CREATE INDEX "evidence_by_goal" ON "cos"."evidence" USING btree ("goal_id");--> statement-breakpoint
CREATE INDEX "goals_ready" ON "cos"."goals" USING btree ("wake_at") WHERE wake_at is not null;--> statement-breakpoint
CREATE INDEX "goals_by_session" ON "cos"."goals" USING btree ("session_id","position");--> statement-breakpoint
CREATE INDEX "messages_wanting" ON "cos"."messages" USING btree ("platform","message_id") WHERE posted_version is distinct from version;--> statement-breakpoint
CREATE UNIQUE INDEX "runs_one_open" ON "cos"."runs" USING btree ("goal_id") WHERE status = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_one_open" ON "cos"."sessions" USING btree ("repository_id") WHERE status <> 'ended';--> statement-breakpoint
CREATE UNIQUE INDEX "spend_settled_once" ON "cos"."spend" USING btree ("call_id") WHERE kind = 'settled';--> statement-breakpoint
CREATE UNIQUE INDEX "spend_reserved_once" ON "cos"."spend" USING btree ("call_id") WHERE kind = 'reserved';--> statement-breakpoint
CREATE INDEX "spend_by_goal" ON "cos"."spend" USING btree ("goal_id");--> statement-breakpoint
CREATE INDEX "spend_by_session" ON "cos"."spend" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "spend_by_day" ON "cos"."spend" USING btree ("day");--> statement-breakpoint
CREATE INDEX "timeline_by_goal" ON "cos"."timeline" USING btree ("goal_id","timeline_id");--> statement-breakpoint
CREATE INDEX "timeline_by_session" ON "cos"."timeline" USING btree ("session_id","timeline_id");--> statement-breakpoint
CREATE INDEX "timeline_by_time" ON "cos"."timeline" USING btree ("at");