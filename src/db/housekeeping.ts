import { eq } from "drizzle-orm";
import type { Owner } from "../core/housekeeping/prune.ts";
import type { Db } from "./connection/client.ts";
import { isAnyOf } from "./connection/lists.ts";
import { goals, runs } from "./schema/index.ts";

/** A goal for which something is kept on disk, with its repository, whose mirror holds its commits. */
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

/** The given goals that exist, by id. */
export async function ownersOfGoals(db: Db, goalIds: readonly string[]): Promise<ReadonlyMap<string, KnownOwner>> {
  if (goalIds.length === 0) return new Map();
  const found = await db.select(columns).from(goals).where(isAnyOf(goals.goalId, goalIds));
  return new Map(found.map((row) => [row.goalId, ownerOf(row)]));
}

/** The goals of the given runs, by run id. */
export async function ownersOfRuns(db: Db, runIds: readonly string[]): Promise<ReadonlyMap<string, KnownOwner>> {
  if (runIds.length === 0) return new Map();
  const found = await db
    .select({ ...columns, runId: runs.runId })
    .from(runs)
    .innerJoin(goals, eq(goals.goalId, runs.goalId))
    .where(isAnyOf(runs.runId, runIds));
  return new Map(found.map((row) => [row.runId, ownerOf(row)]));
}

/** Like `ownersOfGoals` for one goal, locked: until the transaction ends, nobody can work or resume it. */
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
