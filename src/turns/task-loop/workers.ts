import type { PermissionAsk } from "../../agent/process/runner.ts";
import type { CutReason } from "../../core/goals/after.ts";
import { executionTag } from "../../core/acceptance/claim.ts";
import { localDate } from "../../core/time.ts";
import type { WorkerEnd } from "../../core/task-loop/wave.ts";
import { recordEvidence } from "../shared/evidence.ts";
import { appendSpend } from "../../db/spend.ts";
import type { Deps } from "../../deps.ts";
import { callOf, execute, type Executed } from "../shared/execution.ts";
import type { Execution } from "../shared/execution-request.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { reserve } from "../shared/money.ts";
import { spaceLackedBy } from "../shared/space-claims.ts";
import type { Workplace } from "../shared/workplace.ts";
import { agentDetail, learnOf } from "../shared/learn-agent.ts";
import type { LoopTurn } from "./stored.ts";

/** One agent of a wave: its place and what it is told. */
export interface Worker {
  readonly taskId: string;
  /** `T1` or `check-T1`. */
  readonly name: string;
  readonly prompt: string;
  readonly workplace: Workplace;
}

export interface Worked {
  readonly end: WorkerEnd;
  readonly executed: Executed | null;
}

export interface Ran {
  readonly ends: Readonly<Record<string, Worked>>;
  readonly cut: CutReason | null;
  /** What a worker asked to do and nobody allowed in time (D29). */
  readonly ask: PermissionAsk | null;
  /** What one of them could not write for want of space: nothing of the wave counts. */
  readonly noSpace: string | null;
}

/** The commands that a worker ran, as far as it tells; null: it does not. */
export function ranBy(worked: Worked | undefined): readonly string[] | null {
  const result = worked?.executed?.result;
  return result?.type === "finished" ? (result.said?.ran ?? null) : null;
}

/** Nothing was run. */
export const nothingRan: Ran = { ends: {}, cut: null, ask: null, noSpace: null };

/**
 * Runs the agents of a wave side by side, each with its share of the money that is left. What each cost and did is kept whatever becomes of the wave.
 */
export async function runWorkers(deps: Deps, turn: LoopTurn, workers: readonly Worker[]): Promise<Ran> {
  const { keeper } = turn;
  const wave = openWaveKeeper(keeper);
  const reserved: { worker: Worker; execution: Execution }[] = [];
  for (const [index, worker] of workers.entries()) {
    const piece = { name: worker.name, prompt: worker.prompt };
    const { goal, run, lease } = turn;
    const callId = callOf({ run, lease, piece });
    const money = await reserve(deps, keeper, { callId, run, of: workers.length - index });
    if (money.type === "refused") {
      keeper.cut("ceiling");
      break;
    }
    const { workplace } = worker;
    const execution = { goal, run, lease, keeper: wave.keeper, workplace, capMicroUsd: money.capMicroUsd, piece };
    reserved.push({ worker, execution });
  }
  if (keeper.cutReason() !== null) return { ...nothingRan, cut: keeper.cutReason() };

  let noSpace: string | null = null;
  const done = await Promise.all(
    reserved.map(async ({ worker, execution }): Promise<[string, Worked]> => {
      const executed = await execute(deps, execution);
      noSpace ??= await spaceLackedBy(deps, turn.run, executed.result);
      if (noSpace !== null) wave.end();
      const end = endOf(executed, wave.wasEnded());
      // One that takes too long ends them all (S3-PT-01), and so does one that cannot begin (S3-SF-03).
      if (end.type === "timeout" || end.type === "setup-failure") wave.end();
      await keepFacts(deps, turn, execution, { executed, end });
      return [worker.taskId, { end, executed }];
    }),
  );
  wave.stop();
  const asks = done.flatMap(([, { executed }]) =>
    executed?.result.type === "permission" ? [executed.result.ask] : [],
  );
  return { ends: Object.fromEntries(done), cut: keeper.cutReason(), ask: asks[0] ?? null, noSpace };
}

/** The turn's keeper with an end of the wave's own. */
function openWaveKeeper(keeper: LeaseKeeper): {
  readonly keeper: LeaseKeeper;
  end(): void;
  wasEnded(): boolean;
  stop(): void;
} {
  const controller = new AbortController();
  let ended = false;
  const onCut = (): void => controller.abort();
  if (keeper.signal.aborted) onCut();
  keeper.signal.addEventListener("abort", onCut, { once: true });
  return {
    keeper: { ...keeper, signal: controller.signal },
    end() {
      ended = true;
      controller.abort();
    },
    wasEnded: () => ended,
    stop: () => keeper.signal.removeEventListener("abort", onCut),
  };
}

function endOf({ result }: Executed, waveEnded: boolean): WorkerEnd {
  switch (result.type) {
    case "finished":
      return { type: "finished" };
    case "timeout":
      return { type: "timeout", reason: result.reason };
    // Nothing of it could begin: that says nothing about the task (S3-SF-01).
    case "unavailable":
    case "not-started":
      return { type: "setup-failure", reason: result.reason };
    case "failed":
    case "needs-login":
      return { type: "failed", reason: result.reason };
    case "permission":
      return {
        type: "failed",
        reason: `it asked to ${result.ask.kind}: ${result.ask.title}, which nobody allowed in time`,
      };
    case "cut":
      return { type: "failed", reason: waveEnded ? "ended with its wave" : "cut short" };
  }
}

/** Evidence and cost of one worker, append-only: they are true whatever follows. */
async function keepFacts(
  deps: Deps,
  { goal, run, lease }: LoopTurn,
  execution: Execution,
  { executed, end }: { readonly executed: Executed; readonly end: WorkerEnd },
): Promise<void> {
  const { result, cost } = executed;
  const at = deps.now();
  await deps.database.transaction(async (tx) => {
    await recordEvidence(tx, deps, {
      goalId: goal.goalId,
      runId: run.runId,
      turn: lease.turn,
      kind: "execution",
      criterion: execution.piece?.name ?? null,
      command: result.command,
      exitCode: result.type === "finished" ? 0 : null,
      commit: null,
      durationMs: Math.round(result.durationMs),
      outputFile: result.output === null ? null : executed.outputFile,
      outputBytes: result.output?.bytes ?? null,
      sha256: result.output?.sha256 ?? null,
      tag: executionTag({
        end: end.type,
        gaveUp: false,
        summary: result.type === "finished" ? result.summary : "",
      }),
      detail: { end: end.type, piece: execution.piece?.name ?? null, agent: agentDetail(executed) },
      at,
    });
    if (cost === null) return;
    const day = localDate(at, deps.config.timezone);
    const call = { callId: callOf(execution), goalId: goal.goalId, runId: run.runId, sessionId: goal.sessionId, day };
    await appendSpend(tx, call, { kind: "settled", ...cost, at });
    await learnOf(tx, deps, call, executed);
  });
}
