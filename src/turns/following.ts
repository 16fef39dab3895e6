import { hasLostGuard, keptLostGuard, onLostGuard, unkeptLostGuards, whatFollows } from "../agent/followed-child.ts";
import { canSeeProcesses, ownBoot } from "../agent/processes.ts";
import type { LostGuard } from "../core/callers.ts";
import type { NotFollowed } from "../core/cards/goal-card.ts";
import type { Goal } from "../core/goals/goal.ts";
import { keepLostGuard, standingLostGuards } from "../db/lost-guards.ts";
import { appendTimeline, goalEvents } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { sayGoal } from "./say.ts";

/**
 * Says once a run, in the goal's timeline and on its card, that its processes cannot be told from a person's: before they
 * start where nothing follows them, and afterwards when the guard of one was ended by somebody else.
 */
export async function noteNotFollowed(
  deps: Pick<Deps, "database" | "now" | "channels" | "policy" | "config">,
  { goalId, runId, phase }: Pick<Goal, "goalId" | "runId" | "phase">,
): Promise<void> {
  await keepLostGuards(deps);
  if (runId === null || (phase !== "implement" && phase !== "verify")) return;
  const why = await whyNotFollowed(runId);
  if (why === null) return;
  await deps.database.transaction(async (tx) => {
    const said = await goalEvents(tx, goalId, "agent.not-followed");
    if (said.some((each) => each.runId === runId && each.detail["why"] === why)) return;
    await appendTimeline(tx, { event: "agent.not-followed", goalId, runId, at: deps.now(), detail: { why } });
    await sayGoal(tx, deps, goalId);
  });
}

async function whyNotFollowed(runId: string): Promise<NotFollowed | null> {
  if (!canSeeProcesses()) return "no-processes";
  if ((await whatFollows()) === null) return "no-means";
  return hasLostGuard(runId) ? "guard-ended" : null;
}

/** Keeps every guard that is lost from now on at once, where all processes of this machine see it. Returns how to stop. */
export function keepWhatIsLost(deps: Pick<Deps, "database" | "now" | "config" | "log">): () => void {
  return onLostGuard(() => {
    // Until it is kept this process knows it by itself, and each of its turns tries again.
    keepLostGuards(deps).catch((error: unknown) => deps.log.warn("guard.not-kept", { error }));
  });
}

async function keepLostGuards({ database, now, config }: Pick<Deps, "database" | "now" | "config">): Promise<void> {
  for (const guard of unkeptLostGuards()) {
    const here = { machine: config.machine, boot: ownBoot() };
    await database.transaction((tx) => keepLostGuard(tx, here, guard, now()));
    keptLostGuard(guard);
  }
}

/** The guards that were lost on this machine, by whichever process, and whose escaped processes nobody has looked for. */
export async function lostGuardsHere({
  database,
  config,
}: Pick<Deps, "database" | "config">): Promise<readonly LostGuard[]> {
  // In this order: what is kept meanwhile is then in both.
  const known = unkeptLostGuards();
  return [...known, ...(await standingLostGuards(database.db, { machine: config.machine, boot: ownBoot() }))];
}
