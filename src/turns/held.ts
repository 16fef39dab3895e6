import { unmetOf } from "../core/goals/ground.ts";
import { heldBy, type HoldingSession } from "../core/goals/held.ts";
import { holdOf, type SessionGoal } from "../core/goals/next.ts";
import type { HeldFacts } from "../core/cards/held-words.ts";
import type { CheckpointKind } from "../core/checkpoints/checkpoint.ts";
import type { Goal } from "../core/goals/goal.ts";
import { openSubjects } from "../db/checkpoints.ts";
import type { Db } from "../db/client.ts";
import { sessionGoals } from "../db/goals.ts";
import { groundsOf, openBuilders } from "../db/grounds.ts";
import { getSession, type Session } from "../db/sessions.ts";

/** A session as its open questions leave it, out of the rows. */

/** `goals` in their order. */
export async function holdingSession(db: Db, session: Session, goals: readonly Goal[]): Promise<HoldingSession> {
  const ids = goals.map((goal) => goal.goalId);
  return await holdingWith(db, session, goals, await openSubjects(db, ids));
}

/** The same where the kinds of the open questions are known, by what they are about. */
export async function holdingWith(
  db: Db,
  session: Session,
  goals: readonly Goal[],
  open: ReadonlyMap<string, CheckpointKind>,
): Promise<HoldingSession> {
  const builders = await openBuilders(db, session.repositoryId);
  const others = builders.filter((goal) => goal.sessionId !== session.sessionId);
  const grounds = await groundsOf(
    db,
    builders.flatMap((goal) => goal.after),
  );
  const sessionGoal = ({ goalId, status, leasedBy, after }: Goal): SessionGoal => ({
    goalId,
    status,
    isLeased: leasedBy !== null,
    question: holdOf(open.get(goalId), session),
    unmet: unmetOf(after, grounds),
  });
  const { status, stopping } = session;
  return { isPaused: status === "paused", stopping, goals: goals.map(sessionGoal), others: others.map(sessionGoal) };
}

/** What a question is about. */
export interface QuestionOf {
  readonly goal: Pick<Goal, "goalId" | "sessionId">;
  readonly kind: CheckpointKind;
}

/** What waits for an answer and what goes on, also when the question has no row yet; null: no open session works its goal. */
export async function heldByQuestion(db: Db, { goal, kind }: QuestionOf): Promise<HeldFacts | null> {
  const session = goal.sessionId === null ? null : await getSession(db, goal.sessionId);
  if (session === null || session.status === "ended") return null;
  return heldIn(session, await holdingSession(db, session, await sessionGoals(db, session.sessionId)), { goal, kind });
}

/** The same for a session that was gathered before. */
export function heldIn(session: Session, holding: HoldingSession, { goal, kind }: QuestionOf): HeldFacts {
  const { isPaused, goals } = holding;
  const asked = goals.map((each) =>
    each.goalId === goal.goalId ? { ...each, question: holdOf(kind, session) } : each,
  );
  const about = kind === "breaker" ? null : goal.goalId;
  const held = heldBy(about, { ...holding, goals: asked });
  const holds = asked.some((each) => each.goalId === goal.goalId && each.question === "holds");
  return { held, why: kind === "breaker" ? "session" : holds ? "order" : "ground", isPaused };
}
