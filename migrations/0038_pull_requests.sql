CREATE TABLE "cos"."pulls" (
	"goal_id" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"host" text NOT NULL,
	"path" text NOT NULL,
	"state" text NOT NULL,
	"number" integer,
	"url" text,
	"is_draft" boolean DEFAULT true NOT NULL,
	"written" text,
	"seen" text,
	"ended_by" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"trouble_kind" text,
	"trouble" text,
	"created_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	CONSTRAINT "pulls_state" CHECK (state in ('wanted', 'open', 'merged', 'closed')),
	CONSTRAINT "pulls_opened" CHECK (state <> 'open' or number is not null)
);
--> statement-breakpoint
ALTER TABLE "cos"."pulls" ADD CONSTRAINT "pulls_goal_id_goals_goal_id_fk" FOREIGN KEY ("goal_id") REFERENCES "cos"."goals"("goal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pulls_open" ON "cos"."pulls" USING btree ("due_at") WHERE state in ('wanted', 'open');