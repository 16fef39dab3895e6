import { and, asc, desc, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Goal } from "../core/goals/goal.ts";
import { builtOnce } from "./connection/built.ts";
import { type Db, readsFor } from "./connection/client.ts";
import { noteHeld } from "./connection/held.ts";
import { idsOfMeant } from "./repositories.ts";
import { campaigns, goals, repositories, sessions } from "./schema/index.ts";

/** Goals that no session works: a new session would take them. */

/** Pending goals, and begun goals that nobody works, that no open session or campaign holds. */
const isWaiting = and(
  sql`${goals.status} in ('pending', 'in_progress') and (${goals.status} = 'pending' or ${goals.leasedBy} is null)`,
  sql`not exists (select 1 from ${sessions} s where s.session_id = ${goals.sessionId} and s.status <> 'ended')
    and not exists (select 1 from ${campaigns} c where c.campaign_id = ${goals.campaignId} and c.state in ('planning', 'active', 'paused'))`,
);

/** Most urgent first, then oldest. */
const inOrder = [
  sql`case ${goals.priority} when 'high' then 0 when 'medium' then 1 else 2 end`,
  asc(goals.position),
] as const;

/** The waiting goals of a repository, in the order in which a session would work them. */
export async function waitingGoals(db: Db, repositoryId: string): Promise<Goal[]> {
  return await waitingIn(db, { repositoryId });
}

const waitingIn = builtOnce<{ repositoryId: string }, Goal[]>((db, place) =>
  waitingWhere(db, eq(goals.repositoryId, place("repositoryId"))),
);

/** The waiting goals of the repository with this name (`findRepository`), or (null) of all that were not removed. */
export async function waitingGoalsOf(db: Db, wanted: string | null): Promise<Goal[]> {
  return wanted === null ? await waitingInAll(db, {}) : await waitingInMeant(db, { wanted });
}

const waitingInMeant = builtOnce<{ wanted: string }, Goal[]>((db, place) =>
  waitingWhere(db, isIn(idsOfMeant(place("wanted")))),
);

const waitingInAll = builtOnce<Record<string, never>, Goal[]>((db) => waitingWhere(db, isIn(idsOfMeant(null))));

function waitingWhere(db: Db, where: SQL) {
  return db
    .select()
    .from(goals)
    .where(and(where, isWaiting))
    .orderBy(...inOrder);
}

function isIn(repositoryIds: SQL): SQL {
  return sql`${goals.repositoryId} = any(array${repositoryIds})`;
}

/**
 * The ids of a repository's waiting goals. With `named`, the ids of those named goals that are pending or in progress, in any
 * repository.
 */
export async function idsToOpen(db: Db, repositoryId: string, named: readonly string[] | null): Promise<string[]> {
  const found = named === null ? await idsIn(db, { repositoryId }) : await idsAmong(db, { named: [...named] });
  return found.map(({ goalId }) => goalId);
}

const idsIn = builtOnce<{ repositoryId: string }, { goalId: string }[]>((db, place) =>
  db
    .select({ goalId: goals.goalId })
    .from(goals)
    .where(and(eq(goals.repositoryId, place("repositoryId")), isWaiting)),
);

const idsAmong = builtOnce<{ named: string[] }, { goalId: string }[]>((db, place) =>
  db
    .select({ goalId: goals.goalId })
    .from(goals)
    .where(isOneOf(place("named"))),
);

/** One of these goals, pending or in progress. */
function isOneOf(named: Placeholder): SQL {
  return sql`${goals.goalId} = any(${named}::text[]) and ${goals.status} in ('pending', 'in_progress')`;
}

/**
 * Goals that wait for a person but have no open checkpoint, newest first, at most five. Of the repository with this name, or (null) of
 * all that were not removed.
 */
export async function parkedGoals(db: Db, wanted: string | null): Promise<string[]> {
  const found = wanted === null ? await parkedInAll(db, {}) : await parkedInMeant(db, { wanted });
  return found.map((each) => each.goalId);
}

const parkedInMeant = builtOnce<{ wanted: string }, { goalId: string }[]>((db, place) =>
  parkedWhere(db, isIn(idsOfMeant(place("wanted")))),
);

const parkedInAll = builtOnce<Record<string, never>, { goalId: string }[]>((db) =>
  parkedWhere(db, isIn(idsOfMeant(null))),
);

function parkedWhere(db: Db, where: SQL) {
  return db
    .select({ goalId: goals.goalId })
    .from(goals)
    .where(and(where, sql`${goals.status} = 'blocked' and ${goals.blockedOn} = 'person'`))
    .orderBy(desc(goals.position))
    .limit(5);
}

/**
 * Locks a repository like `lockRepository`. If it has no open session, also locks its waiting goals, or (`named`) those of these goals
 * that are pending or in progress. One statement, which returns the goals as they are when they are locked. It does not see goals that
 * were added while it waited for the repository's lock. So the caller checks afterwards for new goals (`idsToOpen`), and for a session
 * that was opened or ended.
 */
export async function lockToOpen(db: Db, repositoryId: string, named: readonly string[] | null): Promise<Goal[]> {
  const found =
    named === null ? await lockWaiting(db, { repositoryId }) : await lockNamed(db, { repositoryId, named: [...named] });
  for (const goal of found) noteHeld(readsFor(db), goal.goalId, goal);
  return found;
}

const lockWaiting = builtOnce<{ repositoryId: string }, Goal[]>((db, place) =>
  lockedBehind(db, place("repositoryId"), isWaiting),
);

const lockNamed = builtOnce<{ repositoryId: string; named: string[] }, Goal[]>((db, place) =>
  lockedBehind(db, place("repositoryId"), isOneOf(place("named"))),
);

function lockedBehind(db: Db, repositoryId: Placeholder, isMeant: SQL | undefined) {
  const ofRepository = db
    .select({ repositoryId: repositories.repositoryId })
    .from(repositories)
    .where(eq(repositories.repositoryId, repositoryId));
  const repository = db.$with("repository").as(ofRepository.for("no key update"));
  // Forces the repository's lock before the first goal is read.
  const isThere = sql`${goals.repositoryId} = (select repository_id from ${repository})`;
  const isFree = sql`not exists (select 1 from ${sessions} s where s.repository_id = ${goals.repositoryId} and s.status <> 'ended')`;
  return db
    .with(repository)
    .select()
    .from(goals)
    .where(and(isThere, isMeant, isFree))
    .orderBy(...inOrder)
    .for("update");
}
