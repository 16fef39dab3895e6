CREATE TABLE "cos"."base_results" (
	"base_result_id" bigserial PRIMARY KEY NOT NULL,
	"repository_id" text NOT NULL,
	"commit" text NOT NULL,
	"command" text NOT NULL,
	"hash" text NOT NULL,
	"environment" text NOT NULL,
	"result" text NOT NULL,
	"fingerprint" text NOT NULL,
	"run_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "base_results_result" CHECK (result in ('pass', 'fail'))
);
--> statement-breakpoint
ALTER TABLE "cos"."attempts" ADD COLUMN "exit_code" integer;--> statement-breakpoint
ALTER TABLE "cos"."attempts" ADD COLUMN "output" text;--> statement-breakpoint
ALTER TABLE "cos"."base_results" ADD CONSTRAINT "base_results_repository_id_repositories_repository_id_fk" FOREIGN KEY ("repository_id") REFERENCES "cos"."repositories"("repository_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "base_results_by_key" ON "cos"."base_results" USING btree ("repository_id","commit","environment");--> statement-breakpoint
CREATE INDEX "base_results_by_age" ON "cos"."base_results" USING btree ("at");