import { type Ground, unmetOf } from "../core/goals/ground.ts";
import { builtOn, heldBy, type HoldingSession } from "../core/goals/held.ts";
import { holdOf, type QuestionHold, type SessionGoal } from "../core/goals/next.ts";
import type { HeldFacts } from "../core/cards/held-words.ts";
import type { Checkpoint, CheckpointKind } from "../core/checkpoints/checkpoint.ts";
import type { Goal } from "../core/goals/goal.ts";
import { readsFor, type Db, peekIn, readTogether } from "../db/connection/client.ts";
import { noteSeen, seenOf } from "../db/connection/held.ts";
import { type KeptRows, keptRows } from "../db/connection/later.ts";
import { isLocked } from "../db/connection/looks.ts";
import { groundsOf, openBuilders } from "../db/grounds.ts";
import { type SessionRows, sessionRows } from "../db/session-rows.ts";
import type { Session } from "../db/sessions.ts";

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
    const rows = await sessionRows(reads, sessionId);
    noteRows(readsFor(db), rows);
    return rows === null ? null : wholeOf(rows, await withGrounds(reads, rows.builders));
  });
}

/**
 * The same as a transaction that has changed goals of the session will leave it: what that keeps for its end is laid over the rows
 * instead of being written first, unless goals are on top of others.
 */
export async function wholeSessionIn(tx: Db, sessionId: string): Promise<WholeSession | null> {
  const seen = seenOf<SessionRows>(tx, sessionId);
  const rows = seen ?? (await readTogether(peekIn(tx), (reads) => sessionRows(reads, sessionId)));
  return rows === null ? null : (wholeWith(tx, rows) ?? (await wholeSession(tx, sessionId)));
}

/** The session as this transaction will leave it, where it has seen that under its lock; null: it must be read. */
function seenSession(tx: Db, sessionId: string): WholeSession | null {
  const rows = seenOf<SessionRows>(tx, sessionId);
  return rows === undefined ? null : wholeWith(tx, rows);
}

function wholeWith(tx: Db, rows: SessionRows): WholeSession | null {
  const changed = withChanges(rows, keptRows(tx));
  return changed === null ? null : wholeOf(changed, noBuilders);
}

/** This transaction has opened a session with these rows: nobody else knows of it. */
export function noteOpened(tx: Db, rows: SessionRows): void {
  noteRows(tx, rows);
}

/** The transaction has read them: under the lock of the session nobody else changes them. */
export function noteRows(tx: Db, rows: SessionRows | null): void {
  if (rows !== null && isLocked(tx, rows.session.sessionId)) noteSeen(tx, rows.session.sessionId, rows);
}

/** These rows with what a transaction keeps of them; null where other rows may be of the session, or on top of others, by then. */
function withChanges({ session, goals, questions, builders }: SessionRows, kept: KeptRows): SessionRows | null {
  const ids = new Set(goals.map(({ goalId }) => goalId));
  const changes = { goals: kept.changes("goals"), questions: kept.changes("checkpoints") };
  const isPlain =
    kept.added("goals").length === 0 &&
    [...changes.goals].every(([goalId, change]) => ids.has(goalId) && isPlacedIn(session, change));
  if (!isPlain || builders.length > 0 || goals.some(({ after }) => after.length > 0)) return null;
  return {
    session: kept.over("sessions", session.sessionId, session),
    goals: goals.map((goal) => (changes.goals.has(goal.goalId) ? kept.over("goals", goal.goalId, goal) : goal)),
    questions: [...questions, ...kept.added<Checkpoint>("checkpoints")]
      .map((question) => {
        const { checkpointId } = question;
        return changes.questions.has(checkpointId) ? kept.over("checkpoints", checkpointId, question) : question;
      })
      .filter(({ subject, status }) => status === "pending" && (ids.has(subject) || subject === session.sessionId)),
    builders,
  };
}

/** Whether a change of a goal of this session leaves it there, and on top of what it was: one that opens it puts it in its place. */
function isPlacedIn(
  { sessionId }: Session,
  change: { readonly sessionId?: string; readonly after?: unknown },
): boolean {
  const isPut = "sessionId" in change ? change.sessionId === sessionId : !("position" in change);
  return isPut && change.after === undefined;
}

function wholeOf({ session, goals, questions }: SessionRows, builders: Builders): WholeSession {
  const kinds = new Map(questions.map((each) => [each.subject, each.kind]));
  return { session, goals, questions, holding: holdingAs(session, goals, kinds, builders) };
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

const noBuilders: Builders = { builders: [], grounds: new Map() };

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
  const { sessionId } = goal;
  const whole =
    sessionId === null ? null : (seenSession(readsFor(db), sessionId) ?? (await wholeSession(db, sessionId)));
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
