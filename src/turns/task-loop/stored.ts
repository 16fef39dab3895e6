import type { EvidenceRecord } from "../../core/task-loop/evidence.ts";
import { type PhaseReport, readPhaseReport } from "../../core/task-loop/phase-report.ts";
import type { LoopState } from "../../core/task-loop/state.ts";
import { decideCut } from "../../core/goals/after.ts";
import type { Goal } from "../../core/goals/goal.ts";
import type { Db } from "../../db/connection/client.ts";
import type { Lease } from "../../db/leases.ts";
import { getRun, type Run } from "../../db/runs.ts";
import { insertPhaseReport } from "../../db/tasks.ts";
import type { Deps } from "../../deps.ts";
import { inTurn, lost, type StepResult } from "../shared/in-turn.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { type LoopMove, moveLoop } from "../shared/loop-move.ts";
import { actOnCut } from "../goal/cut.ts";
import { turnWrite } from "../../db/transitions.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";

/** The arguments of every phase of the loop. */
export interface LoopTurn {
  readonly goal: Goal;
  readonly run: Run;
  readonly lease: Lease;
  readonly keeper: LeaseKeeper;
  readonly state: LoopState;
}

const inferredReport = (phase: LoopState["phase"]): PhaseReport => readPhaseReport(phase, null, {});

/** The result of a phase. Its status decides the next phase. */
export interface PhaseEnd extends LoopMove {
  /** What the goal's card says meanwhile; if absent, the summary. */
  readonly outcome?: string;
  /** Stored instead of `state` if a person has asked to stop meanwhile, which keeps the phase. If absent, `state` is stored. */
  readonly stopped?: LoopMove["state"];
  readonly reports: readonly {
    readonly taskId: string | null;
    readonly report: PhaseReport;
    readonly evidence: EvidenceRecord | null;
  }[];
  /** Further writes, in the same transaction. */
  readonly write: (tx: Db, goal: Goal) => Promise<void>;
}

/** Logs what is wrong in reports that agents wrote, in every phase and however it ended (S3-PR-05). */
export function warnOfReports(
  deps: Pick<Deps, "log">,
  goalId: string,
  reports: readonly Pick<PhaseEnd["reports"][number], "taskId" | "report">[],
): void {
  for (const { taskId, report } of reports) {
    const { phase, validationErrors } = report;
    if (validationErrors.length > 0)
      deps.log.warn("loop.phase-report", { goalId, taskId, phase, errors: validationErrors });
  }
}

/** A `write` that writes nothing further. */
export const nothingMore = async (): Promise<void> => undefined;

/**
 * Records a phase in one transaction: its writes, its reports, and the next phase (`nextPhase`). The next phase is a turn of its own, so a
 * crash loses at most one phase.
 */
export async function recordPhase(deps: Deps, turn: LoopTurn, end: PhaseEnd): Promise<StepResult> {
  const { lease, state } = turn;
  const result = await inTurn(deps, turn.keeper, async (tx, goal): Promise<StepResult> => {
    const run = (await getRun(tx, turn.run.runId)) ?? turn.run;
    const now = deps.now();
    await end.write(tx, goal);
    // Every phase has a report. If nobody wrote one, it contains the summary.
    const told =
      end.reports.length > 0 ? end.reports : [{ taskId: null, report: inferredReport(state.phase), evidence: null }];
    for (const { taskId, report: written, evidence } of told) {
      const report = written.source === "inferred" ? { ...written, outcome: end.summary } : written;
      const row = {
        goalId: goal.goalId,
        runId: run.runId,
        iteration: state.iteration,
        taskId,
        report,
        evidence,
        at: now,
      };
      await insertPhaseReport(tx, row);
    }
    const stopRequested = goal.stopRequested !== null;
    const left = {
      ...end,
      status: { ...end.status, stopRequested },
      state: (stopRequested ? end.stopped : null) ?? end.state,
    };
    const next = await moveLoop(tx, deps, { goal, run, state }, left);
    const phase = next.phase === "completeness_verification" ? "verify" : "implement";
    const outcome = end.outcome ?? end.summary;
    const write = turnWrite(tx, { lease, goal }, deps.now);
    // A request of a person to stop comes before the next phase.
    if (goal.stopRequested !== null) {
      await write({ type: "entersPhase", phase, outcome });
      await actOnCut(tx, deps, { goal, run, decision: decideCut(goal.stopRequested), write });
    } else await write({ type: "goesOnAt", at: now, phase, outcome });
    mark(tx, "goal", goal.goalId, "progress");
    lookAt(tx, goal.sessionId);
    return { type: "over" };
  });
  if (result !== null) warnOfReports(deps, turn.goal.goalId, end.reports);
  return result ?? lost;
}
