-- Events that are there are older than every transaction: their rows are not written again.
ALTER TABLE "cos"."timeline" ADD COLUMN "xid" "xid8" DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "cos"."timeline" ALTER COLUMN "xid" SET DEFAULT pg_current_xact_id();--> statement-breakpoint
CREATE INDEX "timeline_by_transaction" ON "cos"."timeline" USING btree ("xid","timeline_id");
