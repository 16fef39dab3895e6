import type { Checkpoint, CheckpointKind, CheckpointOption } from "../checkpoints/checkpoint.ts";
import { awakeBetween, type QuietHours } from "../checkpoints/quiet.ts";
import { endedStatuses, type GoalStatus } from "../goals/goal.ts";
import type { SessionKind } from "../goals/next.ts";

/** An open session with its goals in their order. */
export interface SessionView {
  readonly sessionId: string;
  readonly repositoryName: string;
  readonly kind: SessionKind;
  readonly isPaused: boolean;
  readonly pausedBy: string | null;
  readonly goals: readonly { readonly goalId: string; readonly status: GoalStatus }[];
}

/** A question that is open, with whom it waits for and what waits for it. */
export interface OpenQuestion {
  readonly checkpointId: string;
  readonly kind: CheckpointKind;
  readonly goalId: string | null;
  readonly context: string;
  readonly recommended: CheckpointOption | null;
  readonly sinceMs: number;
  /** Of that, outside of quiet hours. */
  readonly awakeMs: number;
  readonly expiresAt: Date;
  /** Other goals that cannot go on before it is answered. */
  readonly goalsBehind: number;
  /** The person who is asked as well, of an escalation that nobody has taken up for long; as COS_SECOND names them. */
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
}

/** The open questions, the longest waiting first. */
export function openQuestions(
  pending: readonly Checkpoint[],
  sessions: readonly SessionView[],
  rules: AskingRules,
): OpenQuestion[] {
  const { now, zone, quietHours } = rules;
  const asked = new Set(pending.flatMap((each) => [each.subject, each.goalId ?? each.subject]));
  return pending
    .map((checkpoint): OpenQuestion => {
      const { checkpointId, kind, goalId, context, createdAt, expiresAt, acknowledgedBy } = checkpoint;
      const awakeMs = awakeBetween(createdAt, now, quietHours, zone);
      const isLate = kind === "escalation" && acknowledgedBy === null && awakeMs >= rules.remindAfterMs;
      return {
        checkpointId,
        kind,
        goalId,
        context,
        recommended: checkpoint.options.find((option) => option.isRecommended) ?? null,
        sinceMs: Math.max(0, now.getTime() - createdAt.getTime()),
        awakeMs,
        expiresAt,
        goalsBehind: goalsBehind(checkpoint, sessions, asked),
        second: isLate ? rules.second : null,
        seenBy: acknowledgedBy,
      };
    })
    .sort((one, other) => other.sinceMs - one.sinceMs || other.goalsBehind - one.goalsBehind);
}

/**
 * How many other goals cannot go on before the answer: everything of a session that paused itself; what comes later in a
 * plain session; nothing where the session goes on meanwhile (D19, D20).
 */
function goalsBehind(
  { kind, subject, goalId }: Pick<Checkpoint, "kind" | "subject" | "goalId">,
  sessions: readonly SessionView[],
  asked: ReadonlySet<string>,
): number {
  const session = sessions.find(
    (each) => each.sessionId === subject || each.goals.some((goal) => goal.goalId === goalId),
  );
  if (session === undefined) return 0;
  const isUnfinished = (goal: SessionView["goals"][number]): boolean =>
    !endedStatuses.includes(goal.status) && (goal.status !== "blocked" || asked.has(goal.goalId));
  if (kind === "breaker") return session.goals.filter(isUnfinished).length;
  if (kind === "clarify" || session.kind !== "plain") return 0;
  const index = session.goals.findIndex((goal) => goal.goalId === goalId);
  return session.goals.slice(index + 1).filter(isUnfinished).length;
}
