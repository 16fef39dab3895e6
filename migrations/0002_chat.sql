ALTER TABLE "cos"."decisions" ADD COLUMN "actor_id" text;--> statement-breakpoint
CREATE INDEX "messages_by_address" ON "cos"."messages" USING btree ("platform","address");