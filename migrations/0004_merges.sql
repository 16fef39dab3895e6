CREATE TABLE "cos"."merges" (
	"merge_id" bigserial PRIMARY KEY NOT NULL,
	"goal_id" text NOT NULL,
	"status" text NOT NULL,
	"into_branch" text NOT NULL,
	"head_commit" text NOT NULL,
	"requested_by" text NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone,
	"result_commit" text,
	"outcome" text,
	"purged_at" timestamp with time zone,
	CONSTRAINT "merges_settled" CHECK ((status in ('due', 'merging')) = (settled_at is null))
);
--> statement-breakpoint
ALTER TABLE "cos"."merges" ADD CONSTRAINT "merges_goal_id_goals_goal_id_fk" FOREIGN KEY ("goal_id") REFERENCES "cos"."goals"("goal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "merges_one_under_way" ON "cos"."merges" USING btree ("goal_id") WHERE status in ('due', 'merging');--> statement-breakpoint
CREATE INDEX "merges_due" ON "cos"."merges" USING btree ("due_at") WHERE status in ('due', 'merging');