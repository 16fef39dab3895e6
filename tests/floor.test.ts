import { createHash } from "node:crypto";
import pg from "pg";
import { afterEach, expect, it } from "vitest";
import { floorTables, floorTransactions, openFloor } from "../bench/floor.ts";
import { type FreshDatabase, freshDatabase } from "./fakes/database.ts";

let database: FreshDatabase;
let control: pg.Client;

afterEach(async () => {
  await control.end();
  await database.drop();
});

it("[F-601] the floor is six transactions that write twelve rows, and its text stays as it is", async () => {
  database = await freshDatabase();
  control = new pg.Client({ connectionString: database.url });
  await control.connect();
  const floor = await openFloor(database.url, 1);
  try {
    await control.query("create table public.writes (xid bigint, what text)");
    await control.query(
      "create function public.note() returns trigger language plpgsql as $$ begin insert into public.writes values (txid_current(), tg_table_name); return null; end $$",
    );
    for (const table of ["goals", "questions", "costs", "evidence", "episodes", "log"])
      await control.query(
        `create trigger note after insert or update or delete on floor.${table} for each row execute function public.note()`,
      );
    await floor.cycle();
  } finally {
    await floor.close();
  }

  const { rows } = await control.query("select what from public.writes order by xid, what");
  expect(rows.map(({ what }) => what).join(" ")).toBe(
    "goals goals goals questions goals questions goals costs episodes evidence goals log",
  );
  const { rows: transactions } = await control.query("select count(distinct xid)::int as count from public.writes");
  expect(transactions).toEqual([{ count: 6 }]);
  const { rows: synchronous } = await control.query("show synchronous_commit");
  expect(synchronous).toEqual([{ synchronous_commit: "on" }]);
  // What is measured against must not move: every share that was ever printed is a share of this text.
  const text = [floorTables, ...floorTransactions.map((each) => `${each.name}: ${each.text}`)].join("\n");
  expect(createHash("sha256").update(text).digest("hex")).toBe(
    "1eba6002bb298761e7c3361b0fd961520c4f7faffb2953041b7427c0e500353f",
  );
});
