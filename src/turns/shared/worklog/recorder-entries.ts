import { lockWorklog, updateWorklog } from "../../../db/worklogs.ts";
import { gapChanges, rememberGap } from "./gaps.ts";
import type { RunRecord, RecordingDeps } from "./recording.ts";
import { limited, within } from "./within.ts";
import type { WorklogEntry } from "../../../core/worklog/entry.ts";

/** Stores the number of missing entries in the worklog. If that fails, this process remembers it until it can be stored. */
export async function noteGap(deps: RecordingDeps, account: RunRecord): Promise<void> {
  const { goal, runId, unstored, leftOut, worklog } = account;
  const { flushTimeoutMs } = deps.policy.worklog;
  const noted = await within(deps, flushTimeoutMs, async () => {
    if (worklog === null) throw new Error("there is no worklog");
    await limited(deps, flushTimeoutMs, async (tx) => {
      const stored = await lockWorklog(tx, worklog.sessionId);
      if (stored === null) return;
      await updateWorklog(tx, worklog.sessionId, {
        ...gapChanges(stored, { unstored, leftOut }),
        lastModified: deps.now(),
      });
    });
  });
  if (noted.type === "done") return;
  deps.log.warn("worklog.gap", { goalId: goal.goalId, runId, unstored });
  rememberGap(deps.database, { goalId: goal.goalId, runId, unstored, leftOut });
}

/** Returns the entry for a piece of work, which is recorded as a sub-agent of the goal. */
export function pieceEntry(piece: string, isDone: boolean, at: Date): WorklogEntry {
  const outcome = isDone ? "completed" : "failed";
  return {
    timestamp: at.toISOString(),
    action: "Task",
    status: outcome,
    context: `${piece} ${outcome}`,
    details: { agent_type: "task", purpose: piece, outcome },
    tokens_consumed: 0,
  };
}
