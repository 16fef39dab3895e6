import type { Checkpoint, CheckpointKind, CheckpointOption } from "../checkpoints/checkpoint.ts";
import { awakeBetween, type QuietHours } from "../checkpoints/quiet.ts";
import { endedStatuses, type Goal, type GoalStatus } from "../goals/goal.ts";
import { builtOn, heldBy, heldInSession, type HoldingSession } from "../goals/held.ts";
import { holdOf, type SessionGoal, type SessionKind } from "../goals/next.ts";

/** An open session with its goals in their order. */
export interface SessionView {
  readonly sessionId: string;
  readonly repositoryName: string;
  readonly kind: SessionKind;
  readonly inOrder: boolean;
  readonly isPaused: boolean;
  readonly pausedBy: string | null;
  /** The campaign whose day it is. Null for other sessions. */
  readonly campaignId: string | null;
  readonly goals: readonly {
    readonly goalId: string;
    readonly status: GoalStatus;
    /** Goals that it builds on and that are not ready (D37). Absent when there are none. */
    readonly unmet?: readonly string[];
  }[];
}

/** An open question, with the person who is asked and the goals that wait for the answer. */
export interface OpenQuestion {
  readonly checkpointId: string;
  readonly kind: CheckpointKind;
  /** The goal that waits for this question. Null when the question is about a session or a campaign. */
  readonly goalId: string | null;
  /** That goal's text. */
  readonly content: string | null;
  /** That goal's repository. Absent when all questions are about one repository. */
  readonly repositoryName?: string;
  readonly context: string;
  readonly recommended: CheckpointOption | null;
  readonly sinceMs: number;
  /** The part of `sinceMs` outside of quiet hours. */
  readonly awakeMs: number;
  readonly expiresAt: Date;
  /** Number of other goals that cannot go on before the answer. */
  readonly goalsBehind: number;
  /** The second person, for an escalation that nobody has acknowledged for long. In words, because a report mentions nobody. */
  readonly second: string | null;
  /** Who has said that they take care of it. */
  readonly seenBy: string | null;
}

export interface AskingRules {
  readonly now: Date;
  readonly zone: string;
  readonly quietHours: QuietHours | null;
  readonly second: string | null;
  /** After this much time outside of quiet hours, an escalation is also for the second person. */
  readonly remindAfterMs: number;
  /** Unfinished goals that build on other goals, in any session or in none. */
  readonly builders: readonly SessionGoal[];
}

/**
 * The question that each open goal waits for: its own, or else that of its session if the session stopped at this goal. Goals that have
 * ended wait for none.
 */
export function waitingFor(
  pending: readonly Pick<Checkpoint, "checkpointId" | "subject" | "goalId">[],
  goals: readonly Pick<Goal, "goalId" | "status">[],
): ReadonlyMap<string, string> {
  // If there are several, the first one counts. A map keeps the last one, so the order is reversed.
  const bySubject = new Map(pending.toReversed().map((each) => [each.subject, each.checkpointId]));
  const byGoal = new Map(pending.toReversed().map((each) => [each.goalId, each.checkpointId]));
  const found = goals.flatMap(({ goalId, status }): [string, string][] => {
    if (endedStatuses.includes(status)) return [];
    const question = bySubject.get(goalId) ?? (status === "blocked" ? byGoal.get(goalId) : undefined);
    return question === undefined ? [] : [[goalId, question]];
  });
  return new Map(found);
}

/** The open questions, longest waiting first. `goals`: the goals that may wait for them. */
export function openQuestions(
  pending: readonly Checkpoint[],
  sessions: readonly SessionView[],
  goals: readonly Pick<Goal, "goalId" | "status" | "content">[],
  rules: AskingRules,
): OpenQuestion[] {
  const { now, zone, quietHours } = rules;
  const waits = waitingFor(pending, goals);
  const waiters = new Map(goals.toReversed().map((goal) => [waits.get(goal.goalId), goal]));
  const asked = askedAbout(pending);
  return pending
    .map((checkpoint): OpenQuestion => {
      const { checkpointId, kind, context, createdAt, expiresAt, acknowledgedBy } = checkpoint;
      const goal = waiters.get(checkpointId);
      const awakeMs = awakeBetween(createdAt, now, quietHours, zone);
      const isLate = kind === "escalation" && acknowledgedBy === null && awakeMs >= rules.remindAfterMs;
      return {
        checkpointId,
        kind,
        goalId: goal?.goalId ?? null,
        content: goal?.content ?? null,
        context,
        recommended: checkpoint.options.find((option) => option.isRecommended) ?? null,
        sinceMs: Math.max(0, now.getTime() - createdAt.getTime()),
        awakeMs,
        expiresAt,
        goalsBehind: goalsBehind(checkpoint, sessions, {
          asked,
          builders: rules.builders,
          waiter: goal?.goalId ?? null,
        }),
        second: isLate ? rules.second : null,
        seenBy: acknowledgedBy,
      };
    })
    .sort((one, other) => other.sinceMs - one.sinceMs || other.goalsBehind - one.goalsBehind);
}

/** Number of goals, without the one that waits for this question itself (`waiter`), that cannot go on before the answer (D19, D20, D37). */
function goalsBehind(
  { kind, subject, goalId }: Pick<Checkpoint, "kind" | "subject" | "goalId">,
  sessions: readonly SessionView[],
  {
    asked,
    builders,
    waiter,
  }: { readonly asked: Asked; readonly builders: readonly SessionGoal[]; readonly waiter: string | null },
): number {
  const session = sessions.find(
    (each) => each.sessionId === subject || each.goals.some((goal) => goal.goalId === goalId),
  );
  if (session === undefined) return goalId === null ? 0 : builtOn(goalId, { goals: [], others: builders }).size;
  const about = kind === "breaker" ? null : goalId;
  const isOutside = ({ goalId: id }: SessionGoal): boolean => session.goals.every((goal) => goal.goalId !== id);
  const { waits } = heldBy(about, holdingOf(session, asked, builders.filter(isOutside)));
  return waits.filter((each) => each !== waiter).length;
}

/** Goals of running sessions that do not go on before a person has answered (D37). */
export function heldGoals(pending: readonly Checkpoint[], sessions: readonly SessionView[]): ReadonlySet<string> {
  const asked = askedAbout(pending);
  const atWork = sessions.filter((session) => !session.isPaused);
  return new Set(atWork.flatMap((session) => heldInSession(holdingOf(session, asked, [])).waits));
}

function holdingOf(session: SessionView, asked: Asked, others: readonly SessionGoal[]): HoldingSession {
  const goals = session.goals.map((goal) => {
    return { ...goal, unmet: goal.unmet ?? [], isLeased: false, question: holdOf(asked.get(goal.goalId), session) };
  });
  return { isPaused: session.isPaused, stopping: false, goals, others };
}

type Asked = ReadonlyMap<string, CheckpointKind>;

/** The kind of question about each subject. When a session paused itself, its question also counts for the goal at which it stopped. */
function askedAbout(pending: readonly Checkpoint[]): Map<string, CheckpointKind> {
  const kinds = new Map<string, CheckpointKind>();
  for (const { goalId, kind } of pending) if (goalId !== null && kind === "breaker") kinds.set(goalId, kind);
  for (const { subject, kind } of pending) kinds.set(subject, kind);
  return kinds;
}
