import type { Goal } from "../../core/goals/goal.ts";
import type { WorklogOutcome } from "../../core/worklog/finish.ts";
import type { Db } from "../../db/connection/client.ts";
import { partOf } from "../../db/connection/part.ts";
import { getGoal } from "../../db/goals.ts";
import { getRun } from "../../db/runs.ts";
import { addUnstored } from "../../db/worklog-days.ts";
import { lockWorklog, newestWorklogOf, updateWorklog } from "../../db/worklogs.ts";
import type { Deps } from "../../deps.ts";
import { forgetGap, type Gap, gapChanges, rememberedGaps } from "../shared/worklog/gaps.ts";
import { openWorklog } from "../shared/worklog/open.ts";
import { limited } from "../shared/worklog/within.ts";
import { endDay, finishWorklogOf } from "./finish.ts";

/**
 * What this process could not write, and could not even say, is said in the worklog as soon as it can be: whoever works the goal by
 * then, and also when it has ended. `opens`: a run that has no worklog, because its table refused all of it, gets one that says so;
 * else its gap is kept here until its events were read.
 */
export async function tellGaps(deps: GapDeps, { opens }: { readonly opens: boolean }): Promise<void> {
  for (const gap of rememberedGaps(deps.database)) {
    const { unstored } = gap;
    const limitMs = deps.policy.worklog.listTimeoutMs;
    const isTold = await limited(deps, limitMs, async (tx) => {
      if (opens) await openMissing(deps, tx, gap);
      const newest = await newestWorklogOf(tx, gap);
      const stored = newest === null ? null : await lockWorklog(tx, newest.sessionId);
      if (stored === null) return false;
      await updateWorklog(tx, stored.sessionId, gapChanges(stored, gap));
      if (stored.isCounted) await addUnstored(tx, endDay(stored), unstored);
      return true;
    });
    if (isTold) forgetGap(deps.database, gap);
  }
}

type GapDeps = Pick<Deps, "database" | "policy" | "now" | "timers" | "log">;

/** Finished at once where its goal has ended: the events that would have finished it are past. */
async function openMissing(deps: GapDeps, tx: Db, { goalId, runId }: Gap): Promise<void> {
  if ((await newestWorklogOf(tx, { goalId, runId })) !== null) return;
  const goal = await getGoal(tx, goalId);
  if (goal === null) return;
  const within = { ...deps, database: partOf(deps.database, tx) };
  const run = await getRun(tx, runId);
  if ((await openWorklog(within, { goal, runId, since: run?.startedAt ?? deps.now() })) === null) return;
  const outcome = outcomeOf(goal.status);
  if (outcome !== null) await finishWorklogOf(within, { goalId, runId, at: run?.endedAt ?? deps.now() }, outcome);
}

/** Null: it goes on. */
function outcomeOf(status: Goal["status"]): Exclude<WorklogOutcome, "in_progress" | "abandoned"> | null {
  switch (status) {
    case "complete":
      return "success";
    case "failed":
    case "manual_followup":
      return "failure";
    case "deferred":
      return "aborted";
    case "pending":
    case "in_progress":
    case "blocked":
      return null;
  }
}
