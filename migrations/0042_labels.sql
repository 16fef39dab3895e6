CREATE TABLE "cos"."workers" (
	"name" text PRIMARY KEY NOT NULL,
	"machine" text NOT NULL,
	"labels" jsonb NOT NULL,
	"started_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "cos"."repositories" ADD COLUMN "labels" jsonb DEFAULT '[]'::jsonb NOT NULL;