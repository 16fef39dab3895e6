ALTER TABLE "cos"."workers" ADD COLUMN "lacks" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "cos"."workers" ADD COLUMN "ended_at" timestamp with time zone;