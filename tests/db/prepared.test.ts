import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Db } from "../../src/db/connection/client.ts";
import { prepared } from "../../src/db/connection/prepared.ts";
import { type TestWorld, testWorld } from "../fakes/deps.ts";

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld();
});
afterEach(() => world.close());

const ask = async (tx: Db, n: number) => (await tx.execute<{ n: number }>(sql`select ${n}::int + 1 as n`)).rows[0]?.n;
const kept = async (tx: Db) =>
  (await tx.execute<{ statement: string }>(sql`select statement from pg_prepared_statements`)).rows;

it("a statement that comes again is prepared on its connection; what comes once is not", async () => {
  await world.deps.database.transaction(async (tx) => {
    for (const n of [1, 2, 3, 4, 5]) expect(await ask(tx, n)).toBe(n + 1);
    await tx.execute(sql`select ${"once"}::text as said`);

    expect((await kept(tx)).map(({ statement }) => statement)).toEqual(["select $1::int + 1 as n"]);
  });
});

it("a prepared statement that fails is asked again as ever", async () => {
  const divide = (tx: Db, n: number) => tx.execute<{ n: number }>(sql`select 6 / ${n}::int as n`);
  for (const n of [1, 2, 3, 6]) expect((await divide(world.deps.database.db, n)).rows).toEqual([{ n: 6 / n }]);
  await expect(divide(world.deps.database.db, 0)).rejects.toThrow();
  expect((await divide(world.deps.database.db, 2)).rows).toEqual([{ n: 3 }]);
});

it("names are bounded, however many texts come, and statements without values have none", () => {
  const again = (text: string, values: unknown[]) => [1, 2, 3].map(() => prepared({ text }, values).name).at(-1);
  const names = Array.from({ length: 1_200 }, (_, n) => again(`select $1 as n${n}`, [n]));

  expect(again("select 1; select 2", [])).toBeUndefined();
  expect(new Set(names.filter((name) => name !== undefined)).size).toBeLessThanOrEqual(1_000);
  expect(names.at(-1)).toBeUndefined();
  expect(prepared({ text: "select $1 as n0" }, [1]).name).toBe(names[0]);
});
