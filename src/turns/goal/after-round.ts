import type { VerifiedDecision } from "../../core/acceptance/after-verify.ts";
import type { AcceptedProof } from "../../core/acceptance/backing.ts";
import type { Checkpoint } from "../../core/checkpoints/checkpoint.ts";
import { completeOutcome } from "../../core/goals/after.ts";
import { branchOf } from "../../core/goals/branch.ts";
import type { Db } from "../../db/connection/client.ts";
import { insertEvidence, lastSaid, listEvidence } from "../../db/evidence.ts";
import type { Deps } from "../../deps.ts";
import { criteriaStatusOf, type CriterionWithStatus } from "../../facts/criteria-status.ts";
import { addMissingWork } from "../recovery/missing.ts";
import { recordFailure } from "../recovery/recover.ts";
import { askAbout, type Question } from "../shared/ask-about.ts";
import { resultReasons } from "./result-reasons.ts";
import type { RoundContext } from "./round.ts";
import { shownCriterion, failedOutcome, feedbackOf, printedBy, verifiedWords } from "./round-words.ts";

/** What follows a verification round. Each function runs in the transaction that records the round. */

/** After a verified round: asks about the result if the changed files require it (D28). Otherwise the last phase follows. */
export async function passed(
  tx: Db,
  deps: Deps,
  { goal, run, round, write }: RoundContext,
  accepted: AcceptedProof | null,
): Promise<"next" | "over"> {
  // The outcome of a goal that waited for its examination only says what it waited for.
  const hasWaited = run.limitWaits > 0;
  const said = (hasWaited ? completeOutcome(round.files.length, branchOf(goal.goalId), "") : goal.outcome) ?? "Done.";
  const words = verifiedWords(round, accepted, await judgedByPeople(tx, goal, round));
  const outcome = `${/[.!?]$/.test(said) ? said : `${said}.`} ${words}`.trim();
  const branch = round.files.length > 0 ? branchOf(goal.goalId) : null;
  // The person who accepted these files has seen their changes, so they are not asked about again.
  const shown = new Set(accepted === null || round.passAsCommitted.length === 0 ? [] : round.touched);
  const asked = round.files.filter((file) => !shown.has(file));
  const reasons = resultReasons(deps, asked, { run, goal });
  if (reasons.length === 0) {
    await write({ type: "entersPhase", phase: "finish", branch, outcome });
    return "next";
  }
  const question = {
    kind: "diff",
    reasons,
    details: round.files.slice(0, 50),
    fingerprint: null,
    changed: null,
  } as const;
  await askAbout(tx, deps, { goal, runId: run.runId, ...question });
  await write({ type: "asks", phase: "finish", branch, outcome });
  return "over";
}

/** The criteria that only people can judge, with their answers. */
async function judgedByPeople(
  tx: Db,
  goal: RoundContext["goal"],
  round: RoundContext["round"],
): Promise<CriterionWithStatus[]> {
  if (!round.criteria.some(({ verification }) => verification.method === "manual")) return [];
  const { criteria } = criteriaStatusOf(goal, await listEvidence(tx, goal.goalId));
  return criteria.filter((each) => each.method === "manual");
}

/** Keeps as evidence who accepted the proof of this commit. All later reports name this person. */
export async function keepAcceptance(
  tx: Db,
  { goal, run, lease, round }: RoundContext,
  { resolvedBy, resolvedAt, askedAt, checkpointId, reasons }: Checkpoint,
): Promise<AcceptedProof> {
  const accepted = { by: resolvedBy ?? "a person", at: resolvedAt ?? askedAt };
  await insertEvidence(tx, {
    goalId: goal.goalId,
    runId: run.runId,
    turn: lease.turn,
    kind: "acceptance",
    criterion: null,
    command: checkpointId,
    exitCode: null,
    commit: round.commit,
    durationMs: 0,
    outputFile: null,
    outputBytes: null,
    sha256: null,
    tag: "not checked",
    detail: { by: accepted.by, at: accepted.at.toISOString(), reasons: reasons.map(({ context }) => context) },
    at: accepted.at,
  });
  return accepted;
}

/** After the last allowed round failed: records the failure, and the ladder decides what follows. */
export async function lastRoundFailed(
  tx: Db,
  deps: Deps,
  context: RoundContext,
  decision: Extract<VerifiedDecision, { type: "fail" }>,
): Promise<{ ringAfterMs: number | null }> {
  const { goal, run, lease, round, write } = context;
  const failure = {
    goal,
    run,
    turn: lease.turn,
    end: decision.isUnexaminable ? "unexamined" : "unverified",
    reason: failedOutcome(round, decision),
    exitCode: 0,
    output: printedBy(round, decision.failing),
    said: goal.runCommand === null ? await lastSaid(tx, run.runId) : "",
    own: null,
    criteria: decision.failing,
    files: round.files,
    commit: round.commit,
  } as const;
  if (!decision.isUnexaminable) await addMissing(tx, deps, context, decision.failing);
  return { ringAfterMs: await recordFailure(tx, deps, failure, write) };
}

/** Asks a person about the round. The goal waits for the answer. */
export async function askAboutRound(
  tx: Db,
  deps: Deps,
  { goal, run, write }: RoundContext,
  question: Question,
): Promise<"over"> {
  await askAbout(tx, deps, { goal, runId: run.runId, ...question });
  await write({ type: "asks", branch: branchOf(goal.goalId) });
  return "over";
}

/** Adds a task for the criteria that failed, to a goal with tasks. */
export async function addMissing(
  tx: Db,
  deps: Deps,
  { goal, run, round }: RoundContext,
  failing: readonly string[],
): Promise<void> {
  if (goal.taskParallel === null) return;
  const found = feedbackOf(round, failing);
  const criteria = failing.map((id) => shownCriterion(round, id));
  const title = "What the whole still lacks";
  await addMissingWork(tx, deps, { goal, run }, { prefix: "missing", title, criteria, found });
}
