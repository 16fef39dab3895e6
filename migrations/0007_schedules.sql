CREATE TABLE "cos"."schedules" (
	"name" text PRIMARY KEY NOT NULL,
	"cron" text NOT NULL,
	"on_missing" text NOT NULL,
	"is_on" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
