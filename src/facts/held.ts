import { type Ground, unmetOf } from "../core/goals/ground.ts";
import { builtOn, heldBy, type HoldingSession } from "../core/goals/held.ts";
import { holdOf, type QuestionHold, type SessionGoal } from "../core/goals/next.ts";
import type { HeldFacts } from "../core/cards/held-words.ts";
import type { Checkpoint, CheckpointKind } from "../core/checkpoints/checkpoint.ts";
import type { Goal } from "../core/goals/goal.ts";
import { pendingIn } from "../db/checkpoints.ts";
import { type Db, readTogether } from "../db/connection/client.ts";
import { sessionGoals } from "../db/goals.ts";
import { groundsOf, openBuilders, openBuildersBeside } from "../db/grounds.ts";
import { getSession, type Session } from "../db/sessions.ts";

/** A session as its open questions leave it, out of the rows. */

/** A session with its goals in their order, the open questions about it and them, and what these hold. */
export interface WholeSession {
  readonly session: Session;
  readonly goals: readonly Goal[];
  readonly questions: readonly Checkpoint[];
  readonly holding: HoldingSession;
}

/** One statement, and another one where goals are on top of others; null when there is no such session. */
export async function wholeSession(db: Db, sessionId: string): Promise<WholeSession | null> {
  return await readTogether(db, async (reads) => {
    const [session, goals, questions, builders] = await Promise.all([
      getSession(reads, sessionId),
      sessionGoals(reads, sessionId),
      pendingIn(reads, sessionId),
      openBuildersBeside(reads, sessionId),
    ]);
    if (session === null) return null;
    const kinds = new Map(questions.map((each) => [each.subject, each.kind]));
    const holding = holdingAs(session, goals, kinds, await withGrounds(reads, builders));
    return { session, goals, questions, holding };
  });
}

/** What is held where the kinds of the open questions are known, by what they are about; `goals` in their order. */
export async function holdingWith(
  db: Db,
  session: Session,
  goals: readonly Goal[],
  open: ReadonlyMap<string, CheckpointKind>,
): Promise<HoldingSession> {
  return holdingAs(session, goals, open, await buildersIn(db, session.repositoryId));
}

function holdingAs(
  session: Session,
  goals: readonly Goal[],
  open: ReadonlyMap<string, CheckpointKind>,
  { builders, grounds }: Builders,
): HoldingSession {
  const others = builders.filter((goal) => goal.sessionId !== session.sessionId);
  const seen = (goal: Goal): SessionGoal => sessionGoal(goal, grounds, holdOf(open.get(goal.goalId), session));
  const { status, stopping } = session;
  return { isPaused: status === "paused", stopping, goals: goals.map(seen), others: others.map(seen) };
}

/** Unfinished goals that are on top of others, and those. */
interface Builders {
  readonly builders: readonly Goal[];
  readonly grounds: ReadonlyMap<string, Ground>;
}

async function buildersIn(db: Db, repositoryId: string): Promise<Builders> {
  return await withGrounds(db, await openBuilders(db, repositoryId));
}

async function withGrounds(db: Db, builders: readonly Goal[]): Promise<Builders> {
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
  const whole = goal.sessionId === null ? null : await wholeSession(db, goal.sessionId);
  if (whole === null || whole.session.status === "ended") return await heldOutside(db, goal);
  return heldIn(whole.session, whole.holding, { goal, kind });
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
