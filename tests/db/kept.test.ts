import { getTableName } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askedForBy, databaseTriggers, views } from "../../src/db/connection/asked-for.ts";
import { attempts, evidence, runs, timeline } from "../../src/db/schema/index.ts";
import { type TestWorld, testWorld } from "../fakes/deps.ts";

let world: TestWorld;
beforeAll(async () => {
  world = await testWorld();
});
afterAll(() => world.close());

/** What triggers, and the functions that they call, meet in the database: as `databaseTriggers` says it. */
async function met(): Promise<typeof databaseTriggers> {
  const { pool } = world.deps.database;
  const functions = await pool.query<{ name: string; source: string }>(
    "select proname as name, prosrc as source from pg_proc where pronamespace = 'cos'::regnamespace",
  );
  const tables = await pool.query<{ name: string; calls: string[] }>(`
    select c.relname as name, array_agg(p.proname::text) filter (where not t.tginitdeferred) as calls
    from pg_class c left join pg_trigger t on t.tgrelid = c.oid and not t.tgisinternal left join pg_proc p on p.oid = t.tgfoid
    where c.relnamespace = 'cos'::regnamespace and c.relkind in ('r', 'v') group by c.relname`);
  const sources = new Map(functions.rows.map(({ name, source }) => [name, source]));
  const isTable = new Set(tables.rows.map(({ name }) => name));
  const whole = (name: string): string => {
    const source = sources.get(name) ?? "";
    return [source, ...[...source.matchAll(/cos\.(\w+)\(/g)].map(([, called = ""]) => whole(called))].join("\n");
  };
  return Object.fromEntries(
    tables.rows.flatMap(({ name, calls }) => {
      const text = (calls ?? []).map(whole).join("\n");
      const named = (pattern: RegExp) =>
        [...new Set([...text.matchAll(pattern)].map(([, table = ""]) => table))].filter(
          (table) => isTable.has(table) && table !== name,
        );
      const writes = named(/(?:insert into|update|delete from) cos\.(\w+)/g).sort();
      const looksAt = named(/cos\.(\w+)/g)
        .filter((table) => !writes.includes(table))
        .sort();
      return writes.length + looksAt.length > 0 ? [[name, { looksAt, writes }]] : [];
    }),
  );
}

describe("what a transaction keeps for its end", () => {
  it("is written before a statement whose triggers meet it, and before one that names what its own have written", async () => {
    expect(await met()).toEqual(databaseTriggers);
  });

  it("is written before a statement that names a view of it", async () => {
    const { rows } = await world.deps.database.pool.query<{ view: string; shown: string }>(`
      select distinct v.relname as view, t.relname as shown
      from pg_class v join pg_rewrite r on r.ev_class = v.oid join pg_depend d on d.objid = r.oid and d.classid = 'pg_rewrite'::regclass
      join pg_class t on t.oid = d.refobjid and t.relkind in ('r', 'v') and t.oid <> v.oid
      where v.relkind = 'v' and v.relnamespace = 'cos'::regnamespace`);

    expect(rows).toEqual(Object.entries(views).flatMap(([shown, named]) => named.map((view) => ({ view, shown }))));
    expect(askedForBy("spend", true)("select 1 from cos.call_costs")).toBe(true);
  });

  it.each([
    ["a read of its table", getTableName(runs), false, 'select 1 from "cos"."runs" where true', true],
    ["a write of what has triggers that look at it", "runs", false, 'insert into "cos"."merges" (a) values (1)', true],
    ["a read of that", "runs", false, 'select 1 from "cos"."merges"', false],
    ["a read of what its triggers write", getTableName(timeline), true, "select 1 from cos.open_branches b", true],
    [
      "a write of rows that refer to it, where it is new",
      "runs",
      true,
      'insert into "cos"."evidence" (a) values (1)',
      true,
    ],
    ["the same where it is there already", "runs", false, 'insert into "cos"."evidence" (a) values (1)', false],
    ["a read of rows that refer to it", "runs", true, `select 1 from cos.${getTableName(evidence)}`, false],
    [
      "a column that is named like it",
      getTableName(attempts),
      true,
      'select "rung_attempts_left" from "cos"."t"',
      false,
    ],
  ])("is asked for, or not, by %s", (_, table, isNew, text, expected) => {
    expect(askedForBy(table, isNew)(text)).toBe(expected);
  });
});
