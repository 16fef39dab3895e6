import { GitError } from "../../agent/git/git.ts";
import { branchOf } from "../../core/goals/branch.ts";
import {
  type ArtifactType,
  criticsOf,
  failedScore,
  leastCoverage,
  type CriticsVerdict,
  verdictOf,
} from "../../core/critics/critic.ts";
import { decideGate, type GateDecision, reviewFingerprint } from "../../core/critics/gate.ts";
import { absentScores, rulesBy } from "../../core/critics/rules.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { ofGoal } from "../../core/events/write.ts";
import { formatBytes } from "../../core/space/free.ts";
import { listForGoal } from "../../db/checkpoints.ts";
import type { Db } from "../../db/connection/client.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import { insertReview, type Review, reviewsOfRun } from "../../db/reviews.ts";
import { openRunOf, type Run, updateRun } from "../../db/runs.ts";
import { appendTimeline, readGoalEvents } from "../../db/timeline.ts";
import { turnWrite, type Write } from "../../db/transitions.ts";
import type { Deps } from "../../deps.ts";
import { addMissingWork } from "../recovery/missing.ts";
import { inTurn, lost, type StepResult } from "../shared/in-turn.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { askAbout } from "../shared/ask-about.ts";
import { review, type Reviewed } from "../shared/review.ts";
import { asAsked, recordCut } from "./cut.ts";
import { mostBytes, readWork, type WorkToReview } from "./reviewed-work.ts";

/**
 * The critics' gate (seed 004 §6.4): reviews tests before verification, code before a goal is complete (also code beside a goal's document),
 * and a spec before a person is asked to approve it. Null when the phase continues. A goal's own command was written by a person and is not
 * reviewed. Safe to repeat: reviews of a commit are kept, and nobody is asked about it twice.
 */
export async function reviewTurn(
  deps: Deps,
  keeper: LeaseKeeper,
  goal: Goal,
  type: ArtifactType,
): Promise<StepResult | null> {
  if (deps.config.critics === "off" || goal.runCommand !== null) return null;
  if (type === "spec" && goal.linkage.kind !== "spec") return null;
  const run = await openRunOf(deps.database.db, goal.goalId);
  const commit = run?.headCommit ?? (type === "spec" ? run?.baseCommit : null) ?? null;
  // An unchanged document may be complete. Unchanged code and tests are not reviewed.
  if (run === null || commit === null || (type !== "spec" && commit === run.baseCommit)) return null;
  const reviewing = { goal, run, type, commit } as const;
  const earlier = await saidOf(deps.database.db, reviewing);
  // Known after the repository's own checks have run. The tests are then reviewed once more.
  const coverage = type === "test" ? await coverageAt(deps.database.db, reviewing) : null;
  if (await isSettled(deps.database.db, reviewing, { earlier, coverage })) return null;
  const reviewed = await reviewOf(deps, reviewing, { isSecond: earlier?.isApproved === true, coverage }, keeper.signal);
  if (reviewed === null) return null;
  const why = keeper.cutReason();
  if (why !== null) return await recordCut(deps, keeper, run, why);
  return await record(deps, keeper, reviewing, reviewed);
}

/** Test coverage from the repository's own checks at the last verification of this commit. Null when there was none. */
async function coverageAt(db: Db, { goal, run, commit }: WorkToReview): Promise<number | null> {
  const rounds = await readGoalEvents(db, goal.goalId, "run.verified");
  const last = rounds.findLast((each) => each.runId === run.runId && each.detail.commit === commit);
  return last?.detail.coverage ?? null;
}

/** The last review of this kind of work at this commit. Null when there is none. */
async function saidOf(db: Db, { goal, run, type, commit }: WorkToReview): Promise<Review | null> {
  const said = await reviewsOfRun(db, goal.goalId, run.runId);
  return said.findLast((each) => each.artifactType === type && each.commit === commit) ?? null;
}

/** True when critics approved this commit without a need for a person, or a person accepted it. */
async function isSettled(
  db: Db,
  { goal, type, commit }: WorkToReview,
  { earlier, coverage }: { readonly earlier: Review | null; readonly coverage: number | null },
): Promise<boolean> {
  if (earlier === null) return false;
  const isCovered = coverage === null || coverage >= leastCoverage;
  if (earlier.isApproved && !earlier.needsPerson && isCovered && type !== "spec") return true;
  return (await listForGoal(db, goal.goalId)).some(
    (each) =>
      (each.kind === "critics" || each.kind === "approval") &&
      each.status === "approved" &&
      each.facts.fingerprint === reviewFingerprint(type, commit),
  );
}

/** Reviews the work. Null when there is nothing to review. Work that git cannot read does not pass: it counts as an unreachable critic. */
async function reviewOf(
  deps: Deps,
  work: WorkToReview,
  { isSecond, coverage }: { readonly isSecond: boolean; readonly coverage: number | null },
  signal: AbortSignal,
): Promise<(Reviewed & { readonly name: string }) | null> {
  const { goal, run, type, commit } = work;
  const read = await readWork(deps, work).catch((error: unknown) => {
    if (error instanceof GitError) return error.message;
    throw error;
  });
  if (read === null) return null;
  if (typeof read === "string") return { type: "unreachable", of: "work", words: read, name: type };
  const { name, text, artifact } = read;
  if (read.isAbsent === true) {
    const critics = criticsOf(type);
    return { type: "verdict", verdict: verdictOf({ type, id: commit }, critics, absentScores(critics, name)), name };
  }
  if (read.isTooLarge) {
    const critics = criticsOf(type);
    const why = `the change has more than ${formatBytes(mostBytes)}`;
    const scores = critics.map((critic) => failedScore(critic, why, rulesBy));
    return { type: "verdict", verdict: verdictOf({ type, id: commit }, critics, scores), name };
  }
  // A model is not asked again about work that it approved. Other work is reviewed again, even when unchanged.
  const about = deps.config.critics === "model" && !isSecond ? { goal, runId: run.runId } : null;
  return { ...(await review(deps, { type, id: commit, text, artifact, coverage }, about, signal)), name };
}

async function record(
  deps: Deps,
  keeper: LeaseKeeper,
  work: WorkToReview,
  reviewed: Reviewed & { readonly name: string },
): Promise<StepResult | null> {
  const { run } = work;
  const recorded = await inTurn(deps, keeper, async (tx, goal): Promise<{ readonly result: StepResult | null }> => {
    const asked = await asAsked(tx, deps, keeper, { goal, run });
    if (asked !== null) return { result: asked };
    const write = turnWrite(tx, { lease: keeper.lease, goal }, deps.now);
    const result =
      reviewed.type === "unreachable"
        ? await interrupt(tx, deps, { goal, run, write }, reviewed)
        : await act(tx, deps, { ...work, goal, write }, reviewed);
    if (result === null) return { result };
    mark(tx, "goal", goal.goalId);
    lookAt(tx, goal.sessionId);
    return { result };
  });
  return recorded === null ? lost : recorded.result;
}

/** The model is unreachable, or git cannot read the work: the phase begins again later. After a few times a person is asked. */
async function interrupt(
  tx: Db,
  deps: Deps,
  { goal, run, write }: { readonly goal: Goal; readonly run: Run; readonly write: Write },
  { of, words }: Extract<Reviewed, { type: "unreachable" }>,
): Promise<StepResult> {
  const interruptions = goal.interruptions + 1;
  const { retryMs } = deps.policy.critics;
  const at = new Date(deps.now().getTime() + retryMs);
  const cannot = of === "model" ? "The critics' model cannot be asked" : "The critics cannot look at the work";
  await write({ type: "isCut", at, interruptions, outcome: `${cannot}: ${words}` });
  await appendTimeline(tx, {
    event: "run.not-reviewed",
    ...ofGoal({ ...goal, runId: run.runId }, deps.now()),
    detail: { reason: words, interruptions, of },
  });
  return { type: "over", ringAfterMs: retryMs };
}

interface ReviewContext extends WorkToReview {
  readonly write: Write;
}

async function act(
  tx: Db,
  deps: Deps,
  context: ReviewContext,
  { verdict, name }: { readonly verdict: CriticsVerdict; readonly name: string },
): Promise<StepResult | null> {
  const { goal, run, type, commit } = context;
  const now = deps.now();
  const earlier = await reviewsOfRun(tx, goal.goalId, run.runId);
  const decision = decideGate({
    verdict,
    // Also when the agent has changed nothing since. Otherwise it would be sent back forever.
    sentBack: earlier.filter((each: Review) => !each.isApproved).length,
    mostSentBack: deps.policy.critics.rounds,
    wantsApproval: type === "spec",
    name,
  });
  await insertReview(tx, { goalId: goal.goalId, runId: run.runId, commit, at: now }, verdict);
  const { isApproved, summary, blockingIssues, issues } = verdict;
  await appendTimeline(tx, {
    event: "run.reviewed",
    ...ofGoal({ ...goal, runId: run.runId }, now),
    detail: {
      artifact: type,
      commit,
      isApproved,
      summary,
      issues: (isApproved ? issues : blockingIssues).slice(0, 10),
      decision: decision.type,
      by: [...new Set(verdict.scores.map((each) => each.by))],
    },
  });
  switch (decision.type) {
    case "go-on":
      return null;
    case "again":
      await sendBack(tx, deps, context, decision.feedback);
      return { type: "over" };
    case "ask":
      await ask(tx, deps, context, decision);
      return { type: "over" };
  }
}

async function sendBack(tx: Db, deps: Deps, { goal, run, write }: ReviewContext, feedback: string): Promise<void> {
  if (goal.taskParallel !== null) {
    const missing = {
      prefix: "missing",
      title: "What the critics found",
      criteria: ["What the critics found is put right"],
      found: feedback,
    } as const;
    await addMissingWork(tx, deps, { goal, run }, missing);
  } else await updateRun(tx, run.runId, { feedback });
  await write({ type: "goesOnAt", at: deps.now(), phase: "implement" });
}

async function ask(
  tx: Db,
  deps: Deps,
  { goal, run, type, commit, write }: ReviewContext,
  { kind, context, details }: Extract<GateDecision, { type: "ask" }>,
): Promise<void> {
  await askAbout(tx, deps, {
    goal,
    runId: run.runId,
    kind,
    reasons: [{ trigger: "hiccup", context }],
    details,
    fingerprint: reviewFingerprint(type, commit),
    changed: null,
  });
  await write({ type: "asks", branch: branchOf(goal.goalId) });
}
