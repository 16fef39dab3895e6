import { type Ground, unmetOf } from "../core/goals/ground.ts";
import { builtOn, heldBy, type HoldingSession } from "../core/goals/held.ts";
import { holdOf, type QuestionHold, type SessionGoal } from "../core/goals/next.ts";
import type { HeldFacts } from "../core/cards/held-words.ts";
import type { CheckpointKind } from "../core/checkpoints/checkpoint.ts";
import type { Goal } from "../core/goals/goal.ts";
import { openSubjects } from "../db/checkpoints.ts";
import type { Db } from "../db/connection/client.ts";
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
  const { builders, grounds } = await buildersIn(db, session.repositoryId);
  const others = builders.filter((goal) => goal.sessionId !== session.sessionId);
  const seen = (goal: Goal): SessionGoal => sessionGoal(goal, grounds, holdOf(open.get(goal.goalId), session));
  const { status, stopping } = session;
  return { isPaused: status === "paused", stopping, goals: goals.map(seen), others: others.map(seen) };
}

/** The unfinished goals of a repository that are on top of others, with those. */
async function buildersIn(db: Db, repositoryId: string) {
  const builders = await openBuilders(db, repositoryId);
  const after = builders.flatMap((goal) => goal.after);
  return { builders, grounds: await groundsOf(db, after) };
}

function sessionGoal(
  { goalId, status, leasedBy, after }: Goal,
  grounds: ReadonlyMap<string, Ground>,
  question: QuestionHold,
): SessionGoal {
  return { goalId, status, isLeased: leasedBy !== null, question, unmet: unmetOf(after, grounds) };
}

/** What a question is about. */
export interface QuestionOf {
  readonly goal: Pick<Goal, "goalId" | "sessionId" | "repositoryId">;
  readonly kind: CheckpointKind;
}

/**
 * What waits for an answer and what goes on, also when the question has no row yet; null: no open session works its goal, and
 * nothing is on top of it.
 */
export async function heldByQuestion(db: Db, { goal, kind }: QuestionOf): Promise<HeldFacts | null> {
  const session = goal.sessionId === null ? null : await getSession(db, goal.sessionId);
  if (session === null || session.status === "ended") return await heldOutside(db, goal);
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
  const why = kind === "breaker" ? "session" : holds ? "order" : "ground";
  return { held, why, session: isPaused ? "paused" : "running", builders: builtOn(goal.goalId, holding).size };
}

async function heldOutside(db: Db, { goalId, repositoryId }: QuestionOf["goal"]): Promise<HeldFacts | null> {
  const { builders, grounds } = await buildersIn(db, repositoryId);
  const others = builders.map((goal) => sessionGoal(goal, grounds, "none"));
  const waits = [...builtOn(goalId, { goals: [], others })];
  if (waits.length === 0) return null;
  return { held: { waits, goesOn: [] }, why: "ground", session: "none", builders: waits.length };
}
