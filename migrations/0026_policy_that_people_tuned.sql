CREATE TABLE "cos"."policy_changes" (
	"change_no" bigserial PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"was_micro_usd" bigint NOT NULL,
	"now_micro_usd" bigint NOT NULL,
	"checkpoint_id" text,
	"rolled_back_to" bigint,
	"actor" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "policy_changes_once" UNIQUE("checkpoint_id","key"),
	CONSTRAINT "policy_changes_why" CHECK ((checkpoint_id is null) <> (rolled_back_to is null)),
	CONSTRAINT "policy_changes_amounts" CHECK (was_micro_usd > 0 and now_micro_usd > 0)
);
--> statement-breakpoint
CREATE TABLE "cos"."tuned_policy" (
	"key" text PRIMARY KEY NOT NULL,
	"micro_usd" bigint NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
