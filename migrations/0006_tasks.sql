CREATE TABLE "cos"."phase_reports" (
	"report_id" bigserial PRIMARY KEY NOT NULL,
	"goal_id" text NOT NULL,
	"run_id" text NOT NULL,
	"iteration" integer NOT NULL,
	"task_id" text,
	"report" jsonb NOT NULL,
	"evidence" jsonb,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cos"."tasks" (
	"goal_id" text NOT NULL,
	"task_id" text NOT NULL,
	"position" integer NOT NULL,
	"title" text NOT NULL,
	"acceptance_criteria" jsonb NOT NULL,
	"files_allowed" jsonb NOT NULL,
	"depends_on" jsonb NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"feedback" text,
	"commit" text,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "tasks_goal_id_task_id_pk" PRIMARY KEY("goal_id","task_id"),
	CONSTRAINT "tasks_status" CHECK (status in ('pending', 'in_progress', 'passed', 'failed'))
);
--> statement-breakpoint
ALTER TABLE "cos"."goals" ADD COLUMN "task_parallel" integer;--> statement-breakpoint
ALTER TABLE "cos"."goals" ADD COLUMN "task_settings" jsonb;--> statement-breakpoint
ALTER TABLE "cos"."runs" ADD COLUMN "loop" jsonb;--> statement-breakpoint
ALTER TABLE "cos"."runs" ADD COLUMN "fix_rounds" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "cos"."phase_reports" ADD CONSTRAINT "phase_reports_goal_id_goals_goal_id_fk" FOREIGN KEY ("goal_id") REFERENCES "cos"."goals"("goal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."phase_reports" ADD CONSTRAINT "phase_reports_run_id_runs_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "cos"."runs"("run_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."tasks" ADD CONSTRAINT "tasks_goal_id_goals_goal_id_fk" FOREIGN KEY ("goal_id") REFERENCES "cos"."goals"("goal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "phase_reports_by_goal" ON "cos"."phase_reports" USING btree ("goal_id","report_id");--> statement-breakpoint
create trigger append_only before update or delete on cos.phase_reports for each row execute function cos.refuse_change();
