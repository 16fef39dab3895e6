import { contractOf, hasContract } from "../../core/acceptance/goal-contract.ts";
import type { Checkpoint } from "../../core/checkpoints/checkpoint.ts";
import { type AfterDecision, completeOutcome, decideAfter } from "../../core/goals/after.ts";
import { branchOf } from "../../core/goals/branch.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { safeOutput } from "../../core/secrets/mask.ts";
import { firstLine } from "../../core/text.ts";
import { pendingCheckpoint } from "../../db/checkpoints.ts";
import type { Db } from "../../db/connection/client.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import { getRun, type Run, updateRun } from "../../db/runs.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { turnWrite } from "../../db/transitions.ts";
import type { Deps } from "../../deps.ts";
import { workedIn } from "../../facts/worked.ts";
import type { FailedAttempt } from "../recovery/attempts.ts";
import { giveUp } from "../recovery/give-up.ts";
import { recordFailure } from "../recovery/recover.ts";
import { askAbout } from "../shared/ask-about.ts";
import { withdraw } from "../shared/end-session.ts";
import { inTurnSeeing, lost, type StepResult } from "../shared/in-turn.ts";
import { permissionQuestion, wasAnswered } from "../shared/permission.ts";
import { type Attempt, printedLast, saidLast, writeFacts } from "./attempt.ts";
import { actOnCut } from "./cut.ts";
import { resultReasons } from "./result-reasons.ts";

/**
 * Records an execution in one transaction: evidence, cost, commit, and what follows. Conditional on the lease. If the lease was lost, only
 * append-only facts are written (D4).
 */
export async function recordAttempt(deps: Deps, attempt: Attempt): Promise<StepResult> {
  const result = await inTurnSeeing<Meanwhile, StepResult>(
    deps,
    attempt.keeper,
    async (tx, goal, _session, { run, question }) => {
      const { repository, headCommit, end } = attempt;
      // An execution that finished or asked has met no limit, so the count of limits in a row begins again.
      const limitWaits = end.type === "finished" || end.type === "permission" ? 0 : run.limitWaits;
      const recorded = { limitWaits, headCommit: headCommit ?? run.headCommit };
      if (headCommit !== null || limitWaits !== run.limitWaits) await updateRun(tx, run.runId, recorded);
      const decision = decideAfter({
        end: attempt.end,
        stopRequested: goal.stopRequested,
        changedFiles: attempt.files.length,
        branch: branchOf(goal.goalId),
        isOwnCommand: goal.runCommand !== null,
        diffReasons: resultReasons(deps, attempt.files, { run, goal }),
      });
      const gaveUp = attempt.givesUp === null ? null : await judgeGivingUp(tx, deps, { ...attempt, run }, goal);
      if (gaveUp?.type === "next" || gaveUp?.type === "over") return gaveUp;
      const isHeld = hasContract(contractOf(goal.criteria, repository?.checks ?? [], 1));
      // Work that nothing verifies is not done when its own agent gave up.
      const decided = isHeld ? beforeVerification(decision, attempt, goal) : (gaveUp ?? decision);
      await tellExecuted(tx, deps, { attempt, goal, decision: decided.type });
      // The question that the agent waited for is withdrawn, unless the goal waits for exactly this one now.
      if (decided.type !== "ask-permission") await withdraw(tx, deps, question ?? undefined);
      const result = await act(tx, deps, { attempt, goal }, decided);
      if (result.type !== "next") return result;
      return { type: "next", worked: workedIn(tx, goal.goalId, { run: { ...run, ...recorded }, repository }) };
    },
    { always: (tx) => writeFacts(tx, deps, attempt), sees: (reads) => readMeanwhile(reads, attempt) },
  );
  return result ?? lost;
}

/** The run's current row, and the open question about its goal. Only a person's answer to a working agent changes them during an execution. */
interface Meanwhile {
  readonly run: Run;
  readonly question: Checkpoint | null;
}

/** Reads them again. A goal's own command asks nothing, so nothing is read for it. */
async function readMeanwhile(reads: Db, { goal, run }: Attempt): Promise<Meanwhile> {
  if (goal.runCommand !== null) return { run, question: null };
  const [known, question] = await Promise.all([getRun(reads, run.runId), pendingCheckpoint(reads, goal.goalId)]);
  return { run: known ?? run, question };
}

/**
 * Handles an agent that gives up: accepted with enough evidence, otherwise sent back once (D19); after that the attempt has failed. Null to
 * continue as usual.
 */
async function judgeGivingUp(tx: Db, deps: Deps, attempt: Attempt, goal: Goal): Promise<StepResult | Failed | null> {
  const isOver = attempt.end.type === "finished" || attempt.end.type === "failed";
  if (!isOver || (goal.stopRequested !== null && goal.stopRequested !== "pause")) return null;
  const text = safeOutput(attempt.givesUp ?? "", deps.config.secrets);
  const said = firstLine(text, 300);
  const gaveUp: Failed = {
    type: "recover",
    end: "failed",
    reason: `the agent gave up${said === "" ? "" : `: ${said}`}`,
  };
  const failed = failedAttempt(attempt, goal, gaveUp);
  const write = turnWrite(tx, { lease: attempt.lease, goal }, deps.now);
  if (!(await giveUp(tx, deps, { ...failed, text }, write))) return attempt.end.type === "finished" ? gaveUp : null;
  mark(tx, "goal", goal.goalId);
  lookAt(tx, goal.sessionId);
  return { type: "over" };
}

/** Puts verification before a question about the result: a result that does not pass needs no answer (D28). */
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

type Failed = Extract<AfterDecision, { type: "recover" }>;
type RecordDecision = ReturnType<typeof beforeVerification>;

/** Maximum number of unfinished tool calls that are named. */
const mostOpen = 5;

async function tellExecuted(
  tx: Db,
  { now }: Pick<Deps, "now">,
  { attempt, goal, decision }: { attempt: Attempt; goal: Goal; decision: RecordDecision["type"] },
): Promise<void> {
  const { run, end, files, headCommit: commit } = attempt;
  const { goalId, sessionId } = goal;
  const result = attempt.executed?.result;
  const left = result?.type === "finished" ? (result.said?.open ?? []) : [];
  const open = left.slice(0, mostOpen).map((title) => firstLine(title, 100));
  const detail = { end: end.type, files: files.length, commit, decision, ...(open.length === 0 ? {} : { open }) };
  await appendTimeline(tx, { event: "run.executed", goalId, sessionId, runId: run.runId, at: now(), detail });
}

async function act(
  tx: Db,
  deps: Deps,
  { attempt, goal }: { readonly attempt: Attempt; readonly goal: Goal },
  decision: RecordDecision,
): Promise<StepResult> {
  const { lease, run } = attempt;
  const { goalId, sessionId } = goal;
  const now = deps.now();
  const write = turnWrite(tx, { lease, goal }, deps.now);

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
      await askAbout(tx, deps, { goal, runId: run.runId, ...question });
      await write({ type: "asks", phase: "finish", branch: branchOf(goalId) });
      break;
    }
    case "ask-permission": {
      const ask = attempt.executed?.result.type === "permission" ? attempt.executed.result.ask : null;
      if (await wasAnswered(tx, goalId, ask)) {
        await write({ type: "isCut", at: now, interruptions: 0 });
        break;
      }
      if (ask !== null) await askAbout(tx, deps, { goal, runId: run.runId, ...permissionQuestion(ask) });
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
    case "defer":
    case "park":
    case "restart":
    case "resume-later":
      await actOnCut(tx, deps, { goal, run, decision, write });
      break;
  }
  mark(tx, "goal", goalId);
  lookAt(tx, sessionId);
  return { type: "over" };
}

/** The facts of a failed execution for the ladder. */
function failedAttempt(attempt: Attempt, goal: Goal, { end, reason }: Failed): FailedAttempt {
  const result = attempt.executed?.result ?? null;
  return {
    goal,
    run: attempt.run,
    turn: attempt.lease.turn,
    end,
    reason,
    exitCode: result?.type === "failed" ? result.exitCode : null,
    output: printedLast(attempt),
    said: saidLast(attempt),
    own: result?.type === "failed" || result?.type === "unavailable" ? result.own : null,
    criteria: [],
    files: (attempt.left ?? attempt).files,
    commit: attempt.left?.commit ?? attempt.headCommit,
  };
}
