CREATE TABLE "cos"."shortages" (
	"shortage_id" bigserial PRIMARY KEY NOT NULL,
	"machine" text NOT NULL,
	"holder" text NOT NULL,
	"places" jsonb NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "shortages_one_open" ON "cos"."shortages" USING btree ("holder") WHERE ended_at is null;