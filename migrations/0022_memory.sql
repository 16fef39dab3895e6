CREATE TABLE "cos"."episode_keys" (
	"repository_id" text NOT NULL,
	"key" text NOT NULL,
	"episode_no" bigint NOT NULL,
	CONSTRAINT "episode_keys_repository_id_key_episode_no_pk" PRIMARY KEY("repository_id","key","episode_no")
);
--> statement-breakpoint
CREATE TABLE "cos"."episodes" (
	"episode_no" bigserial PRIMARY KEY NOT NULL,
	"episode_id" text NOT NULL,
	"run_id" text NOT NULL,
	"goal_id" text NOT NULL,
	"repository_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"goal" jsonb NOT NULL,
	"actions" jsonb NOT NULL,
	"outcome" jsonb NOT NULL,
	"reflection" text,
	"reflected_by" text,
	"is_pending" boolean NOT NULL,
	"recovery_level" integer NOT NULL,
	"cost_micro_usd" bigint NOT NULL,
	"cost_is_estimated" boolean NOT NULL,
	"duration_seconds" integer NOT NULL,
	"tags" jsonb NOT NULL,
	"approval_response" text,
	"original_recommendation" text,
	"human_modification" text,
	"told_done" integer DEFAULT 0 NOT NULL,
	"told_in_vain" integer DEFAULT 0 NOT NULL,
	"words" "tsvector" GENERATED ALWAYS AS (to_tsvector('english', left(goal ->> 'content', 2000))) STORED NOT NULL,
	CONSTRAINT "episodes_episode_id_unique" UNIQUE("episode_id"),
	CONSTRAINT "episodes_run_id_unique" UNIQUE("run_id"),
	CONSTRAINT "episodes_level" CHECK (recovery_level between 1 and 4),
	CONSTRAINT "episodes_response" CHECK (approval_response is null or approval_response in ('accepted', 'modified', 'rejected')),
	CONSTRAINT "episodes_reflected" CHECK ((reflection is null) = (reflected_by is null))
);
--> statement-breakpoint
CREATE TABLE "cos"."precedents" (
	"decision_id" bigint PRIMARY KEY NOT NULL,
	"checkpoint_id" text NOT NULL,
	"kind" text NOT NULL,
	"trigger" text NOT NULL,
	"choice" text NOT NULL,
	"settles" boolean NOT NULL,
	"actor" text NOT NULL,
	"notes" text,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cos"."preference_changes" (
	"change_no" bigserial PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"was_milli" integer NOT NULL,
	"now_milli" integer NOT NULL,
	"was_samples" integer NOT NULL,
	"now_samples" integer NOT NULL,
	"decision_id" bigint,
	"rolled_back_to" bigint,
	"episode_id" text,
	"actor" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "preference_changes_once" UNIQUE("decision_id","key"),
	CONSTRAINT "preference_changes_why" CHECK ((decision_id is null) <> (rolled_back_to is null))
);
--> statement-breakpoint
CREATE TABLE "cos"."preferences" (
	"key" text PRIMARY KEY NOT NULL,
	"value_milli" integer NOT NULL,
	"samples" integer NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "preferences_value" CHECK (value_milli between 0 and 1000 and samples >= 0)
);
--> statement-breakpoint
CREATE TABLE "cos"."readers" (
	"reader" text PRIMARY KEY NOT NULL,
	"xid" "xid8" NOT NULL,
	"timeline_id" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "episodes_by_goal" ON "cos"."episodes" USING btree ("goal_id","episode_no");--> statement-breakpoint
CREATE INDEX "episodes_pending" ON "cos"."episodes" USING btree ("episode_no") WHERE is_pending;--> statement-breakpoint
CREATE INDEX "precedents_alike" ON "cos"."precedents" USING btree ("kind","trigger","decision_id") WHERE settles;