CREATE TABLE "cos"."worklog_checkpoints" (
	"session_id" text NOT NULL,
	"phase" text NOT NULL,
	"n" integer NOT NULL,
	"summary" jsonb NOT NULL,
	CONSTRAINT "worklog_checkpoints_once" UNIQUE("session_id","phase")
);
--> statement-breakpoint
CREATE TABLE "cos"."worklog_days" (
	"day" text PRIMARY KEY NOT NULL,
	"worklogs" integer DEFAULT 0 NOT NULL,
	"operations" integer DEFAULT 0 NOT NULL,
	"unstored" integer DEFAULT 0 NOT NULL,
	"verified" integer DEFAULT 0 NOT NULL,
	"unverified" integer DEFAULT 0 NOT NULL,
	"summaries" integer DEFAULT 0 NOT NULL,
	"corrections" integer DEFAULT 0 NOT NULL,
	"skipping" integer DEFAULT 0 NOT NULL,
	"tokens" bigint DEFAULT 0 NOT NULL,
	"outcomes" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cos"."worklog_entries" (
	"entry_id" bigserial PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"key" text NOT NULL,
	"entry" jsonb NOT NULL,
	CONSTRAINT "worklog_entries_once" UNIQUE("session_id","key")
);
--> statement-breakpoint
CREATE TABLE "cos"."worklog_todos" (
	"session_id" text PRIMARY KEY NOT NULL,
	"task_hash" text NOT NULL,
	"todos" jsonb NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cos"."worklogs" (
	"session_id" text PRIMARY KEY NOT NULL,
	"goal_id" text,
	"run_id" text,
	"owner" text NOT NULL,
	"task_description" text NOT NULL,
	"tier" text NOT NULL,
	"confidence" real NOT NULL,
	"reason" text NOT NULL,
	"flags" jsonb NOT NULL,
	"planned" jsonb NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"last_modified" timestamp with time zone NOT NULL,
	"completed_at" timestamp with time zone,
	"outcome" text NOT NULL,
	"settled_at" timestamp with time zone,
	"summary" jsonb,
	"tokens" integer DEFAULT 0 NOT NULL,
	"bytes" integer DEFAULT 0 NOT NULL,
	"unstored" integer DEFAULT 0 NOT NULL,
	"gap" text,
	"corrections" integer DEFAULT 0 NOT NULL,
	"released_at" timestamp with time zone,
	"released_by" text,
	"is_corrupt" boolean DEFAULT false NOT NULL,
	"has_raw" boolean DEFAULT true NOT NULL,
	"is_counted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "worklogs_outcome" CHECK (outcome in ('success', 'failure', 'aborted', 'abandoned', 'in_progress')),
	CONSTRAINT "worklogs_tier" CHECK (tier in ('STRICT', 'STANDARD', 'LIGHT', 'EXEMPT'))
);
--> statement-breakpoint
ALTER TABLE "cos"."goals" ADD COLUMN "worklog_flags" jsonb;--> statement-breakpoint
ALTER TABLE "cos"."sessions" ADD COLUMN "worklog_flags" jsonb;--> statement-breakpoint
ALTER TABLE "cos"."worklog_checkpoints" ADD CONSTRAINT "worklog_checkpoints_session_id_worklogs_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "cos"."worklogs"("session_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."worklog_entries" ADD CONSTRAINT "worklog_entries_session_id_worklogs_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "cos"."worklogs"("session_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."worklog_todos" ADD CONSTRAINT "worklog_todos_session_id_worklogs_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "cos"."worklogs"("session_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "worklog_entries_in_order" ON "cos"."worklog_entries" USING btree ("session_id","entry_id");--> statement-breakpoint
CREATE UNIQUE INDEX "worklogs_one_open" ON "cos"."worklogs" USING btree ("run_id") WHERE outcome = 'in_progress';--> statement-breakpoint
CREATE INDEX "worklogs_by_goal" ON "cos"."worklogs" USING btree ("goal_id");--> statement-breakpoint
CREATE INDEX "worklogs_by_start" ON "cos"."worklogs" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "worklogs_unfinished" ON "cos"."worklogs" USING btree ("owner","started_at") WHERE outcome in ('abandoned', 'in_progress') and released_at is null;--> statement-breakpoint
CREATE INDEX "worklogs_raw" ON "cos"."worklogs" USING btree ("last_modified") WHERE has_raw;