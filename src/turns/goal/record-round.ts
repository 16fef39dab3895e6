import { isRepositoryCheck } from "../../core/acceptance/repository-check.ts";
import { decideVerified, type VerifiedDecision } from "../../core/acceptance/after-verify.ts";
import { type CriterionResult, structured, waitsForForge } from "../../core/acceptance/results.ts";
import { decideStop } from "../../core/acceptance/stop-gate.ts";
import type { Checkpoint } from "../../core/checkpoints/checkpoint.ts";
import { ofGoal } from "../../core/events/write.ts";
import type { LeftOutFiles } from "../../core/cards/left-out-words.ts";
import { cutFor, decideCut } from "../../core/goals/after.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { lackingPrograms } from "../../core/recovery/missing-program.ts";
import { trialReasons } from "../../core/trials/tried.ts";
import { listForGoal } from "../../db/checkpoints.ts";
import { type Db, readTogether } from "../../db/connection/client.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import { getRun, type Run, updateRun } from "../../db/runs.ts";
import { appendTimeline, type EventRow, readGoalEvents } from "../../db/timeline.ts";
import { turnWrite } from "../../db/transitions.ts";
import type { Deps } from "../../deps.ts";
import { countFailure } from "../shared/breaker.ts";
import { inTurn, lost, type StepResult } from "../shared/in-turn.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { endGoal } from "../shared/end-goal.ts";
import { addMissing, askAboutRound, lastRoundFailed, keepAcceptance, passed } from "./after-round.ts";
import { actOnCut, asAsked, tellVerificationCut } from "./cut.ts";
import type { RoundContext, Round, VerifiedRound } from "./round.ts";
import { aboutForge, aboutProof, aboutTrials, forgeReasons, isAskedThere } from "./round-questions.ts";
import { feedbackOf } from "./round-words.ts";

export interface RecordedRound {
  readonly goal: Goal;
  readonly run: Run;
  readonly keeper: LeaseKeeper;
  readonly round: Round;
}

/** Records a verification round and what follows, in one transaction. */
export async function recordRound(deps: Deps, { run: seen, keeper, round }: RecordedRound): Promise<StepResult> {
  const { lease } = keeper;
  const result = await inTurn(deps, keeper, async (tx, goal): Promise<StepResult> => {
    const [known, questions, rounds] = await readTogether(tx, (reads) =>
      Promise.all([
        getRun(reads, seen.runId),
        listForGoal(reads, goal.goalId),
        seen.feedback === null ? [] : readGoalEvents(reads, goal.goalId, "run.verified"),
      ]),
    );
    const run = known ?? seen;
    const write = turnWrite(tx, { lease, goal }, deps.now);
    switch (round.type) {
      case "failed": {
        const outcome = `Verification could not be run: ${round.reason}`;
        await endGoal(tx, deps, { goal, write }, { status: "failed", outcome, kind: "setup" });
        await countFailure(tx, deps, goal, run.runId);
        break;
      }
      case "cut": {
        const why = cutFor(round.why, goal.stopRequested);
        await tellVerificationCut(tx, { ...goal, runId: run.runId }, why, deps.now());
        await actOnCut(tx, deps, { goal, run, decision: decideCut(why), write });
        break;
      }
      case "unjudged": {
        const asked = await asAsked(tx, deps, keeper, { goal, run });
        if (asked !== null) return asked;
        for (const { id, details } of round.results)
          deps.log.info("examination.again", { goalId: goal.goalId, criterion: id, reason: details[0] ?? null });
        await write({ type: "goesOnAt", at: deps.now(), phase: "verify" });
        break;
      }
      case "verified": {
        const acted = await actOnRound(tx, deps, { goal, run, lease, round, write }, { questions, rounds });
        if (acted === "next") return { type: "next" };
        if (acted === "over") break;
        mark(tx, "goal", goal.goalId);
        lookAt(tx, goal.sessionId);
        return { type: "over", ringAfterMs: acted.ringAfterMs };
      }
    }
    mark(tx, "goal", goal.goalId);
    lookAt(tx, goal.sessionId);
    return { type: "over" };
  });
  return result ?? lost;
}

/** Earlier questions about a goal, and earlier rounds. Rounds are read only if the agent was told about one. */
interface Earlier {
  readonly questions: readonly Checkpoint[];
  readonly rounds: readonly EventRow<"run.verified">[];
}

/** Decides about a round and applies it. `next`: the lease is kept and the next phase begins at once. */
async function actOnRound(
  tx: Db,
  deps: Deps,
  context: RoundContext,
  { questions, rounds }: Earlier,
): Promise<"next" | "over" | { ringAfterMs: number | null }> {
  const { goal, run, round, write } = context;
  const accepted = acceptanceIn(questions, context);
  const aboutGuards = deps.policy.verification.guardsOnly === "ask" || goal.linkage.kind === "bug";
  const reasons = [
    ...trialReasons(round.trials, { aboutGuards, aboutUnsteady: deps.policy.verification.unsteady === "ask" }),
    ...forgeReasons(round, aboutGuards),
  ];
  const decision = decideVerified({
    results: round.results,
    passAsCommitted: round.passAsCommitted,
    touchedProof: round.touched,
    trialReasons: reasons,
    proofIsAccepted: accepted !== undefined,
    stopRequested: goal.stopRequested,
    round: run.verifyRound + 1,
    rounds: deps.policy.verification.rounds,
    isToldInVain: isToldInVain(rounds, context),
    lackProgram: lackProgram(rounds, context),
    isOwnCommand: goal.runCommand !== null,
  });
  await noteRound(tx, deps, context, decision);

  switch (decision.type) {
    case "passed": {
      assertGate(round, decision.type, accepted !== undefined);
      const wasAsked = reasons.length > 0 || round.passAsCommitted.length > 0 || isAskedThere(round);
      const counts = accepted !== undefined && wasAsked;
      return await passed(tx, deps, context, counts ? await keepAcceptance(tx, context, accepted) : null);
    }
    case "again":
      await addMissing(tx, deps, context, decision.failing);
      // The next execution is a turn of its own, with its own cost, evidence and output.
      await write({ type: "goesOnAt", at: deps.now(), phase: "implement" });
      return "over";
    case "fail":
      return await lastRoundFailed(tx, deps, context, decision);
    case "ask-about-proof":
      return await askAboutRound(tx, deps, context, aboutProof(round, decision));
    case "ask-about-forge":
      return await askAboutRound(tx, deps, context, aboutForge(round, decision));
    case "ask-about-trials":
      return await askAboutRound(tx, deps, context, aboutTrials(round, decision.reasons));
    case "stopped":
      await actOnCut(tx, deps, { goal, run, decision: decideCut(decision.why), write });
      return "over";
  }
}

/** The question in which a person accepted the proof of exactly this commit. Undefined when there is none. */
function acceptanceIn(questions: readonly Checkpoint[], { run, round }: RoundContext): Checkpoint | undefined {
  return questions.findLast(
    (each) =>
      each.kind === "proof" &&
      each.status === "approved" &&
      each.runId === run.runId &&
      each.facts.fingerprint === round.commit,
  );
}

/** True when the previous round, whose failures the agent was told, had the same commit and the same failures. */
function isToldInVain(rounds: Earlier["rounds"], { run, round }: RoundContext): boolean {
  const last = rounds.findLast(({ runId }) => runId === run.runId)?.detail;
  if (last === undefined || (last.decision !== "again" && last.decision !== "fail")) return false;
  return last.commit === round.commit && last.fail.join() === idsOf(round, "fail").join();
}

/** Criteria that lack a program, which no work can install. With a setup, only after the agent was told once. */
function lackProgram(rounds: Earlier["rounds"], { goal, run, round }: RoundContext): string[] {
  if (goal.runCommand !== null) return [];
  const told = rounds.findLast(({ runId }) => runId === run.runId)?.detail.fail ?? [];
  return lackingPrograms(round.criteria, round.results).filter((id) => !round.hasSetup || told.includes(id));
}

function idsOf({ results }: Pick<VerifiedRound, "results">, status: CriterionResult["status"]): string[] {
  return results.flatMap((each) => (each.status === status ? [each.id] : []));
}

async function noteRound(
  tx: Db,
  deps: Deps,
  { goal, run, round }: RoundContext,
  decision: VerifiedDecision,
): Promise<void> {
  await appendTimeline(tx, {
    event: "run.verified",
    ...ofGoal({ ...goal, runId: run.runId }, deps.now()),
    detail: {
      round: run.verifyRound + 1,
      commit: round.commit,
      decision: decision.type,
      pass: idsOf(round, "pass"),
      fail: idsOf(round, "fail"),
      ...(round.coverage === null ? {} : { coverage: round.coverage }),
    },
  });
  // For a goal with tasks, failed criteria become a task (`addMissing`).
  const isSentBack = goal.taskParallel === null && (decision.type === "again" || decision.type === "fail");
  const feedback = isSentBack
    ? feedbackOf(round, decision.failing, await leftOutOfCommit(tx, goal.goalId, round.commit))
    : null;
  await updateRun(tx, run.runId, { verifyRound: run.verifyRound + 1, feedback, limitWaits: 0 });
}

/** Files that git could not add to this commit. A failing criterion may miss them. */
async function leftOutOfCommit(tx: Db, goalId: string, commit: string): Promise<LeftOutFiles | null> {
  const events = await readGoalEvents(tx, goalId, "agent.files-left-out");
  return events.findLast(({ detail }) => detail.commit === commit)?.detail ?? null;
}

/** Asserts that the stop gate, which also holds agents in a terminal, allows the end of this goal (S2-RJ-01). Throws when it does not. */
function assertGate(round: VerifiedRound, decision: string, proofIsAccepted: boolean): void {
  const results = round.results
    .filter((each) => !(isRepositoryCheck(each.id) && each.status === "not-checked"))
    .filter((each) => !waitsForForge(each) && !(proofIsAccepted && each.asks != null))
    .map((each) =>
      proofIsAccepted && round.passAsCommitted.includes(each.id) ? { ...each, status: "pass" as const } : each,
    );
  const { commit } = round;
  const gate = decideStop({
    type: "inside",
    session: "in_progress",
    criteria: results.map((each) => each.id),
    run: structured({ at: new Date(0), specFile: "", revision: commit, results }),
    revision: commit,
    blocks: 0,
    maxBlocks: 1,
  });
  if (gate.type === "block") throw new Error(`decided ${decision}, and the stop gate holds: ${gate.message}`);
}
