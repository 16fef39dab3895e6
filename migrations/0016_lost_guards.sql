CREATE TABLE "cos"."lost_guards" (
	"machine" text NOT NULL,
	"boot" text NOT NULL,
	"run_id" text NOT NULL,
	"uid" integer NOT NULL,
	"began_ticks" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"looked_at" timestamp with time zone,
	"looked_by" text,
	CONSTRAINT "lost_guards_machine_boot_run_id_uid_began_ticks_pk" PRIMARY KEY("machine","boot","run_id","uid","began_ticks")
);
