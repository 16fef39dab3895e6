import type { Examiner } from "../../agent/verify/verifying.ts";
import type { Criterion } from "../../core/acceptance/spec.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { localDate } from "../../core/time.ts";
import type { Lease } from "../../db/leases.ts";
import type { Repository } from "../../db/repositories.ts";
import type { Run } from "../../db/runs.ts";
import { appendSpend } from "../../db/spend.ts";
import type { Deps } from "../../deps.ts";
import { type FailedResult, providersEnd } from "./held.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { callIdOf, reserve } from "../shared/money.ts";
import { watchSpend } from "../shared/spend-watch.ts";
import { openWorkClock } from "../shared/work-clock.ts";

/** The examiner of a round's sub-agent criteria, within the remaining money (D22). */
export interface Examination {
  /** Null when there is none, because of `why`. */
  readonly examiner: Examiner | null;
  readonly why: string;
  /** Criteria that were not examined: the examiner met a limit, an outage or a missing login, or declined. */
  readonly held: ReadonlyMap<string, FailedResult>;
  /** Records the cost. Call once, after all examinations. */
  settle(): Promise<void>;
}

interface WorkToExamine {
  readonly goal: Goal;
  readonly run: Run;
  readonly lease: Lease;
  readonly keeper: LeaseKeeper;
  readonly repository: Repository;
}

/** Reserves money before the agent is called, follows its reported cost, and ends the round at the cap. */
export async function openExamination(
  deps: Deps,
  work: WorkToExamine,
  criteria: readonly Criterion[],
): Promise<Examination> {
  const { goal, run, lease, keeper, repository } = work;
  const nobody = (why: string): Examination => ({
    examiner: null,
    why,
    held: new Map(),
    settle: async () => undefined,
  });
  if (criteria.every((criterion) => criterion.verification.method !== "subagent")) return nobody("");
  const line = repository.agent ?? deps.config.agent;
  if (line === null) return nobody("no agent is configured to examine it (COS_AGENT): nothing is proven");
  const agent = deps.executor.ofAgent(line);
  if (agent.type === "invalid") return nobody(agent.reason);

  const callId = `${callIdOf(run.runId, lease)}.examine${run.verifyRound}`;
  const reserved = await reserve(deps, keeper, { callId, run });
  if (reserved.type === "refused") return nobody("not enough is left under the ceilings to examine it");

  const day = localDate(deps.now(), deps.config.timezone);
  const call = { callId, goalId: goal.goalId, runId: run.runId, sessionId: goal.sessionId, day };
  const watch = watchSpend(deps, {
    call,
    capMicroUsd: reserved.capMicroUsd,
    isFlat: run.billing === "flat",
    before: new Map(),
    counting: null,
    onCap: () => keeper.cut("ceiling"),
  });
  const held = new Map<string, FailedResult>();
  const clock = openWorkClock(watch.working);
  let isWhole = true;
  return {
    examiner: {
      // Commands run at the same time, some of them for long. Only the agent's own time counts.
      async runner(criterion, ...given) {
        const end = clock.begin();
        let hasBegun = true;
        try {
          const result = await agent.runner(criterion, ...given);
          const holds = providersEnd(deps, result);
          if (holds !== null) held.set(criterion.goalId, holds);
          hasBegun = result.type !== "not-started";
          isWhole &&= result.type === "finished";
          return result;
        } finally {
          end(hasBegun);
        }
      },
      label: agent.label,
      environment: deps.config.agentEnvironment,
      // Each examination is its own process, so their sessions may have the same name.
      purse: (criterionId) => ({
        onAgent: watch.known,
        onSpend: (cumulative, session) => watch.report(cumulative, `${criterionId} ${session}`),
        onTokens: watch.tokens,
        onOddCost: watch.odd,
      }),
    },
    why: "",
    held,
    async settle() {
      if (run.billing === "flat") return;
      const workedMs = clock.workedMs();
      const { amountMicroUsd, isEstimated } = (await watch.settle(workedMs, isWhole)).cost;
      const cost = { amountMicroUsd, isEstimated: isEstimated && workedMs > 0 };
      await appendSpend(deps.database.db, call, { kind: "settled", ...cost, at: deps.now() });
    },
  };
}

/** Thrown when an examiner met a limit, an outage or a missing login, or declined, after all other criteria were examined. */
export class ExaminationHeld extends Error {
  override readonly name = "ExaminationHeld";
  readonly end: FailedResult;

  constructor(end: FailedResult) {
    super(end.reason);
    this.end = end;
  }
}
