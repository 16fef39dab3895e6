import { executionTag } from "../../core/acceptance/claim.ts";
import { localDate } from "../../core/time.ts";
import type { WorkerEnd } from "../../core/task-loop/wave.ts";
import { recordEvidence } from "../shared/evidence.ts";
import { appendSpend } from "../../db/spend.ts";
import type { Deps } from "../../deps.ts";
import { executionCall, executeGoal, type Executed } from "../shared/execution.ts";
import type { Execution, Purse } from "../shared/execution-request.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { reserveTogether } from "../shared/money.ts";
import { spaceLackedBy } from "../shared/space-claims.ts";
import type { Workplace } from "../shared/workplace.ts";
import { agentDetail, learnOf } from "../shared/learn-agent.ts";
import type { LoopTurn } from "./stored.ts";
import { endOf, type Stop, whatStops } from "./what-stops.ts";

/** One agent of a wave, with its place and its prompt. */
export interface WaveWorker {
  readonly taskId: string;
  /** `T1` or `check-T1`. */
  readonly name: string;
  readonly prompt: string;
  readonly workplace: Workplace;
}

export interface WorkerResult {
  readonly end: WorkerEnd;
  readonly executed: Executed | null;
  /** Whether a part of its work could not be written because of too little space. */
  readonly lacksSpace: boolean;
}

export interface Ran {
  readonly ends: Readonly<Record<string, WorkerResult>>;
  /** Why the wave is interrupted; null if it is not. */
  readonly stop: Stop | null;
}

/** The commands that a worker ran, as it reports them; null if it does not. */
export function ranBy(worked: WorkerResult | undefined): readonly string[] | null {
  const result = worked?.executed?.result;
  return result?.type === "finished" ? (result.said?.ran ?? null) : null;
}

/** The result if no worker was run. */
export const nothingRan: Ran = { ends: {}, stop: null };

/**
 * Runs the agents of a wave in parallel. The money that is left is divided among them; if it is too little for all, only the first ones run,
 * and the others are not in the result. The cost and the evidence of each agent are stored, however the wave ends.
 */
export async function runWorkers(deps: Deps, turn: LoopTurn, workers: readonly WaveWorker[]): Promise<Ran> {
  const { keeper } = turn;
  const wave = openWaveKeeper(keeper);
  const { goal, run, lease } = turn;
  const pieces = workers.map((worker) => ({ name: worker.name, prompt: worker.prompt }));
  const callIds = pieces.map((piece) => executionCall({ run, lease, piece }));
  const shares = await reserveTogether(deps, keeper, { callIds, run });
  // A person may have asked to stop while the money was reserved.
  const cutBefore = await keeper.confirm(0);
  if (cutBefore !== null) {
    await giveBack(deps, turn, callIds.slice(0, shares.length));
    return { ...nothingRan, stop: { type: "cut", why: cutBefore } };
  }
  if (shares.length === 0) return { ...nothingRan, stop: { type: "no-money" } };
  const purse = openPurse(shares);
  const reserved = shares.map((capMicroUsd, index): { worker: WaveWorker; execution: Execution } => {
    const [worker, piece] = [workers[index], pieces[index]];
    if (worker === undefined || piece === undefined) throw new Error("more shares than workers");
    const { workplace } = worker;
    return { worker, execution: { goal, run, lease, keeper: wave.keeper, workplace, capMicroUsd, piece, purse } };
  });

  let noSpace: string | null = null;
  const done = await allEnded(
    wave,
    reserved.map(async ({ worker, execution }): Promise<[string, WorkerResult]> => {
      const executed = await executeGoal(deps, execution);
      purse.spent(executionCall(execution), executed.cost?.amountMicroUsd ?? 0);
      const lack = await spaceLackedBy(deps, turn.run, executed.result);
      noSpace ??= lack;
      if (noSpace !== null) wave.end();
      const end = endOf(deps, executed.result, wave.wasEnded());
      // An agent that takes too long ends all of them (S3-PT-01), and so does one that cannot begin (S3-SF-03).
      if (end.type === "timeout" || end.type === "setup-failure") wave.end();
      await keepFacts(deps, turn, execution, { executed, end });
      return [worker.taskId, { end, executed, lacksSpace: lack !== null }];
    }),
  );
  const results = done.flatMap(([, { executed }]) => (executed === null ? [] : [executed.result]));
  return { ends: Object.fromEntries(done), stop: whatStops(deps, results, { cut: keeper.cutReason(), noSpace }) };
}

/**
 * Waits until all workers have ended. If one throws, the wave ends, and the error is thrown when the others have ended too: no agent works
 * on after its turn.
 */
async function allEnded<Ended>(wave: WaveKeeper, working: readonly Promise<Ended>[]): Promise<Ended[]> {
  for (const each of working) each.catch(wave.end);
  const settled = await Promise.allSettled(working);
  wave.stop();
  return settled.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  });
}

/** Treats the reservations for the calls of a wave as one amount. */
function openPurse(shares: readonly number[]): Purse {
  const most = shares.reduce((sum, each) => sum + each, 0);
  const costs = new Map<string, number>();
  return {
    spent(callId, amountMicroUsd) {
      costs.set(callId, amountMicroUsd);
      return [...costs.values()].reduce((sum, each) => sum + each, 0) > most;
    },
  };
}

/** Releases the money reserved for calls that are not made. If the goal ends here, no later turn would release it. */
async function giveBack(deps: Deps, { goal, run }: LoopTurn, callIds: readonly string[]): Promise<void> {
  if (callIds.length === 0 || run.billing === "flat") return;
  const at = deps.now();
  const about = { goalId: goal.goalId, runId: run.runId, sessionId: goal.sessionId };
  const day = localDate(at, deps.config.timezone);
  await deps.database.transaction(async (tx) => {
    for (const callId of callIds)
      await appendSpend(tx, { ...about, callId, day }, { kind: "settled", amountMicroUsd: 0, isEstimated: false, at });
  });
}

interface WaveKeeper {
  readonly keeper: LeaseKeeper;
  readonly end: () => void;
  wasEnded(): boolean;
  stop(): void;
}

/** Returns the turn's keeper with a signal that can also end only the wave. */
function openWaveKeeper(keeper: LeaseKeeper): WaveKeeper {
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

/** Stores evidence and cost of one worker. They are only appended, since they are true whatever follows. */
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
    const call = {
      callId: executionCall(execution),
      goalId: goal.goalId,
      runId: run.runId,
      sessionId: goal.sessionId,
      day,
    };
    await appendSpend(tx, call, { kind: "settled", ...cost, at });
    await learnOf(tx, deps, call, executed);
  });
}
