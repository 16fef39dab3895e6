ALTER TABLE "cos"."repositories" DROP CONSTRAINT "repositories_name_unique";--> statement-breakpoint
ALTER TABLE "cos"."repositories" ADD COLUMN "added_by" text;--> statement-breakpoint
ALTER TABLE "cos"."repositories" ADD COLUMN "removed_at" timestamp with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "repositories_name" ON "cos"."repositories" USING btree ("name") WHERE removed_at is null;