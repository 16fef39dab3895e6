import { z } from "zod";
import type { Check } from "../../core/forges/checks.ts";
import type { ForgeAnswer } from "../../core/forges/forge.ts";
import type { Required } from "../../core/forges/required.ts";
import { answered, missingAsNull, pageLength, pagesOf } from "../http/answer.ts";
import type { Github } from "./client.ts";

/** Checks of commits on GitHub, and the checks that a branch requires. */

const checkRuns = z.object({
  check_runs: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      conclusion: z.string().nullable(),
      html_url: z.string().nullish(),
      output: z.object({ title: z.string().nullish() }).nullish(),
    }),
  ),
});
const statuses = z.object({
  statuses: z.array(
    z.object({
      context: z.string(),
      state: z.string(),
      description: z.string().nullish(),
      target_url: z.string().nullish(),
    }),
  ),
});

/** https://docs.github.com/rest/checks/runs: a check that did not run has not failed. Any other conclusion counts as cancelled. */
const conclusions: ReadonlyMap<string, Check["state"]> = new Map([
  ["success", "passed"],
  ["neutral", "skipped"],
  ["skipped", "skipped"],
  ["failure", "failed"],
  ["timed_out", "failed"],
  ["startup_failure", "failed"],
]);

/**
 * The rules of rulesets for a branch: https://docs.github.com/rest/repos/rules#get-rules-for-a-branch. Rules of other types have other
 * parameters.
 */
const rules = z.array(
  z.object({
    type: z.string(),
    parameters: z.object({ required_status_checks: z.array(z.object({ context: z.string() })).nullish() }).nullish(),
  }),
);
/** The part of branch protection that every reader may see: https://docs.github.com/rest/branches/branches#get-a-branch */
const branchShape = z.object({
  protection: z
    .object({ required_status_checks: z.object({ contexts: z.array(z.string()).nullish() }).nullish() })
    .nullish(),
});

/** Check runs, and the commit statuses of older tools: https://docs.github.com/rest/commits/statuses */
export async function checksOf({ ask }: Github, ref: string): Promise<ForgeAnswer<readonly Check[]>> {
  const route = "GET /repos/{owner}/{repo}/commits/{ref}/check-runs";
  const runs = missingAsNull(
    await pagesOf(async (page) => {
      const found = await ask(route, { ref, per_page: pageLength, page }, checkRuns);
      return answered(found, ({ check_runs: all }) => all);
    }),
  );
  if (runs.type === "failed") return runs;
  const combined = "GET /repos/{owner}/{repo}/commits/{ref}/status";
  const others = missingAsNull(
    await pagesOf(async (page) => {
      const found = await ask(combined, { ref, per_page: pageLength, page }, statuses);
      return answered(found, ({ statuses: all }) => all);
    }),
  );
  if (others.type === "failed") return others;
  return {
    type: "ok",
    value: [
      ...runs.value.map(({ name, status, conclusion, html_url: url, output }): Check => {
        const state = status === "completed" ? (conclusions.get(conclusion ?? "") ?? "cancelled") : "pending";
        return { name, state, said: output?.title ?? null, url: url ?? null };
      }),
      ...others.value.map(({ context: name, state, description: said, target_url: url }): Check => {
        const now = state === "pending" ? "pending" : state === "success" ? "passed" : "failed";
        return { name, state: now, said: said ?? null, url: url ?? null };
      }),
    ],
  };
}

/** The checks required for a branch, by rulesets and by branch protection together. */
export async function requiredChecks({ ask }: Github, branch: string): Promise<ForgeAnswer<Required>> {
  const ruled = missingAsNull(
    await pagesOf((page) =>
      ask("GET /repos/{owner}/{repo}/rules/branches/{branch}", { branch, per_page: pageLength, page }, rules),
    ),
  );
  if (ruled.type === "failed") return ruled;
  const there = await ask("GET /repos/{owner}/{repo}/branches/{branch}", { branch }, branchShape);
  if (there.type === "failed") return there;
  const named = new Set([
    ...ruled.value
      .filter(({ type }) => type === "required_status_checks")
      .flatMap(({ parameters }) => parameters?.required_status_checks?.map(({ context }) => context) ?? []),
    ...(there.value.protection?.required_status_checks?.contexts ?? []),
  ]);
  return { type: "ok", value: { named: named.size === 0 ? null : [...named], more: [] } };
}
