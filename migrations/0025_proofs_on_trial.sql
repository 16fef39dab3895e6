CREATE TABLE "cos"."trial_results" (
	"trial_result_id" bigserial PRIMARY KEY NOT NULL,
	"repository_id" text NOT NULL,
	"tree" text NOT NULL,
	"hash" text NOT NULL,
	"environment" text NOT NULL,
	"result" text NOT NULL,
	"report" jsonb,
	"fingerprint" text NOT NULL,
	"duration_ms" integer NOT NULL,
	"run_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "trial_results_result" CHECK (result in ('pass', 'fail'))
);
--> statement-breakpoint
ALTER TABLE "cos"."repositories" ADD COLUMN "trials" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "cos"."trial_results" ADD CONSTRAINT "trial_results_repository_id_repositories_repository_id_fk" FOREIGN KEY ("repository_id") REFERENCES "cos"."repositories"("repository_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "trial_results_by_key" ON "cos"."trial_results" USING btree ("repository_id","tree","hash","environment");--> statement-breakpoint
CREATE INDEX "trial_results_by_age" ON "cos"."trial_results" USING btree ("at");