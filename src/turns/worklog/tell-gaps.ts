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
 * Records in worklogs how many entries this process could not write, as soon as it can: whoever works the goal by then, and even if it has
 * ended. `opens`: a run without a worklog, because its table refused everything, gets one that says so. Otherwise its gap stays in memory
 * until the run's events have been read.
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

/** Opens a worklog for a run that has none. It is finished at once if its goal has ended: the events that would finish it are past. */
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

/** Null when the goal is not finished. */
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
