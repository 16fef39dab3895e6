ALTER TABLE "cos"."replies" ADD COLUMN "message" text;--> statement-breakpoint
CREATE INDEX "replies_by_message" ON "cos"."replies" USING btree ("message") WHERE message is not null;