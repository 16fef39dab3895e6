import { loadTokenizer } from "../../../agent/llm/tokenizer.ts";
import type { Goal } from "../../../core/goals/goal.ts";
import { fittingProgress, type Progress, progressLines } from "../../../core/worklog/progress.ts";
import { tierOf } from "../../../core/worklog/tier.ts";
import { tierTable } from "../../../core/worklog/tiers.ts";
import type { Db } from "../../../db/connection/client.ts";
import type { Run } from "../../../db/runs.ts";
import { entriesOf, todosOf } from "../../../db/worklog-contents.ts";
import { type Worklog, worklogsOfGoal } from "../../../db/worklogs.ts";
import type { Deps } from "../../../deps.ts";
import { flagsOf } from "./open.ts";
import { limited, within } from "./within.ts";

/**
 * Returns what an earlier session of this goal did, for the agent's prompt. Null for an agent that resumes its own session, after
 * failed attempts, for a piece with its own task, and when there is nothing to report. Only tiers that search for earlier work do
 * this, within 500 ms. Never throws.
 */
export async function progressToTell(
  deps: Pick<Deps, "database" | "policy" | "timers" | "log">,
  { goal, run, piece }: { readonly goal: Goal; readonly run: Run; readonly piece?: unknown },
  failedAttempts: number,
): Promise<Progress | null> {
  const isKnown = run.agentSessionId !== null || failedAttempts > 0;
  if (goal.runCommand !== null || piece !== undefined || isKnown) return null;
  const { tier } = tierOf(goal);
  if (!tierTable[tier].looksBack || goal.worklogFlags?.noWorklog === true) return null;
  const { detection, listTimeoutMs } = deps.policy.worklog;
  const found = await within(deps, detection.timeoutMs, async () => {
    const known = await limited(deps, listTimeoutMs, (tx) => worklogsOfGoal(tx, goal.goalId));
    const worklog = known.findLast((each) => each.hasRaw && !each.isCorrupt);
    if (worklog === undefined || (await flagsOf(deps.database.db, goal)).noWorklog) return null;
    const { todos, entries } = await limited(deps, listTimeoutMs, (tx) => keptIn(tx, worklog));
    const lines = progressLines({ todos, entries });
    if (lines.length === 0) return null;
    return fittingProgress(lines, worklog.tier, await loadTokenizer());
  });
  if (found.type === "done") return found.value;
  const error = found.type === "failed" ? found.error : found.type;
  deps.log.warn("worklog.not-told", { goalId: goal.goalId, error });
  return null;
}

async function keptIn(tx: Db, { sessionId }: Worklog): Promise<Parameters<typeof progressLines>[0]> {
  const stored = await entriesOf(tx, sessionId);
  return { entries: stored.type === "read" ? stored.entries : [], todos: (await todosOf(tx, sessionId)) ?? [] };
}
