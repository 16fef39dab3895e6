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

/** Sessions, read from the rows, with what their open questions hold. */

/** A session with its goals in order, the open questions about it and them, and what those hold. */
export interface WholeSession {
  readonly session: Session;
  readonly goals: readonly Goal[];
  readonly questions: readonly Checkpoint[];
  readonly holding: HoldingSession;
}

/** Reads a session. One query, and another one if goals build on others. Null when there is no such session. */
export async function wholeSession(db: Db, sessionId: string): Promise<WholeSession | null> {
  return await readTogether(db, async (reads) => {
    const rows = await sessionRows(reads, sessionId);
    noteRows(readsFor(db), rows);
    return rows === null ? null : wholeOf(rows, await withGrounds(reads, rows.builders));
  });
}

/**
 * Like wholeSession, but as this transaction will leave the session. The writes that the transaction keeps for its end are applied to the
 * rows, instead of being sent first. If goals build on others, they are sent.
 */
export async function wholeSessionIn(tx: Db, sessionId: string): Promise<WholeSession | null> {
  const seen = seenOf<SessionRows>(tx, sessionId);
  const rows = seen ?? (await readTogether(peekIn(tx), (reads) => sessionRows(reads, sessionId)));
  return rows === null ? null : (wholeWith(tx, rows) ?? (await wholeSession(tx, sessionId)));
}

/** The session as this transaction will leave it, if it was read under the session's lock. Null when it must be read. */
function seenSession(tx: Db, sessionId: string): WholeSession | null {
  const rows = seenOf<SessionRows>(tx, sessionId);
  return rows === undefined ? null : wholeWith(tx, rows);
}

function wholeWith(tx: Db, rows: SessionRows): WholeSession | null {
  const changed = withChanges(rows, keptRows(tx));
  return changed === null ? null : wholeOf(changed, noBuilders);
}

/** Notes the rows of a session that this transaction has opened: nobody else knows the session. */
export function noteOpened(tx: Db, rows: SessionRows): void {
  noteRows(tx, rows);
}

/** Notes rows that this transaction has read, if it holds the session's lock: nobody else changes them then. */
export function noteRows(tx: Db, rows: SessionRows | null): void {
  if (rows !== null && isLocked(tx, rows.session.sessionId)) noteSeen(tx, rows.session.sessionId, rows);
}

/**
 * The rows with the writes that a transaction keeps. Null when other rows may belong to the session by then, or when goals build on others.
 */
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

/**
 * True when a change leaves a goal in this session and does not change what it builds on. A change that puts the goal into the session may
 * also set its position.
 */
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

/** What is held, if the kinds of the open questions are known by subject. `goals` are in order. */
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

/** Unfinished goals that build on others, and their grounds. */
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

/** The kind of a question, and the goal that it is about. */
export interface QuestionOf {
  readonly goal: Pick<Goal, "goalId" | "sessionId" | "repositoryId">;
  readonly kind: CheckpointKind;
}

/**
 * Which goals wait for the answer to a question, and which continue. The question needs no row yet. Null when no open session works its
 * goal and no goal builds on it.
 */
export async function heldByQuestion(db: Db, { goal, kind }: QuestionOf): Promise<HeldFacts | null> {
  const { sessionId } = goal;
  const whole =
    sessionId === null ? null : (seenSession(readsFor(db), sessionId) ?? (await wholeSession(db, sessionId)));
  if (whole === null || whole.session.status === "ended") return await heldOutside(db, goal);
  return heldIn(whole.session, whole.holding, { goal, kind });
}

/** Like heldByQuestion, for a session that was read before. */
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
