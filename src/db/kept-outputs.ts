import { and, asc, count, eq, inArray, isNotNull, isNull, lte, sql } from "drizzle-orm";
import { endedStatuses } from "../core/goals/goal.ts";
import type { Db } from "./connection/client.ts";
import { textArray } from "./connection/lists.ts";
import { keepOrWrite } from "./connection/later.ts";
import { goals, keptOutputs } from "./schema/index.ts";

export type KeptOutputRow = Pick<typeof keptOutputs.$inferSelect, "file" | "goalId" | "holder" | "sha256" | "at">;

/** Adds an output that its machine has to put into the store. Once for each file. */
export async function awaitStoring(tx: Db, row: KeptOutputRow): Promise<void> {
  await keepOrWrite(tx, { table: keptOutputs, values: row }, inserting);
}

const inserting = (at: Db, row: typeof keptOutputs.$inferInsert) =>
  at.insert(keptOutputs).values(row).onConflictDoNothing();

/** Like `awaitStoring`, for a file that its machine has rewritten: the store has an older content. */
export async function awaitStoringAnew(db: Db, row: KeptOutputRow): Promise<void> {
  const { holder, sha256, at } = row;
  await db
    .insert(keptOutputs)
    .values(row)
    .onConflictDoUpdate({ target: keptOutputs.file, set: { holder, sha256, at, storedAt: null } });
}

/** Outputs that a machine still has to put into the store, oldest first. */
export async function waitingOutputs(
  db: Db,
  holder: string,
  most: number,
): Promise<{ file: string; sha256: string }[]> {
  return await db
    .select({ file: keptOutputs.file, sha256: keptOutputs.sha256 })
    .from(keptOutputs)
    .where(and(eq(keptOutputs.holder, holder), isNull(keptOutputs.storedAt)))
    .orderBy(asc(keptOutputs.at))
    .limit(most);
}

/**
 * Records that an output is in the store, and its size there in bytes. When the file was kept anew meanwhile, the older content may
 * have replaced the newer one in the store: then it is marked to be stored again.
 */
export async function markStored(
  db: Db,
  {
    file,
    sha256,
    ...stored
  }: { readonly file: string; readonly sha256: string; readonly storedBytes: number; readonly storedAt: Date },
): Promise<void> {
  const marked = await db
    .update(keptOutputs)
    .set(stored)
    .where(and(eq(keptOutputs.file, file), eq(keptOutputs.sha256, sha256)))
    .returning({ file: keptOutputs.file });
  if (marked.length === 0) await db.update(keptOutputs).set({ storedAt: null }).where(eq(keptOutputs.file, file));
}

/** Moves an output that cannot be stored now behind those that were waiting by `now`. */
export async function putOffOutput(db: Db, file: string, now: Date): Promise<void> {
  await db.update(keptOutputs).set({ at: now }).where(eq(keptOutputs.file, file));
}

/** Those of these files that are in the store. */
export async function storedAmong(db: Db, files: readonly string[]): Promise<ReadonlySet<string>> {
  if (files.length === 0) return new Set();
  const found = await db
    .select({ file: keptOutputs.file })
    .from(keptOutputs)
    .where(and(inArray(keptOutputs.file, [...files]), isNotNull(keptOutputs.storedAt)));
  return new Set(found.map(({ file }) => file));
}

/** A store that keeps contents in the rows of their outputs. */
export function contentsIn(db: Db): {
  put(file: string, content: Buffer): Promise<void>;
  get(file: string): Promise<Buffer | null>;
} {
  return {
    async put(file, content) {
      await db.update(keptOutputs).set({ content }).where(eq(keptOutputs.file, file));
    },
    async get(file) {
      const found = await db
        .select({ content: keptOutputs.content })
        .from(keptOutputs)
        .where(eq(keptOutputs.file, file));
      return found[0]?.content ?? null;
    },
  };
}

/** Outputs of goals that ended before `before`, oldest first. */
export async function outputsOver(db: Db, before: Date, most: number): Promise<string[]> {
  const found = await db
    .select({ file: keptOutputs.file })
    .from(keptOutputs)
    .innerJoin(goals, eq(goals.goalId, keptOutputs.goalId))
    .where(
      and(
        lte(keptOutputs.at, before),
        lte(goals.updatedAt, before),
        inArray(goals.status, [...endedStatuses]),
        isNull(goals.leasedBy),
      ),
    )
    .orderBy(asc(keptOutputs.at))
    .limit(most);
  return found.map(({ file }) => file);
}

/** The oldest outputs in the database that exceed a total of `bytes`. The work of unfinished goals (`work.bundle`) is never included. */
export async function outputsBeyond(db: Db, bytes: number, most: number): Promise<string[]> {
  const found = await db.execute<{ file: string }>(sql`
    select file from (
      select file, at, sum(stored_bytes) over (order by at desc, file) as bytes
      from cos.kept_outputs where content is not null) newest
    where bytes > ${bytes} and not (file like '%/work.bundle' and exists (
      select 1 from cos.kept_outputs k join cos.goals g on g.goal_id = k.goal_id
      where k.file = newest.file and g.status <> all(${textArray([...endedStatuses])})))
    order by at limit ${most}`);
  return found.rows.map(({ file }) => file);
}

/** Deletes the row of an output whose file is gone. With `sha256`, only if it still has that content. */
export async function forgetOutput(db: Db, file: string, sha256?: string): Promise<void> {
  const isIt = sha256 === undefined ? [] : [eq(keptOutputs.sha256, sha256)];
  await db.delete(keptOutputs).where(and(eq(keptOutputs.file, file), ...isIt));
}

/** Number of outputs that no machine has put into the store yet. */
export async function countWaiting(db: Db): Promise<number> {
  const found = await db.select({ waiting: count() }).from(keptOutputs).where(isNull(keptOutputs.storedAt));
  return found[0]?.waiting ?? 0;
}
