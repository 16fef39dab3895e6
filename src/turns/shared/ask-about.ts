import type { Checkpoint, GoalQuestion, Reason } from "../../core/checkpoints/checkpoint.ts";
import { goalOptions, type Help, withCriterion, withHelp } from "../../core/checkpoints/options.ts";
import { recommendationOf } from "../../core/checkpoints/question.ts";
import type { Goal } from "../../core/goals/goal.ts";
import type { Trigger } from "../../core/checkpoints/triggers.ts";
import { type Learnt, markLearnt } from "../../core/memory/recommend.ts";
import { localDate } from "../../core/time.ts";
import { insertCheckpoint, pendingCheckpoint, updatePending } from "../../db/checkpoints.ts";
import { type Db, readTogether, withFreshId } from "../../db/connection/client.ts";
import { learntFor } from "../../db/preferences.ts";
import { goalAndDayTotal, type Total } from "../../db/totals.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Deps, Doors } from "../../deps.ts";
import { heldByQuestion } from "../../facts/held.ts";
import { contentHashOf } from "./begin-run.ts";

export type AskDeps = Doors & Pick<Deps, "newId">;

/** A question. `details`: the files or commands that the reasons are about. `changed`: what a new version changed. */
export interface Question {
  readonly kind: GoalQuestion;
  readonly reasons: readonly Reason[];
  readonly details: readonly string[];
  /** The diff of the files that the question is about. */
  readonly diff?: string | null;
  readonly fingerprint: string | null;
  readonly changed: string | null;
  /** The id of the session when the question is about it and not about the goal. About each, one question is open at a time (D10). */
  readonly subject?: string;
  /** Choices that this question leaves out. */
  readonly without?: readonly string[];
  /** True when the question is about a proof that cannot fail, or that proves nothing about the change. The person can then give another one. */
  readonly isWeakProof?: boolean;
  /** What lets the goal continue, if that is known. */
  readonly help?: Help | null;
  /** How long the question stays open. Absent: the policy's time. */
  readonly openForMs?: number;
  /** Current facts that the question is made of. Absent: they are read. */
  readonly known?: KnownOfQuestion;
}

export interface KnownOfQuestion {
  /** The open question about the same subject. */
  readonly open: Checkpoint | null;
  readonly costs: { readonly goal: Total; readonly day: Total };
  /** Returns what was learnt about questions of this kind. */
  readonly learntOf: (trigger: Trigger) => Learnt;
}

/** A question with the goal that it is about and the run that asks it. */
export interface GoalAsked extends Question {
  readonly goal: Goal;
  readonly runId: string;
}

/**
 * Asks a person about a goal: opens a checkpoint, or raises the version of the open one if its reasons or content differ (D10).
 * A question that is asked again unchanged stays as it is (S4-CK-08). The caller sets the goal's status and holds its lock.
 * Returns the checkpoint's id.
 */
export async function askAbout(tx: Db, deps: AskDeps, question: GoalAsked): Promise<string> {
  const { goal, runId } = question;
  const now = deps.now();
  const expiresAt = new Date(now.getTime() + (question.openForMs ?? deps.policy.checkpoints.expireAfterMs));
  const [open, asked] = await readTogether(tx, (reads) =>
    Promise.all([
      question.known === undefined ? pendingCheckpoint(reads, question.subject ?? goal.goalId) : question.known.open,
      composeQuestion(reads, deps, question),
    ]),
  );

  if (open !== null) {
    if (sameQuestion(open, asked)) return open.checkpointId;
    const changed = question.changed ?? "the reasons for asking";
    await updatePending(tx, open.checkpointId, {
      ...asked,
      version: open.version + 1,
      changed,
      changedAt: now,
      remindedAt: null,
      expiresAt,
    });
    await appendTimeline(tx, {
      event: "checkpoint.changed",
      goalId: goal.goalId,
      checkpointId: open.checkpointId,
      at: now,
      detail: { version: open.version + 1, changed },
    });
    mark(tx, "checkpoint", open.checkpointId);
    return open.checkpointId;
  }

  const checkpointId = await withFreshId(
    () => deps.newId("cp"),
    (id) =>
      insertCheckpoint(tx, {
        ...asked,
        checkpointId: id,
        status: "pending",
        createdAt: now,
        askedAt: now,
        expiresAt,
      }),
  );
  await appendTimeline(tx, {
    event: "checkpoint.asked",
    goalId: goal.goalId,
    sessionId: goal.sessionId,
    runId,
    checkpointId,
    at: now,
    detail: { triggers: question.reasons.map((reason) => reason.trigger), kind: question.kind },
  });
  mark(tx, "checkpoint", checkpointId);
  return checkpointId;
}

async function composeQuestion(reads: Db, deps: AskDeps, question: GoalAsked) {
  const { goal, runId, known } = question;
  const runsCommand = goal.runCommand !== null;
  const [first] = question.reasons;
  if (first === undefined) throw new Error(`a question about ${goal.goalId} without a reason`);
  const usual = goalOptions(question.kind, question.reasons, runsCommand);
  const ofCase = question.isWeakProof === true ? withCriterion(usual) : usual;
  const offered = ofCase.filter(({ label }) => !question.without?.includes(label));
  const recommended = question.help == null ? offered : withHelp(offered, question.help);
  const alike = { kind: question.kind, offered: offered.map(({ label }) => label) };
  const [{ goal: cost, day: today }, learnt, holds] = await Promise.all([
    known?.costs ?? goalAndDayTotal(reads, goal.goalId, localDate(deps.now(), deps.config.timezone)),
    known?.learntOf(first.trigger) ?? learntFor(reads, alike, first.trigger),
    heldByQuestion(reads, { goal, kind: question.kind }),
  ]);
  const options = markLearnt(question.kind, first.trigger, recommended, learnt);
  return {
    kind: question.kind,
    subject: question.subject ?? goal.goalId,
    goalId: goal.goalId,
    runId,
    trigger: first.trigger,
    reasons: [...question.reasons],
    context: first.context,
    options,
    recommendation: recommendationOf({ ...question, options, learnt }),
    contentHash: contentHashOf(goal),
    facts: {
      costMicroUsd: cost.spentMicroUsd,
      costIsEstimated: cost.isEstimated,
      estimateMicroUsd: goal.estimateMicroUsd,
      spentTodayMicroUsd: today.spentMicroUsd,
      spentTodayIsEstimated: today.isEstimated,
      goalsWaiting: holds?.held.waits.length ?? 0,
      details: question.details,
      ...(question.diff === undefined || question.diff === null ? {} : { diff: question.diff }),
      fingerprint: question.fingerprint,
    },
  };
}

function sameQuestion(open: Checkpoint, asked: Awaited<ReturnType<typeof composeQuestion>>): boolean {
  return (
    open.kind === asked.kind &&
    open.contentHash === asked.contentHash &&
    open.facts.fingerprint === asked.facts.fingerprint &&
    JSON.stringify(open.reasons.map((each) => each.trigger)) ===
      JSON.stringify(asked.reasons.map((each) => each.trigger)) &&
    JSON.stringify(open.facts.details) === JSON.stringify(asked.facts.details)
  );
}
