ALTER TABLE "cos"."pulls" ADD COLUMN "ended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "cos"."pulls" ADD COLUMN "merged_work" text;--> statement-breakpoint
CREATE INDEX "pulls_closed" ON "cos"."pulls" USING btree ("ended_at") WHERE state = 'closed';