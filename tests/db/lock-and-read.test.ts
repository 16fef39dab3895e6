import { setImmediate } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Db, lockAndRead, readTogether } from "../../src/db/connection/client.ts";
import { getGoal } from "../../src/db/goals.ts";
import { lockSession } from "../../src/db/sessions.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

/** A lock and what it guards are asked by one statement, and what is read is as if it was read behind the lock. */

let world: TestWorld;
let goalId: string;
let sessionId: string;
beforeEach(async () => {
  world = await testWorld();
  await world.repository();
  ({ goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "before", "--run", "true")));
  valueOf(await world.command("autopilot", "start"));
  sessionId = (await getGoal(world.deps.database.db, goalId))?.sessionId ?? "";
  // What the columns of each are is learnt by the first time.
  await world.deps.database.transaction(both);
});
afterEach(() => world.close());

function both(tx: Db) {
  return lockAndRead(
    tx,
    (db) => lockSession(db, sessionId),
    (reads) => Promise.all([getGoal(reads, goalId), countOf(reads)]),
  );
}

async function countOf(db: Db): Promise<number> {
  const { rows } = await db.execute<{ n: number }>(sql`select count(*)::int as n from cos.goals`);
  return rows[0]?.n ?? 0;
}

/** Begins `work` while somebody holds the session, who commits a change of the goal when it waits. */
async function whileItWaits<Result>(work: (tx: Db) => Promise<Result>): Promise<Result> {
  const { database } = world.deps;
  const working: Promise<Result>[] = [];
  await database.transaction(async (tx) => {
    await lockSession(tx, sessionId);
    working.push(database.transaction(work));
    for (let isWaiting = false; !isWaiting; ) {
      const { rows } = await database.pool.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      isWaiting = rows.length > 0;
    }
    await tx.execute(sql`update cos.goals set content = 'after' where goal_id = ${goalId}`);
  });
  const [result] = await Promise.all(working);
  if (result === undefined) throw new Error("nothing was begun");
  return result;
}

async function statementsOf(tx: Db): Promise<string[]> {
  const { rows } = await tx.execute<{ statement: string }>(
    sql`select statement from pg_prepared_statements where statement like '%is_current%' and statement not like '%pg_prepared%'`,
  );
  return rows.map(({ statement }) => statement);
}

describe("[F-601] a lock and what it guards", () => {
  it("are one statement, with the answers that each would have by itself", async () => {
    await world.deps.database.transaction(async (tx) => {
      const session = await lockSession(tx, sessionId);
      const goal = await getGoal(tx, goalId);
      for (let times = 0; times < 4; times += 1) expect(await both(tx)).toEqual([session, [goal, 1]]);
      expect(await statementsOf(tx)).toHaveLength(1);
    });
  });

  it("says what is so when the lock is there, whatever was committed while it was waited for", async () => {
    const [session, [goal]] = await whileItWaits(both);

    expect(session?.sessionId).toBe(sessionId);
    expect(goal?.content).toBe("after");
  });

  it("would say what was so before, if it did not look whether something was committed", async () => {
    const { rows } = await whileItWaits((tx) =>
      tx.execute<{ locked: number; content: string }>(sql`select
        (select count(*)::int from (select from cos.sessions where session_id = ${sessionId} for update) s) as locked,
        (select content from cos.goals where goal_id = ${goalId}) as content`),
    );

    expect(rows).toEqual([{ locked: 1, content: "before" }]);
  });

  it("holds the lock, and is read anew by who asks later in the same transaction", async () => {
    const { database } = world.deps;
    await database.transaction(async (tx) => {
      await both(tx);
      const tried = database.pool.query("select from cos.sessions where session_id = $1 for update nowait", [
        sessionId,
      ]);
      await expect(tried).rejects.toMatchObject({ code: "55P03" });
      await tx.execute(sql`update cos.goals set content = 'mine' where goal_id = ${goalId}`);
      expect((await both(tx))[1][0]?.content).toBe("mine");
    });
  });

  it("reads nothing where the lock is not asked for at once", async () => {
    const late = (tx: Db) =>
      lockAndRead(
        tx,
        async (db) => {
          for (const _ of [1, 2]) await setImmediate();
          return await lockSession(db, sessionId);
        },
        (reads) => getGoal(reads, goalId),
      );
    await expect(world.deps.database.transaction(late)).rejects.toMatchObject({
      cause: { message: "it was read before it was locked" },
    });
  });

  it("a lock is never one of reads that go together by themselves", async () => {
    const { db } = world.deps.database;
    const read = (reads: Db) => Promise.all([lockSession(reads, sessionId), getGoal(reads, goalId)]);
    await readTogether(db, read);
    await world.deps.database.transaction(async (tx) => {
      for (let times = 0; times < 4; times += 1) await readTogether(tx, read);
      const { rows } = await tx.execute(sql`select statement from pg_prepared_statements
        where statement like '%array(select array[%' and statement like '%for update%' and statement not like '%is_current%'
          and statement not like '%pg_prepared%'`);
      expect(rows).toEqual([]);
    });
  });
});
