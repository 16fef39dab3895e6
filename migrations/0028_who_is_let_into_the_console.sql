CREATE TABLE "cos"."console_sessions" (
	"console_session_id" text PRIMARY KEY NOT NULL,
	"key_hash" text NOT NULL,
	"name" text,
	"made_by" text NOT NULL,
	"made_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"opened_at" timestamp with time zone,
	"opened_from" text,
	"seen_at" timestamp with time zone,
	CONSTRAINT "console_sessions_key_hash_unique" UNIQUE("key_hash"),
	CONSTRAINT "console_sessions_opened" CHECK ((opened_at is null) = (opened_from is null))
);
--> statement-breakpoint
CREATE INDEX "console_sessions_expire" ON "cos"."console_sessions" USING btree ("expires_at");