CREATE TABLE "cos"."attempts" (
	"attempt_id" bigserial PRIMARY KEY NOT NULL,
	"goal_id" text NOT NULL,
	"run_id" text NOT NULL,
	"turn" integer NOT NULL,
	"ladder" integer NOT NULL,
	"rung" integer NOT NULL,
	"number" integer NOT NULL,
	"approach" text NOT NULL,
	"source" text,
	"instruction" text,
	"end" text NOT NULL,
	"error" text NOT NULL,
	"fingerprint" text NOT NULL,
	"criteria" jsonb NOT NULL,
	"files" jsonb NOT NULL,
	"commit" text,
	"cost_micro_usd" bigint NOT NULL,
	"cost_is_estimated" boolean NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "attempts_once" UNIQUE("run_id","ladder","number")
);
--> statement-breakpoint
CREATE TABLE "cos"."consultations" (
	"consultation_id" text PRIMARY KEY NOT NULL,
	"use" text NOT NULL,
	"goal_id" text,
	"run_id" text,
	"prompt_version" text NOT NULL,
	"model" text NOT NULL,
	"outcome" text NOT NULL,
	"answer" jsonb,
	"words" text,
	"input_tokens" integer NOT NULL,
	"output_tokens" integer NOT NULL,
	"cost_micro_usd" bigint,
	"calls" integer NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cos"."replies" (
	"reply_id" text PRIMARY KEY NOT NULL,
	"checkpoint_id" text NOT NULL,
	"thread" text NOT NULL,
	"version" integer NOT NULL,
	"actor" text NOT NULL,
	"actor_id" text,
	"via" text NOT NULL,
	"text" text NOT NULL,
	"compiled" jsonb,
	"status" text NOT NULL,
	"settled_by" text,
	"created_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "cos"."checkpoints" ADD COLUMN "acknowledged_by" text;--> statement-breakpoint
ALTER TABLE "cos"."checkpoints" ADD COLUMN "acknowledged_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "cos"."runs" ADD COLUMN "ladder" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "cos"."runs" ADD COLUMN "rung" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "cos"."runs" ADD COLUMN "rung_attempt" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "cos"."runs" ADD COLUMN "approach" text;--> statement-breakpoint
ALTER TABLE "cos"."runs" ADD COLUMN "approach_source" text;--> statement-breakpoint
ALTER TABLE "cos"."runs" ADD COLUMN "approach_instruction" text;--> statement-breakpoint
ALTER TABLE "cos"."runs" ADD COLUMN "clarification" jsonb;--> statement-breakpoint
ALTER TABLE "cos"."runs" ADD COLUMN "limit_waits" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "cos"."runs" ADD COLUMN "was_sent_back" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "cos"."sessions" ADD COLUMN "failure_streak" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "cos"."sessions" ADD COLUMN "on_limit" text DEFAULT 'wait' NOT NULL;--> statement-breakpoint
ALTER TABLE "cos"."attempts" ADD CONSTRAINT "attempts_goal_id_goals_goal_id_fk" FOREIGN KEY ("goal_id") REFERENCES "cos"."goals"("goal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."attempts" ADD CONSTRAINT "attempts_run_id_runs_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "cos"."runs"("run_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."consultations" ADD CONSTRAINT "consultations_goal_id_goals_goal_id_fk" FOREIGN KEY ("goal_id") REFERENCES "cos"."goals"("goal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."consultations" ADD CONSTRAINT "consultations_run_id_runs_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "cos"."runs"("run_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."replies" ADD CONSTRAINT "replies_checkpoint_id_checkpoints_checkpoint_id_fk" FOREIGN KEY ("checkpoint_id") REFERENCES "cos"."checkpoints"("checkpoint_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attempts_by_goal" ON "cos"."attempts" USING btree ("goal_id","attempt_id");--> statement-breakpoint
CREATE INDEX "attempts_by_fingerprint" ON "cos"."attempts" USING btree ("fingerprint");--> statement-breakpoint
CREATE INDEX "consultations_by_goal" ON "cos"."consultations" USING btree ("goal_id","at");--> statement-breakpoint
CREATE INDEX "replies_by_checkpoint" ON "cos"."replies" USING btree ("checkpoint_id","created_at");--> statement-breakpoint
CREATE INDEX "replies_unread" ON "cos"."replies" USING btree ("created_at") WHERE status = 'unread';--> statement-breakpoint
ALTER TABLE "cos"."runs" ADD CONSTRAINT "runs_rung" CHECK (rung between 1 and 4 and rung_attempt >= 1 and ladder >= 1);--> statement-breakpoint
create trigger append_only before update or delete on cos.attempts for each row execute function cos.refuse_change();
--> statement-breakpoint
create trigger append_only before update or delete on cos.consultations for each row execute function cos.refuse_change();
