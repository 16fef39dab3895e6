CREATE TABLE "cos"."pull_remarks" (
	"goal_id" text NOT NULL,
	"key" text NOT NULL,
	"position" integer NOT NULL,
	"kind" text NOT NULL,
	"author" text NOT NULL,
	"body" text NOT NULL,
	"path" text,
	"line" integer,
	"heard_at" timestamp with time zone NOT NULL,
	"run_id" text,
	CONSTRAINT "pull_remarks_goal_id_key_pk" PRIMARY KEY("goal_id","key"),
	CONSTRAINT "pull_remarks_kind" CHECK (kind in ('changes', 'comment', 'line'))
);
--> statement-breakpoint
ALTER TABLE "cos"."pulls" ADD COLUMN "heard" text;--> statement-breakpoint
ALTER TABLE "cos"."pulls" ADD COLUMN "heard_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "cos"."pulls" ADD COLUMN "remarks_waiting" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "cos"."pulls" ADD COLUMN "last_remark" text;--> statement-breakpoint
ALTER TABLE "cos"."pulls" ADD COLUMN "checks" jsonb;--> statement-breakpoint
ALTER TABLE "cos"."pulls" ADD COLUMN "checks_due_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "cos"."pulls" ADD COLUMN "checks_given" text;--> statement-breakpoint
ALTER TABLE "cos"."pulls" ADD COLUMN "check_rounds" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "cos"."pull_remarks" ADD CONSTRAINT "pull_remarks_goal_id_goals_goal_id_fk" FOREIGN KEY ("goal_id") REFERENCES "cos"."goals"("goal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."pull_remarks" ADD CONSTRAINT "pull_remarks_run_id_runs_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "cos"."runs"("run_id") ON DELETE no action ON UPDATE no action;