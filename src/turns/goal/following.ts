import { hasLostGuard, isFollowedHere } from "../../agent/process/followed-child.ts";
import { canSeeProcesses } from "../../agent/process/processes.ts";
import type { NotFollowed } from "../../core/cards/goal-facts.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { appendTimeline, readGoalEvents } from "../../db/timeline.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Deps } from "../../deps.ts";

/**
 * Records once a run, in the timeline and on the card, that its processes cannot be distinguished from a person's: before they start, if
 * they cannot be followed here, and afterwards, if somebody else ended a process's guard.
 */
export async function noteNotFollowed(
  deps: Pick<Deps, "database" | "now" | "policy" | "config">,
  { goalId, runId, phase }: Pick<Goal, "goalId" | "runId" | "phase">,
): Promise<void> {
  if (runId === null || (phase !== "implement" && phase !== "verify")) return;
  const why = await whyNotFollowed(runId);
  if (why === null) return;
  await deps.database.transaction(async (tx) => {
    const said = await readGoalEvents(tx, goalId, "agent.not-followed");
    if (said.some((each) => each.runId === runId && each.detail.why === why)) return;
    await appendTimeline(tx, { event: "agent.not-followed", goalId, runId, at: deps.now(), detail: { why } });
    mark(tx, "goal", goalId);
  });
}

async function whyNotFollowed(runId: string): Promise<NotFollowed | null> {
  if (!canSeeProcesses()) return "no-processes";
  if (!(await isFollowedHere())) return "no-means";
  return hasLostGuard(runId) ? "guard-ended" : null;
}
