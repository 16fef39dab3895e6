ALTER TABLE "cos"."messages" ADD COLUMN "holds_channel" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "cos"."messages" ADD COLUMN "picture_under_way" jsonb;