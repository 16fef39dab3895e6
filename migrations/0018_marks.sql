CREATE TABLE "cos"."marks" (
	"mark_id" bigserial PRIMARY KEY NOT NULL,
	"subject" text NOT NULL,
	"id" text NOT NULL,
	"urgency" text NOT NULL,
	"notice" jsonb,
	"not_before" timestamp with time zone
);
