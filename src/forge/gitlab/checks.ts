import { z } from "zod";
import type { Check } from "../../core/forges/checks.ts";
import type { ForgeAnswer } from "../../core/forges/forge.ts";
import type { Required } from "../../core/forges/required.ts";
import { answered, missingAsNull, pagesOf } from "../http/answer.ts";
import { type Gitlab, pageQuery } from "./client.ts";

/** Checks of commits on GitLab: statuses, jobs among them, and the pipeline for which a merge waits. */

const status = z.object({
  name: z.string(),
  status: z.string(),
  allow_failure: z.boolean().nullish(),
  description: z.string().nullish(),
  target_url: z.string().nullish(),
});

/** https://docs.gitlab.com/api/commits/#list-the-statuses-of-a-commit */
const unfinished = ["created", "waiting_for_resource", "preparing", "pending", "running", "scheduled"];

const pipeline = z.object({ id: z.number(), status: z.string(), web_url: z.string().nullish() });

/** As jobs and tools of others say it last. */
export async function checksOf({ ask, at }: Gitlab, commit: string): Promise<ForgeAnswer<readonly Check[]>> {
  const path = `${at}/repository/commits/${commit}/statuses`;
  return missingAsNull(
    await pagesOf(async (page) => {
      const found = await ask({ method: "GET", path, query: pageQuery(page) }, z.array(status));
      return answered(found, (all) => all.map(checkIn));
    }),
  );
}

/** What a merge waits for there is the newest pipeline, with all that is in it: jobs that may fail count as it counts them. */
export async function requiredChecks({ ask, at }: Gitlab, commit: string): Promise<ForgeAnswer<Required>> {
  const query = { sha: commit, order_by: "id", sort: "desc", per_page: "1" };
  const found = missingAsNull(await ask({ method: "GET", path: `${at}/pipelines`, query }, z.array(pipeline)));
  if (found.type === "failed") return found;
  const more = found.value.slice(0, 1).map(({ status: now, web_url: url }): Check => {
    const state = stateOf(now);
    // One that stands at a job which a person starts, or was skipped, has not succeeded.
    return { name: "pipeline", state: state === "skipped" ? "cancelled" : state, said: now, url: url ?? null };
  });
  return { type: "ok", value: { named: null, more } };
}

function stateOf(now: string): Check["state"] {
  if (unfinished.includes(now)) return "pending";
  if (now === "success" || now === "failed") return now === "success" ? "passed" : "failed";
  return now === "canceled" || now === "canceling" ? "cancelled" : "skipped";
}

/** What may fail does not fail the pipeline; what a person has to start is not waited for. */
function checkIn(found: z.infer<typeof status>): Check {
  const { name, status: now, allow_failure: mayFail, description: said, target_url: url } = found;
  const ended = stateOf(now);
  const state = ended === "failed" && mayFail === true ? "skipped" : ended;
  return { name, state, said: said ?? null, url: url ?? null };
}
