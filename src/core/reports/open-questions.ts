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
  /** Of which campaign it is a day; null: of none. */
  readonly campaignId: string | null;
  readonly goals: readonly {
    readonly goalId: string;
    readonly status: GoalStatus;
    /** Goals that it is on top of and that are not ready (D37); absent: none. */
    readonly unmet?: readonly string[];
  }[];
}

/** A question that is open, with whom it waits for and what waits for it. */
export interface OpenQuestion {
  readonly checkpointId: string;
  readonly kind: CheckpointKind;
  /** The goal that waits for it and for nothing else; null: it is about a session or a campaign. */
  readonly goalId: string | null;
  /** That goal's text. */
  readonly content: string | null;
  /** That goal's; absent: all questions are of one repository. */
  readonly repositoryName?: string;
  readonly context: string;
  readonly recommended: CheckpointOption | null;
  readonly sinceMs: number;
  /** Of that, outside of quiet hours. */
  readonly awakeMs: number;
  readonly expiresAt: Date;
  /** Other goals that cannot go on before it is answered. */
  readonly goalsBehind: number;
  /** The person who is asked as well, of an escalation that nobody has taken up for long, in words: a report mentions nobody. */
  readonly second: string | null;
  /** Who has said to take care of it. */
  readonly seenBy: string | null;
}

export interface AskingRules {
  readonly now: Date;
  readonly zone: string;
  readonly quietHours: QuietHours | null;
  readonly second: string | null;
  /** After so much time awake an escalation is the second person's too. */
  readonly remindAfterMs: number;
  /** Unfinished goals that are on top of others, wherever they are. */
  readonly builders: readonly SessionGoal[];
}

/**
 * Which question each open goal waits for: its own, else that of its session when it is the goal that the session stopped at.
 * What has ended waits for none.
 */
export function waitingFor(
  pending: readonly Pick<Checkpoint, "checkpointId" | "subject" | "goalId">[],
  goals: readonly Pick<Goal, "goalId" | "status">[],
): ReadonlyMap<string, string> {
  // Of several the first counts, which a map would forget.
  const bySubject = new Map(pending.toReversed().map((each) => [each.subject, each.checkpointId]));
  const byGoal = new Map(pending.toReversed().map((each) => [each.goalId, each.checkpointId]));
  const found = goals.flatMap(({ goalId, status }): [string, string][] => {
    if (endedStatuses.includes(status)) return [];
    const question = bySubject.get(goalId) ?? (status === "blocked" ? byGoal.get(goalId) : undefined);
    return question === undefined ? [] : [[goalId, question]];
  });
  return new Map(found);
}

/** The open questions, the longest waiting first. `goals` are those that wait for them. */
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

/** How many goals beside the one that waits for it (`waiter`) cannot go on before the answer (D19, D20, D37). */
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

/** Goals of sessions at work that do not go on before a person has said something (D37). */
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

/** What is asked about each goal; a session that paused itself is asked about by the goal it stopped at. */
function askedAbout(pending: readonly Checkpoint[]): Map<string, CheckpointKind> {
  const kinds = new Map<string, CheckpointKind>();
  for (const { goalId, kind } of pending) if (goalId !== null && kind === "breaker") kinds.set(goalId, kind);
  for (const { subject, kind } of pending) kinds.set(subject, kind);
  return kinds;
}
