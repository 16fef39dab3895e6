ALTER TABLE "cos"."evidence" DROP CONSTRAINT "evidence_once";--> statement-breakpoint
ALTER TABLE "cos"."evidence" ADD COLUMN "criterion" text;--> statement-breakpoint
ALTER TABLE "cos"."runs" ADD COLUMN "verify_round" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "cos"."runs" ADD COLUMN "feedback" text;--> statement-breakpoint
ALTER TABLE "cos"."evidence" ADD CONSTRAINT "evidence_once" UNIQUE NULLS NOT DISTINCT("run_id","turn","kind","criterion");