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

/** What is asked. `details` are files or commands behind the reasons; `changed` says what a new version changed. */
export interface Question {
  readonly kind: GoalQuestion;
  readonly reasons: readonly Reason[];
  readonly details: readonly string[];
  /** How files differ that are asked about. */
  readonly diff?: string | null;
  readonly fingerprint: string | null;
  readonly changed: string | null;
  /** What it is about when it is not the goal: its session. One question is open about each (D10). */
  readonly subject?: string;
  /** Choices that this question leaves out. */
  readonly without?: readonly string[];
  /** A proof is asked about that cannot fail, or that proves nothing of the change: another one can be given. */
  readonly isWeakProof?: boolean;
  /** What lets it go on, where that is known. */
  readonly help?: Help | null;
  /** How long it stays open; the policy's time when absent. */
  readonly openForMs?: number;
  /** What else it is made of, of this moment; read where it is left away. */
  readonly known?: KnownOfQuestion;
}

export interface KnownOfQuestion {
  /** The open question about the same subject. */
  readonly open: Checkpoint | null;
  readonly costs: { readonly goal: Total; readonly day: Total };
  /** What was learnt for questions of this kind. */
  readonly learntOf: (trigger: Trigger) => Learnt;
}

/** A question as it is asked: about a goal, by a run of it. */
export interface GoalAsked extends Question {
  readonly goal: Goal;
  readonly runId: string;
}

/**
 * Asks a person about a goal: opens a checkpoint, or raises the version of the one that is open when reasons or
 * content differ (D10). The same question asked twice is the same question (S4-CK-08). The caller sets the goal's
 * status and holds its lock. Returns the checkpoint's id.
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
