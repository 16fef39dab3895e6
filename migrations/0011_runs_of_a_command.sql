ALTER TABLE "cos"."attempts" ADD COLUMN "exit_code" integer;--> statement-breakpoint
ALTER TABLE "cos"."attempts" ADD COLUMN "output" text;