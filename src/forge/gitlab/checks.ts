import { z } from "zod";
import type { Check } from "../../core/forges/checks.ts";
import type { ForgeAnswer } from "../../core/forges/forge.ts";
import type { Required } from "../../core/forges/required.ts";
import { answered, missingAsNull, pagesOf } from "../http/answer.ts";
import { type Gitlab, pageQuery } from "./client.ts";

/** Checks of commits on GitLab: statuses, including jobs, and the pipeline for which a merge waits. */

const status = z.object({
  name: z.string(),
  status: z.string(),
  allow_failure: z.boolean().nullish(),
  description: z.string().nullish(),
  target_url: z.string().nullish(),
});

/** Statuses that are not final: https://docs.gitlab.com/api/commits/#list-the-statuses-of-a-commit */
const unfinished = ["created", "waiting_for_resource", "preparing", "pending", "running", "scheduled"];

const pipeline = z.object({ id: z.number(), status: z.string(), web_url: z.string().nullish() });

/** The latest status of each job and external tool for a commit. */
export async function checksOf({ ask, at }: Gitlab, commit: string): Promise<ForgeAnswer<readonly Check[]>> {
  const path = `${at}/repository/commits/${commit}/statuses`;
  return missingAsNull(
    await pagesOf(async (page) => {
      const found = await ask({ method: "GET", path, query: pageQuery(page) }, z.array(status));
      return answered(found, (all) => all.map(checkIn));
    }),
  );
}

/** The newest pipeline of a commit, for which a merge waits. The pipeline itself decides how jobs that may fail count. */
export async function requiredChecks({ ask, at }: Gitlab, commit: string): Promise<ForgeAnswer<Required>> {
  const query = { sha: commit, order_by: "id", sort: "desc", per_page: "1" };
  const found = missingAsNull(await ask({ method: "GET", path: `${at}/pipelines`, query }, z.array(pipeline)));
  if (found.type === "failed") return found;
  const more = found.value.slice(0, 1).map(({ status: now, web_url: url }): Check => {
    const state = stateOf(now);
    // A pipeline that waits for a manual job, or was skipped, has not succeeded.
    return { name: "pipeline", state: state === "skipped" ? "cancelled" : state, said: now, url: url ?? null };
  });
  return { type: "ok", value: { named: null, more } };
}

function stateOf(now: string): Check["state"] {
  if (unfinished.includes(now)) return "pending";
  if (now === "success" || now === "failed") return now === "success" ? "passed" : "failed";
  return now === "canceled" || now === "canceling" ? "cancelled" : "skipped";
}

/** A job that may fail does not count as failed. A manual job is not waited for. */
function checkIn(found: z.infer<typeof status>): Check {
  const { name, status: now, allow_failure: mayFail, description: said, target_url: url } = found;
  const ended = stateOf(now);
  const state = ended === "failed" && mayFail === true ? "skipped" : ended;
  return { name, state, said: said ?? null, url: url ?? null };
}
