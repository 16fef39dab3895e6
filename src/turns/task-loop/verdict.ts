import { shorten } from "../../core/text.ts";
import { takeAgentJson, takeAgentOutput } from "../../agent/acp/command.ts";
import { lineCounts } from "../../agent/verify/looked.ts";
import { type EvidenceRecord, filesNamed, judgeEvidence } from "../../core/task-loop/evidence.ts";
import { saysFailed } from "../../core/task-loop/flags.ts";
import { type PhaseReport, readPhaseReport } from "../../core/task-loop/phase-report.ts";
import type { Db } from "../../db/connection/client.ts";
import { updateRun } from "../../db/runs.ts";
import { insertPhaseReport, type TaskRow, updateTask } from "../../db/tasks.ts";
import type { Deps } from "../../deps.ts";
import { inTurn } from "../shared/in-turn.ts";
import { type LoopTurn, warnOfReports } from "./stored.ts";
import type { WaveWorker } from "./workers.ts";

/** Verdicts on tasks, from the files that their checks left. */

/** The result of a task's check. */
export interface Checked {
  readonly verdict: "passed" | "failed";
  readonly feedback: string | null;
  readonly report: PhaseReport;
  readonly evidence: EvidenceRecord | null;
  /** Whether the next attempt goes on from this one's commit. */
  readonly mayGoOn: boolean;
}

/** The result of a task that changed files which it may not change. It has failed without a check (S3-PS-06). */
export function refusedFor({ state }: LoopTurn, why: string): Checked {
  const report = readPhaseReport(state.phase, null, { taskPassed: false, taskFailed: true });
  return { verdict: "failed", feedback: why, report: { ...report, reasons: [why] }, evidence: null, mayGoOn: false };
}

/** The result of a check that has ended. `ran`: the commands that the agent ran; null if it does not report them. */
export async function verdictOn(
  { state }: LoopTurn,
  task: TaskRow,
  { worker, ran }: { readonly worker: WaveWorker; readonly ran: readonly string[] | null },
): Promise<Checked> {
  const written = await takeAgentJson(worker.workplace.worktreeDir, "evidence.json");
  const lines = await lineCounts(worker.workplace.worktreeDir, filesNamed(written));
  const judged = judgeEvidence(task.acceptanceCriteria, written, { lines, ran });
  const told = await takeAgentOutput(worker.workplace.worktreeDir, "task-feedback.md");
  const own = await takeAgentOutput(worker.workplace.worktreeDir, "phase-report.json");
  const shown = judged.type === "passed";
  const report = readPhaseReport(state.phase, own, { taskPassed: shown, taskFailed: !shown });
  // If the agent's report says that the task failed, its evidence does not change that (C-46).
  const denied = saysFailed(report.statusUpdates) && shown;
  const passed = shown && !denied;
  const problems = [
    ...judged.problems,
    ...(denied ? ["the check's own report says that the task failed", ...boundedReasons(report)] : []),
  ];
  const claims = report.statusUpdates.taskPassed === true && !shown;
  return {
    verdict: passed ? "passed" : "failed",
    // The feedback includes what the agent wrote for the next attempt (S3-EV-07).
    feedback: passed
      ? null
      : [...problems.map((problem) => `- ${problem}`), ...(told === null ? [] : [told])].join("\n"),
    report: claims
      ? {
          ...report,
          validationErrors: [
            ...report.validationErrors,
            "it says that the task passed, which its evidence does not show",
          ],
        }
      : report,
    evidence: judged.record,
    mayGoOn: true,
  };
}

/** The reasons in the check's own report, limited in number and length, for the next attempt's prompt. */
function boundedReasons({ reasons }: PhaseReport): readonly string[] {
  return reasons.slice(0, 20).map((reason) => shorten(reason, 1_000));
}

/** The verdict of each checked task. */
export function verdictsOf(checked: Readonly<Record<string, Checked>>): Record<string, Checked["verdict"]> {
  return Object.fromEntries(Object.entries(checked).map(([id, { verdict }]) => [id, verdict]));
}

/** Stores the feedback for each task's next attempt, and whether that goes on from this one's commit. */
export async function writeVerdicts(
  tx: Db,
  deps: Pick<Deps, "now">,
  goalId: string,
  checked: Readonly<Record<string, Checked>>,
): Promise<void> {
  for (const [id, { feedback, mayGoOn }] of Object.entries(checked)) {
    const begins = mayGoOn ? {} : { commitFrom: null };
    if (feedback !== null) await updateTask(tx, goalId, id, { feedback, ...begins, updatedAt: deps.now() });
  }
}

/**
 * Stores the verdicts of an interrupted check, so that those tasks are not checked again. Returns the turn with the new state, or null if
 * the lease was lost.
 */
export async function holdVerdicts(
  deps: Deps,
  turn: LoopTurn,
  checked: Readonly<Record<string, Checked>>,
): Promise<LoopTurn | null> {
  const { run, state } = turn;
  const next = { ...state, checked: { ...state.checked, ...verdictsOf(checked) }, unjudged: 0 };
  const entries = Object.entries(checked);
  const written = await inTurn(deps, turn.keeper, async (tx, { goalId }) => {
    await updateRun(tx, run.runId, { loop: next, ...(entries.length > 0 ? { limitWaits: 0 } : {}) });
    await writeVerdicts(tx, deps, goalId, checked);
    const about = { goalId, runId: run.runId, iteration: state.iteration, at: deps.now() };
    for (const [taskId, { report, evidence }] of entries) {
      const outcome = report.source === "inferred" ? { outcome: `checked: ${taskId}` } : {};
      await insertPhaseReport(tx, { ...about, taskId, report: { ...report, ...outcome }, evidence });
    }
    return true;
  });
  if (written === null) return null;
  warnOfReports(
    deps,
    turn.goal.goalId,
    entries.map(([taskId, { report }]) => ({ taskId, report })),
  );
  return { ...turn, state: next };
}
