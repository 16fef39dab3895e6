CREATE TABLE "cos"."merge_queues" (
	"queue_id" text PRIMARY KEY NOT NULL,
	"repository_id" text NOT NULL,
	"into_branch" text NOT NULL,
	"requested_by" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"end_reason" text
);
--> statement-breakpoint
CREATE TABLE "cos"."queued_merges" (
	"queue_id" text NOT NULL,
	"goal_id" text NOT NULL,
	"position" integer NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"tip" text,
	"rounds" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "queued_merges_queue_id_goal_id_pk" PRIMARY KEY("queue_id","goal_id"),
	CONSTRAINT "queued_merges_state" CHECK (state in ('waits', 'verifies', 'returned', 'merges', 'merged', 'left-out'))
);
--> statement-breakpoint
ALTER TABLE "cos"."merge_queues" ADD CONSTRAINT "merge_queues_repository_id_repositories_repository_id_fk" FOREIGN KEY ("repository_id") REFERENCES "cos"."repositories"("repository_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."queued_merges" ADD CONSTRAINT "queued_merges_queue_id_merge_queues_queue_id_fk" FOREIGN KEY ("queue_id") REFERENCES "cos"."merge_queues"("queue_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cos"."queued_merges" ADD CONSTRAINT "queued_merges_goal_id_goals_goal_id_fk" FOREIGN KEY ("goal_id") REFERENCES "cos"."goals"("goal_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "merge_queues_one_open" ON "cos"."merge_queues" USING btree ("repository_id") WHERE ended_at is null;