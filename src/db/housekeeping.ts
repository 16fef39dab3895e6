import { eq } from "drizzle-orm";
import type { Owner } from "../core/housekeeping/prune.ts";
import type { Db } from "./connection/client.ts";
import { isAnyOf } from "./connection/lists.ts";
import { goals, runs } from "./schema/index.ts";

/** A goal for which something is kept, and whose mirror holds it. */
export interface KnownOwner extends NonNullable<Owner> {
  readonly repositoryId: string;
}

const columns = {
  goalId: goals.goalId,
  repositoryId: goals.repositoryId,
  status: goals.status,
  leasedBy: goals.leasedBy,
  updatedAt: goals.updatedAt,
};

/** Those of some goals that are known, by their ids. */
export async function ownersOfGoals(db: Db, goalIds: readonly string[]): Promise<ReadonlyMap<string, KnownOwner>> {
  if (goalIds.length === 0) return new Map();
  const found = await db.select(columns).from(goals).where(isAnyOf(goals.goalId, goalIds));
  return new Map(found.map((row) => [row.goalId, ownerOf(row)]));
}

/** The goals of some runs, by the ids of the runs. */
export async function ownersOfRuns(db: Db, runIds: readonly string[]): Promise<ReadonlyMap<string, KnownOwner>> {
  if (runIds.length === 0) return new Map();
  const found = await db
    .select({ ...columns, runId: runs.runId })
    .from(runs)
    .innerJoin(goals, eq(goals.goalId, runs.goalId))
    .where(isAnyOf(runs.runId, runIds));
  return new Map(found.map((row) => [row.runId, ownerOf(row)]));
}

/** The same of one goal, locked: until the transaction ends nobody works it, and nobody makes it go on. */
export async function lockOwner(tx: Db, goalId: string): Promise<KnownOwner | null> {
  const found = await tx.select(columns).from(goals).where(eq(goals.goalId, goalId)).for("no key update");
  return found[0] === undefined ? null : ownerOf(found[0]);
}

interface Row extends Omit<KnownOwner, "isLeased"> {
  readonly leasedBy: string | null;
}

function ownerOf({ goalId, repositoryId, status, leasedBy, updatedAt }: Row): KnownOwner {
  return { goalId, repositoryId, status, isLeased: leasedBy !== null, updatedAt };
}
