import type { Diffstat } from "../../agent/git/diff.ts";
import { executionTag } from "../../core/acceptance/claim.ts";
import { contractOf, hasContract } from "../../core/acceptance/goal-contract.ts";
import { diffReason } from "../../core/checkpoints/question.ts";
import { diffTriggers } from "../../core/checkpoints/triggers.ts";
import { ofGoal } from "../../core/events/write.ts";
import type { NotedFile } from "../../core/files/noted.ts";
import {
  type AfterDecision,
  type CutDecision,
  type CutReason,
  completeOutcome,
  decideAfter,
  decideCut,
  type ExecutionEnd,
  type Interruption,
} from "../../core/goals/after.ts";
import { branchOf } from "../../core/goals/branch.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { unsettled } from "../../core/goals/start.ts";
import { safeOutput } from "../../core/secrets/mask.ts";
import { localDate } from "../../core/time.ts";
import { pendingCheckpoint } from "../../db/checkpoints.ts";
import { type Db, readTogether } from "../../db/connection/client.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import { insertEvidence } from "../../db/evidence.ts";
import type { Lease } from "../../db/leases.ts";
import { repositoryOfGoal } from "../../db/repositories.ts";
import { getRun, type Run, updateRun } from "../../db/runs.ts";
import { appendSpend } from "../../db/spend.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { recordTurn, type Write } from "../../db/transitions.ts";
import type { Deps } from "../../deps.ts";
import { isAtNight } from "../../facts/night-contract.ts";
import { giveUp } from "../recovery/give-up.ts";
import { type FailedAttempt, recordFailure } from "../recovery/recover.ts";
import { askForMore } from "../shared/ask-for-more.ts";
import { countFailure } from "../shared/breaker.ts";
import { agentDetail, learnOf } from "../shared/learn-agent.ts";
import type { Executed } from "../shared/execution.ts";
import { inTurn, lost, type StepResult } from "../shared/in-turn.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { callIdOf } from "../shared/money.ts";
import { type Asking, askAbout, contentHashOf } from "../shared/park.ts";
import { permissionQuestion, wasAnswered } from "../shared/permission.ts";
import { endGoal } from "../shared/settle.ts";
import { withdraw } from "../shared/end-session.ts";
import type { SetupEvidence, Workplace } from "../shared/workplace.ts";

/** One execution and what is left of it, before anything is recorded. */
export interface Attempt {
  readonly goal: Goal;
  readonly run: Run;
  readonly lease: Lease;
  readonly keeper: LeaseKeeper;
  readonly end: ExecutionEnd;
  readonly executed: Executed | null;
  readonly setup: SetupEvidence | null;
  /** The commit that holds the work; null when nothing was to be kept. */
  readonly headCommit: string | null;
  /** Refs of others that it changed; they are as before (D23). */
  readonly tampered: readonly string[];
  /** Paths that differ from the run's base. */
  readonly files: readonly string[];
  /** Those that its card names. */
  readonly noted: readonly NotedFile[];
  /** How much that is; null when nothing is kept. */
  readonly stat: Diffstat | null;
  readonly workplace: Workplace | null;
  /** What an agent wrote that wants to give up (AC-8); null when it does not. */
  readonly givesUp: string | null;
}

/**
 * Records an execution in one transaction: evidence, cost, commit, and what follows. Conditional on the lease; when it
 * was lost, only what is append-only is written (D4).
 */
export async function recordAttempt(deps: Deps, attempt: Attempt): Promise<StepResult> {
  const result = await inTurn(
    deps,
    attempt.keeper,
    async (tx, goal): Promise<StepResult> => {
      const [known, repository, question] = await readTogether(tx, (reads) =>
        Promise.all([
          getRun(reads, attempt.run.runId),
          repositoryOfGoal(reads, goal.goalId),
          pendingCheckpoint(reads, goal.goalId),
        ]),
      );
      const run = known ?? attempt.run;
      const { headCommit, end } = attempt;
      // Whoever came to an end, or to a question, met no limit this time: the next one is the first in a row.
      const limitWaits = end.type === "finished" || end.type === "permission" ? 0 : run.limitWaits;
      if (headCommit !== null || limitWaits !== run.limitWaits)
        await updateRun(tx, run.runId, { limitWaits, headCommit: headCommit ?? run.headCommit });
      const decision = decideAfter({
        end: attempt.end,
        stopRequested: goal.stopRequested,
        changedFiles: attempt.files.length,
        branch: branchOf(goal.goalId),
        isOwnCommand: goal.runCommand !== null,
        diffReasons: diffReasonsOf(deps, attempt, run, goal),
      });
      const gaveUp = attempt.givesUp === null ? null : await judgeGivingUp(tx, deps, attempt, goal, run);
      if (gaveUp !== null) return gaveUp;
      const isHeld = hasContract(contractOf(goal.criteria, repository?.checks ?? [], 1));
      const decided = isHeld ? beforeVerification(decision, attempt, goal) : decision;
      await tellExecuted(tx, deps, { attempt, goal, decision: decided.type });
      // A question the agent waited for is moot unless it is exactly what the goal waits for now.
      if (decided.type !== "ask-permission") await withdraw(tx, deps, question ?? undefined);
      return await act(tx, deps, attempt, goal, decided);
    },
    { always: (tx) => writeFacts(tx, deps, attempt) },
  );
  return result ?? lost;
}

/** An agent that wants to give up is heard with enough evidence, and sent back once without (D19); null: go on as ever. */
async function judgeGivingUp(tx: Db, deps: Deps, attempt: Attempt, goal: Goal, run: Run): Promise<StepResult | null> {
  const isOver = attempt.end.type === "finished" || attempt.end.type === "failed";
  if (!isOver || goal.stopRequested !== null) return null;
  const failed = {
    ...failedAttempt(attempt, goal, { type: "recover", end: "failed", reason: "the agent gave up" }),
    run,
  };
  const text = safeOutput(attempt.givesUp ?? "", deps.config.secrets);
  const write: Write = (transition) => recordTurn(tx, attempt.lease, goal, transition, deps.now());
  if (!(await giveUp(tx, deps, failed, text, write))) return null;
  mark(tx, "goal", goal.goalId);
  lookAt(tx, goal.sessionId);
  return { type: "over" };
}

/** A question about the result waits until it is verified: what does not pass needs no answer (D28). */
function beforeVerification(
  decision: AfterDecision,
  attempt: Attempt,
  goal: Goal,
): AfterDecision | { type: "verify"; outcome: string } {
  if (decision.type !== "complete" && decision.type !== "ask-about-result") return decision;
  if (decision.type === "complete") return { type: "verify", outcome: decision.outcome };
  const summary = attempt.end.type === "finished" && goal.runCommand === null ? attempt.end.summary : "";
  return { type: "verify", outcome: completeOutcome(attempt.files.length, branchOf(goal.goalId), summary) };
}

/** Reasons to ask about the result that nobody has settled in this run, for this content (D28). */
function diffReasonsOf(deps: Deps, attempt: Attempt, run: Run, goal: Goal) {
  const found = diffTriggers(attempt.files, deps.policy);
  const open = unsettled(
    found.map((each) => each.trigger),
    run.settled,
    contentHashOf(goal),
  );
  return found.filter((each) => open.includes(each.trigger)).map((each) => diffReason(each.trigger, each.files));
}

/** Append-only facts: they are true whoever holds the goal by now. */
async function writeFacts(tx: Db, deps: Deps, attempt: Attempt): Promise<void> {
  const { goal, run, lease, executed, setup, headCommit, end } = attempt;
  const at = deps.now();
  const ids = { goalId: goal.goalId, runId: run.runId, turn: lease.turn };
  if (setup !== null) {
    await insertEvidence(tx, {
      ...ids,
      kind: "setup",
      command: setup.command,
      exitCode: setup.exitCode,
      commit: attempt.workplace?.startCommit ?? null,
      durationMs: Math.round(setup.durationMs),
      outputFile: setup.output === null ? null : setup.outputFile,
      outputBytes: setup.output?.bytes ?? null,
      sha256: setup.output?.sha256 ?? null,
      tag: "verified",
      detail: {},
      at,
    });
  }
  if (attempt.tampered.length > 0) {
    const what = attempt.tampered.slice(0, 20);
    await appendTimeline(tx, { event: "agent.tampered", ...ids, at, detail: { refs: what } });
  }
  if (executed === null) return;
  const { result, cost, told } = executed;
  if (told.length > 0) await appendTimeline(tx, { event: "run.told", ...ids, at, detail: { lessons: told } });
  await insertEvidence(tx, {
    ...ids,
    kind: "execution",
    command: result.command,
    exitCode: result.type === "finished" ? result.exitCode : result.type === "failed" ? result.exitCode : null,
    commit: headCommit,
    durationMs: Math.round(result.durationMs),
    outputFile: result.output === null ? null : executed.outputFile,
    outputBytes: result.output?.bytes ?? null,
    sha256: result.output?.sha256 ?? null,
    // An executor's own word is a claim, and only when it says that it is done (D27).
    tag: executionTag({
      end: end.type,
      gaveUp: attempt.givesUp !== null,
      summary: end.type === "finished" && goal.runCommand === null ? end.summary : "",
    }),
    detail: {
      end: end.type,
      truncated: result.output?.truncated ?? false,
      plan: executed.plan,
      isolation: executed.isolation,
      agent: agentDetail(executed),
      stat: attempt.stat,
      noted: attempt.noted.slice(0, 200),
      files: attempt.files.slice(0, 200),
    },
    at,
  });
  if (cost !== null) {
    const day = localDate(at, deps.config.timezone);
    const call = {
      callId: callIdOf(run.runId, lease),
      goalId: goal.goalId,
      runId: run.runId,
      sessionId: goal.sessionId,
      day,
    };
    await appendSpend(tx, call, { kind: "settled", ...cost, at });
    await learnOf(tx, deps, call, executed);
  }
}

type RecordDecision = ReturnType<typeof beforeVerification>;

async function tellExecuted(
  tx: Db,
  { now }: Pick<Deps, "now">,
  { attempt, goal, decision }: { attempt: Attempt; goal: Goal; decision: RecordDecision["type"] },
): Promise<void> {
  const { run, end, files, headCommit: commit } = attempt;
  const { goalId, sessionId } = goal;
  const detail = { end: end.type, files: files.length, commit, decision };
  await appendTimeline(tx, { event: "run.executed", goalId, sessionId, runId: run.runId, at: now(), detail });
}

async function act(tx: Db, deps: Deps, attempt: Attempt, goal: Goal, decision: RecordDecision): Promise<StepResult> {
  const { lease, run } = attempt;
  const { goalId, sessionId } = goal;
  const now = deps.now();
  const write: Write = (transition) => recordTurn(tx, lease, goal, transition, deps.now());

  switch (decision.type) {
    case "verify": {
      await write({ type: "entersPhase", phase: "verify", outcome: decision.outcome });
      mark(tx, "goal", goalId);
      return { type: "next" };
    }
    case "complete": {
      const { outcome } = decision;
      const branch = attempt.files.length > 0 ? branchOf(goalId) : null;
      await write({ type: "entersPhase", phase: "finish", branch, outcome });
      return { type: "next" };
    }
    case "ask-about-result": {
      const question = {
        kind: "diff",
        reasons: decision.reasons,
        details: attempt.files.slice(0, 50),
        fingerprint: null,
        changed: null,
      } as const;
      await askAbout(tx, deps, goal, run.runId, question);
      await write({ type: "asks", phase: "finish", branch: branchOf(goalId) });
      break;
    }
    case "ask-permission": {
      const ask = attempt.executed?.result.type === "permission" ? attempt.executed.result.ask : null;
      if (await wasAnswered(tx, goalId, ask)) {
        await write({ type: "isCut", at: now, interruptions: 0 });
        break;
      }
      if (ask !== null) await askAbout(tx, deps, goal, run.runId, permissionQuestion(ask));
      await write({ type: "asks" });
      break;
    }
    case "recover": {
      const ringAfterMs = await recordFailure(tx, deps, failedAttempt(attempt, goal, decision), write);
      mark(tx, "goal", goalId);
      lookAt(tx, sessionId);
      return { type: "over", ringAfterMs };
    }
    case "fail":
      if (!(await waitsForMorning(tx, goal, decision))) await countFailure(tx, deps, goal, run.runId);
      await actOnCut(tx, deps, goal, run, decision, write);
      break;
    case "defer":
    case "park":
    case "restart":
    case "resume-later":
      await actOnCut(tx, deps, goal, run, decision, write);
      break;
  }
  mark(tx, "goal", goalId);
  lookAt(tx, sessionId);
  return { type: "over" };
}

/** An execution that failed, as the ladder looks at it. */
function failedAttempt(
  attempt: Attempt,
  goal: Goal,
  { end, reason }: Extract<AfterDecision, { type: "recover" }>,
): FailedAttempt {
  const result = attempt.executed?.result ?? null;
  return {
    goal,
    run: attempt.run,
    turn: attempt.lease.turn,
    end,
    reason,
    exitCode: result?.type === "failed" ? result.exitCode : null,
    output: result?.output?.tail.replaceAll(`${attempt.workplace?.worktreeDir ?? "\0"}/`, "") ?? "",
    own: result?.type === "failed" || result?.type === "unavailable" ? result.own : null,
    criteria: [],
    files: attempt.files,
    commit: attempt.headCommit,
  };
}

/** A ceiling that is met at night is a question for the morning, not a failure. */
async function waitsForMorning(tx: Db, goal: Goal, { why }: Extract<CutDecision, { type: "fail" }>): Promise<boolean> {
  return why === "ceiling" && (await isAtNight(tx, goal.sessionId));
}

/**
 * What a person asked of a goal at work comes before what its turn would ask or end with. Null when nothing was asked, or a
 * pause: that keeps the goal's place, whatever it is.
 */
export async function asAsked(
  tx: Db,
  deps: Asking,
  keeper: LeaseKeeper,
  goal: Goal,
  run: { readonly runId: string | null } = goal,
): Promise<StepResult | null> {
  const { stopRequested } = goal;
  if (stopRequested === null || stopRequested === "pause") return null;
  return await endCut(tx, deps, keeper, { goal, run, why: stopRequested });
}

/** Records that a turn was cut short, in a transaction of its own. */
export async function recordCut(
  deps: Deps,
  keeper: LeaseKeeper,
  run: { readonly runId: string | null },
  why: CutReason,
): Promise<StepResult> {
  return (await inTurn(deps, keeper, (tx, goal) => endCut(tx, deps, keeper, { goal, run, why }))) ?? lost;
}

interface Cut {
  readonly goal: Goal;
  readonly run: { readonly runId: string | null };
  readonly why: CutReason;
}

async function endCut(tx: Db, deps: Asking, keeper: LeaseKeeper, { goal, run, why }: Cut): Promise<StepResult> {
  const write: Write = (transition) => recordTurn(tx, keeper.lease, goal, transition, deps.now());
  await actOnCut(tx, deps, goal, run, decideCut(why), write);
  mark(tx, "goal", goal.goalId);
  lookAt(tx, goal.sessionId);
  return { type: "over" };
}

/** What becomes of a goal whose work was ended before it was done. Shared by every phase that does work. */
export async function actOnCut(
  tx: Db,
  deps: Asking,
  goal: Goal,
  run: { readonly runId: string | null },
  decision: CutDecision,
  write: Write,
): Promise<void> {
  const now = deps.now();
  switch (decision.type) {
    case "fail": {
      if (run.runId !== null && (await waitsForMorning(tx, goal, decision))) {
        await askForMore(tx, deps, goal, run.runId, decision.error);
        await write({ type: "asks", phase: "implement" });
        return;
      }
      await endGoal(tx, deps, goal, { status: "failed", outcome: decision.error }, write);
      return;
    }
    case "defer":
      await endGoal(tx, deps, goal, { status: "deferred", outcome: goal.outcome ?? "Skipped." }, write);
      return;
    case "park": {
      const outcome = goal.outcome ?? decision.outcome;
      await write({ type: "parks", outcome });
      return;
    }
    case "restart":
      if (run.runId !== null) await updateRun(tx, run.runId, { status: "ended", endedAt: now });
      await write({ type: "restarts" });
      return;
    case "resume-later": {
      const { because } = decision;
      const interruptions = goal.interruptions + (decision.counts ? 1 : 0);
      const later = new Date(now.getTime() + (because?.by === "space" ? deps.policy.space.retryMs : 0));
      const wakeAt = goal.stopRequested === "pause" ? null : later;
      const outcome = because === null ? {} : { outcome: interruptedWords(because) };
      await write({ type: "isCut", at: wakeAt, interruptions, ...outcome });
      if (because === null) return;
      const { turn, phase } = goal;
      await appendTimeline(tx, {
        event: "goal.interrupted",
        ...ofGoal(goal, now),
        detail: { turn, interruptions, phase, ...because },
      });
      return;
    }
  }
}

function interruptedWords({ by, reason }: Interruption): string {
  if (by === "space") return `Waits for space: ${reason}. Goes on by itself.`;
  return `The agent did not begin: ${reason}. Goes on by itself.`;
}
