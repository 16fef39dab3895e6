import { ofGoal } from "../../core/events/write.ts";
import type { Goal } from "../../core/goals/goal.ts";
import type { Lack } from "../../core/lacks.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Repository } from "../../db/repositories.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { recordTurn } from "../../db/transitions.ts";
import type { Deps } from "../../deps.ts";
import { inTurn, lost, type StepResult } from "../shared/in-turn.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { knownLacks, lackFor, leaveToOthers } from "../shared/own-lacks.ts";
import { sayLacks } from "../shared/working.ts";
import { asAsked } from "./cut.ts";

/**
 * A claimed goal that this machine cannot work goes back unchanged, with the same due time, for a worker of another machine. This process
 * does not claim it again while it lacks the same thing.
 */

/** Gives a goal back before work if this machine lacks what it needs. Null when it lacks nothing, or no other machine could do better. */
export async function handBackUnfit(
  deps: Deps,
  keeper: LeaseKeeper,
  goal: Goal,
  repository: Repository | null,
): Promise<StepResult | null> {
  const lack = repository === null ? null : lackFor(deps.config, goal, repository);
  return lack === null ? null : await handBack(deps, keeper, lack);
}

/** Gives a goal back because of `lack`. Null when no other machine could do better: the goal then says what is wrong. */
export async function handBack(deps: Deps, keeper: LeaseKeeper, lack: Lack): Promise<StepResult | null> {
  if (!(await leaveToOthers(deps, lack))) return null;
  const { machine } = deps.config;
  deps.log.warn("worker.lacks", { repositoryId: lack.repositoryId, reason: lack.reason });
  const result = await inTurn(deps, keeper, async (tx, goal): Promise<StepResult> => {
    const asked = await asAsked(tx, deps, keeper, { goal });
    if (asked !== null) return asked;
    await recordTurn(tx, { lease: keeper.lease, goal }, { type: "letsGo" }, deps.now());
    const detail = { machine, reason: lack.reason };
    await appendTimeline(tx, { event: "goal.left-to-others", ...ofGoal(goal, deps.now()), detail });
    await sayLacks(tx, knownLacks(deps.database));
    mark(tx, "goal", goal.goalId);
    lookAt(tx, goal.sessionId);
    return { type: "over", ringAfterMs: 0 };
  });
  return result ?? lost;
}
