CREATE TABLE "cos"."kept_outputs" (
	"file" text PRIMARY KEY NOT NULL,
	"goal_id" text NOT NULL,
	"holder" text NOT NULL,
	"sha256" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"stored_at" timestamp with time zone,
	"stored_bytes" integer,
	"content" "bytea"
);
--> statement-breakpoint
ALTER TABLE "cos"."kept_outputs" ADD CONSTRAINT "kept_outputs_goal_id_goals_goal_id_fk" FOREIGN KEY ("goal_id") REFERENCES "cos"."goals"("goal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "kept_outputs_waiting" ON "cos"."kept_outputs" USING btree ("holder","at") WHERE stored_at is null;--> statement-breakpoint
CREATE INDEX "kept_outputs_oldest" ON "cos"."kept_outputs" USING btree ("at");--> statement-breakpoint
CREATE INDEX "kept_outputs_by_goal" ON "cos"."kept_outputs" USING btree ("goal_id");