CREATE TABLE "cos"."agents" (
	"line" text PRIMARY KEY NOT NULL,
	"name" text,
	"version" text,
	"counting" text,
	"asks" text,
	"seen_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "cos"."runs" ADD COLUMN "billing" text DEFAULT 'metered' NOT NULL;--> statement-breakpoint
ALTER TABLE "cos"."spend" ADD COLUMN "agent_sessions" jsonb;--> statement-breakpoint
ALTER TABLE "cos"."repositories" ADD COLUMN "billing" text DEFAULT 'metered' NOT NULL;