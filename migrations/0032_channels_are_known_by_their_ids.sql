CREATE TABLE "cos"."channels" (
	"platform" text NOT NULL,
	"channel" text NOT NULL,
	"known_id" text,
	"left_at" timestamp with time zone,
	CONSTRAINT "channels_platform_channel_pk" PRIMARY KEY("platform","channel")
);
--> statement-breakpoint
INSERT INTO "cos"."channels" ("platform", "channel") SELECT DISTINCT "platform", "channel" FROM "cos"."messages";
