import type { Examiner } from "../../agent/verify/verifying.ts";
import { examinationCost } from "../../core/acceptance/examination-cost.ts";
import type { Criterion } from "../../core/acceptance/spec.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { localDate } from "../../core/time.ts";
import type { Lease } from "../../db/leases.ts";
import type { Repository } from "../../db/repositories.ts";
import type { Run } from "../../db/runs.ts";
import { appendSpend } from "../../db/spend.ts";
import type { Deps } from "../../deps.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { callIdOf, reserve } from "../shared/money.ts";

/** Who examines the sub-agent criteria of a round, within the money that is left (D22). */
export interface Examination {
  /** Null: nobody does, because of `why`. */
  readonly examiner: Examiner | null;
  readonly why: string;
  /** Records what it cost. Call once, when all are examined. */
  settle(): Promise<void>;
}

interface Examining {
  readonly goal: Goal;
  readonly run: Run;
  readonly lease: Lease;
  readonly keeper: LeaseKeeper;
  readonly repository: Repository;
}

/** Reserves money before an agent is called, follows what it reports, and ends the round at its cap. */
export async function openExamination(
  deps: Deps,
  examining: Examining,
  criteria: readonly Criterion[],
): Promise<Examination> {
  const { goal, run, lease, keeper, repository } = examining;
  const nobody = (why: string): Examination => ({ examiner: null, why, settle: async () => undefined });
  if (criteria.every((criterion) => criterion.verification.method !== "subagent")) return nobody("");
  const line = repository.agent ?? deps.config.agent;
  if (line === null) return nobody("no agent is configured to examine it (COS_AGENT): nothing is proven");
  const agent = deps.executor.ofAgent(line);
  if (agent.type === "invalid") return nobody(agent.reason);

  const callId = `${callIdOf(run.runId, lease)}.examine${run.verifyRound}`;
  const reserved = await reserve(deps, keeper, { callId, run });
  if (reserved.type === "refused") return nobody("not enough is left under the ceilings to examine it");

  const costs = new Map<string, number>();
  let workedMs = 0;
  const total = (): number => [...costs.values()].reduce((sum, cost) => sum + cost, 0);
  return {
    examiner: {
      // Commands run beside it, and some of them for long: only its own time is an agent's.
      async runner(...given) {
        const startedMs = performance.now();
        const result = await agent.runner(...given);
        if (result.type !== "not-started") workedMs += performance.now() - startedMs;
        return result;
      },
      label: agent.label,
      environment: deps.config.agentEnvironment,
      async onSpend(criterionId, cumulativeMicroUsd) {
        costs.set(criterionId, Math.max(costs.get(criterionId) ?? 0, cumulativeMicroUsd));
        if (run.billing === "metered" && total() >= reserved.capMicroUsd) keeper.cut("ceiling");
      },
    },
    why: "",
    async settle() {
      if (run.billing === "flat") return;
      const examined = { toldMicroUsd: costs.size === 0 ? null : total(), workedMs };
      const rate = deps.policy.goals.assumedMicroUsdPerMinute;
      const cost = examinationCost(examined, rate, reserved.capMicroUsd);
      const day = localDate(deps.now(), deps.config.timezone);
      await appendSpend(
        deps.database.db,
        { callId, goalId: goal.goalId, runId: run.runId, sessionId: goal.sessionId, day },
        { kind: "settled", ...cost, at: deps.now() },
      );
    },
  };
}
