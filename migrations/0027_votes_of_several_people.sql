CREATE TABLE "cos"."votes" (
	"vote_id" bigserial PRIMARY KEY NOT NULL,
	"checkpoint_id" text NOT NULL,
	"version" integer NOT NULL,
	"person" text NOT NULL,
	"accounts" jsonb NOT NULL,
	"actor" text NOT NULL,
	"via" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "votes_once" UNIQUE("checkpoint_id","version","person")
);
--> statement-breakpoint
ALTER TABLE "cos"."campaigns" ADD COLUMN "requester" text;--> statement-breakpoint
ALTER TABLE "cos"."goals" ADD COLUMN "requester" text;--> statement-breakpoint
ALTER TABLE "cos"."votes" ADD CONSTRAINT "votes_checkpoint_id_checkpoints_checkpoint_id_fk" FOREIGN KEY ("checkpoint_id") REFERENCES "cos"."checkpoints"("checkpoint_id") ON DELETE no action ON UPDATE no action;