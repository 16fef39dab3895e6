import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Db, readTogether } from "../../src/db/connection/client.ts";
import { partOf } from "../../src/db/connection/part.ts";
import { goalRows } from "../../src/db/goal-rows.ts";
import { goalsById } from "../../src/db/goals.ts";
import { listRepositories } from "../../src/db/repositories.ts";
import { repositories } from "../../src/db/schema/index.ts";
import { appendTimeline, goalTimeline, timelineAfter } from "../../src/db/timeline.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

let world: TestWorld;
let goalId: string;
beforeEach(async () => {
  world = await testWorld();
  await world.repository();
  const added = await world.command(
    "goal",
    "add",
    'Say "so", {a,\\b} or null',
    "--run",
    "true",
    "--tag",
    "a",
    "--cost",
    "3",
  );
  ({ goalId } = valueOf<{ goalId: string }>(added));
  await world.command("autopilot", "start");
});
afterEach(() => world.close());

/** Everything that a card may be made of: joins whose columns have the same names, times, money, lists, JSON and nothing. */
const reads = (db: Db): readonly (() => Promise<unknown>)[] => [
  () => goalRows(db, goalId),
  () => goalTimeline(db, goalId),
  () => listRepositories(db),
  () => goalsById(db, ["none"]),
  () => db.select().from(repositories).where(eq(repositories.name, "none")),
  async () =>
    (
      await db.execute(sql`select ${1}::int8 as big, ${"2"}::numeric as exact, true as yes, null as nothing, now()::date as day,
        array['a', null, 'b,"'] as list, '{"a": [1, null]}'::jsonb as json, 0.1::float8 as part, interval '1 hour' as long`)
    ).rows,
];

describe("reads that are asked in one breath", () => {
  it("answer as each would by itself, and are one statement from the second time on", async () => {
    await world.deps.database.transaction(async (tx) => {
      const alone: unknown[] = [];
      for (const read of reads(tx)) alone.push(await read());
      const sent = () =>
        tx.execute<{ calls: number }>(
          sql`select count(*)::int as calls from pg_prepared_statements where statement like '%array(select array[c0::text%'`,
        );

      for (let times = 0; times < 5; times += 1)
        expect(await readTogether(tx, (db) => Promise.all(reads(db).map((read) => read())))).toEqual(alone);

      expect((await sent()).rows).toEqual([{ calls: 1 }]);
    });
  });

  it("of the same text answer each by itself", async () => {
    const { db } = world.deps.database;
    const ask = (together: Db, n: number) => together.execute<{ n: number }>(sql`select ${n}::int as n`);
    await readTogether(db, (together) => ask(together, 0));

    const found = await readTogether(db, (together) => Promise.all([1, 2, 3].map((n) => ask(together, n))));

    expect(found.map(({ rows }) => rows)).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
  });

  it("fail together, and who asked hears", async () => {
    const { db } = world.deps.database;
    const divide = (together: Db, n: number) => together.execute(sql`select 6 / ${n}::int as n`);
    const count = (together: Db) => together.execute(sql`select count(*) as n from cos.goals`);
    await readTogether(db, (together) => Promise.all([divide(together, 1), count(together)]));

    const asked = readTogether(db, (together) => Promise.allSettled([divide(together, 0), count(together)]));

    expect((await asked).map((each) => each.status)).toEqual(["rejected", "rejected"]);
  });
});

describe("what a transaction says of itself", () => {
  const say = (tx: Db, name: string) =>
    appendTimeline(tx, { event: "repository.added", at: new Date(), detail: { repositoryId: "repo-x", name } });
  const said = async (db: Db) => {
    const { rows } = await timelineAfter(db, null, 100);
    return rows.flatMap((row) =>
      row.event === "repository.added" && row.detail.repositoryId === "repo-x" ? [row.detail.name] : [],
    );
  };

  it("is written with its end, and nothing is when it fails", async () => {
    const { database } = world.deps;
    await database.transaction(async (tx) => {
      await say(tx, "one");
      await say(tx, "two");
    });
    await expect(
      database.transaction(async (tx) => {
        await say(tx, "three");
        throw new Error("it fails");
      }),
    ).rejects.toThrow("it fails");

    expect(await said(database.db)).toEqual(["one", "two"]);
  });

  it("is there for who asks in between, and goes with a part that is taken back", async () => {
    const { database } = world.deps;
    const count = async (tx: Db) =>
      (
        await tx.execute<{ n: number }>(
          sql`select count(*)::int as n from cos.timeline where event = 'repository.added' and detail->>'repositoryId' = 'repo-x'`,
        )
      ).rows[0]?.n;
    await database.transaction(async (tx) => {
      await say(tx, "before");
      expect(await count(tx)).toBe(1);
      await say(tx, "kept");
      const part = partOf(database, tx).transaction(async (inner) => {
        await say(inner, "taken back");
        throw new Error("it fails");
      });
      await expect(part).rejects.toThrow("it fails");
      await say(tx, "after");
    });

    expect(await said(database.db)).toEqual(["before", "kept", "after"]);
  });
});
