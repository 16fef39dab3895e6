CREATE TABLE "cos"."critic_weights" (
	"critic" text PRIMARY KEY NOT NULL,
	"weight_milli" integer NOT NULL,
	"changed_by" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "critic_weights_range" CHECK (weight_milli between 100 and 1000)
);
--> statement-breakpoint
CREATE TABLE "cos"."reviews" (
	"review_id" bigserial PRIMARY KEY NOT NULL,
	"goal_id" text NOT NULL,
	"run_id" text NOT NULL,
	"artifact_type" text NOT NULL,
	"commit" text NOT NULL,
	"is_approved" boolean NOT NULL,
	"is_vetoed" boolean NOT NULL,
	"needs_person" boolean NOT NULL,
	"summary" text NOT NULL,
	"scores" jsonb NOT NULL,
	"blocking_issues" jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "cos"."spend" DROP CONSTRAINT "spend_for";--> statement-breakpoint
ALTER TABLE "cos"."reviews" ADD CONSTRAINT "reviews_goal_id_goals_goal_id_fk" FOREIGN KEY ("goal_id") REFERENCES "cos"."goals"("goal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."reviews" ADD CONSTRAINT "reviews_run_id_runs_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "cos"."runs"("run_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "reviews_by_goal" ON "cos"."reviews" USING btree ("goal_id","review_id");--> statement-breakpoint
ALTER TABLE "cos"."spend" ADD CONSTRAINT "spend_for" CHECK ((goal_id is null) = (run_id is null) and (goal_id is null or campaign_id is null));