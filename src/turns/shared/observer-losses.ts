import type { RunObserver } from "../../agent/process/runner.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { isAway } from "../../db/connection/failures.ts";
import type { Deps } from "../../deps.ts";
import type { LeaseKeeper } from "./lease-keeper.ts";

/**
 * Returns an observer for which the database may become unreachable while an agent works. Then reports of the agent are dropped and the work
 * continues (its cost is reported again, and recorded at the end). A question that cannot be asked cuts the turn, which counts as an
 * interruption and not as a failure of the agent (D8).
 */
export function overLosses(
  observer: RunObserver,
  deps: Pick<Deps, "log">,
  { goal, keeper }: { readonly goal: Goal; readonly keeper: LeaseKeeper },
): RunObserver {
  async function tell(what: string, recording: Promise<void>): Promise<void> {
    try {
      await recording;
    } catch (error) {
      if (!isAway(error)) throw error;
      deps.log.warn("agent.not-recorded", { goalId: goal.goalId, what, error });
    }
  }
  return {
    ...observer,
    onAgentSession: (id) => tell("session", observer.onAgentSession(id)),
    onSpend: (amount, session) => tell("spend", observer.onSpend(amount, session)),
    async onPermission(ask) {
      try {
        return await observer.onPermission(ask);
      } catch (error) {
        if (!isAway(error)) throw error;
        deps.log.warn("agent.not-asked", { goalId: goal.goalId, error });
        keeper.cut("lost");
        return "reject";
      }
    },
  };
}
