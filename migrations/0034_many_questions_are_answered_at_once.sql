CREATE TABLE "cos"."batched_questions" (
	"batch_id" text NOT NULL,
	"position" integer NOT NULL,
	"checkpoint_id" text NOT NULL,
	"version" integer NOT NULL,
	"seen" text NOT NULL,
	"became" text,
	CONSTRAINT "batched_questions_batch_id_position_pk" PRIMARY KEY("batch_id","position"),
	CONSTRAINT "batched_questions_once" UNIQUE("batch_id","checkpoint_id")
);
--> statement-breakpoint
CREATE TABLE "cos"."batches" (
	"batch_id" text PRIMARY KEY NOT NULL,
	"choice" text NOT NULL,
	"status" text NOT NULL,
	"actor" text NOT NULL,
	"actor_id" text,
	"via" text NOT NULL,
	"groups" jsonb NOT NULL,
	"console_name" text,
	"asked_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone,
	"undone_by" text,
	CONSTRAINT "batches_status" CHECK (status in ('held', 'begun', 'settled', 'undone')),
	CONSTRAINT "batches_settled" CHECK ((status in ('held', 'begun')) = (settled_at is null)),
	CONSTRAINT "batches_undone" CHECK ((status = 'undone') = (undone_by is not null))
);
--> statement-breakpoint
ALTER TABLE "cos"."batched_questions" ADD CONSTRAINT "batched_questions_batch_id_batches_batch_id_fk" FOREIGN KEY ("batch_id") REFERENCES "cos"."batches"("batch_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "batches_due" ON "cos"."batches" USING btree ("due_at") WHERE status in ('held', 'begun');--> statement-breakpoint
CREATE INDEX "batches_by_time" ON "cos"."batches" USING btree ("asked_at");