import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Db } from "../../src/db/connection/client.ts";
import { appendTimeline, readGoalEvents, type TimelinePlace, timelineAfter } from "../../src/db/timeline.ts";
import { eventually } from "../fakes/bot.ts";
import { emptyDatabase } from "../fakes/database.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

let world: TestWorld;
let db: Db;
beforeEach(async () => {
  world = await testWorld();
  ({ db } = world.deps.database);
});
afterEach(() => world.close());

const query = (text: string, values: readonly unknown[] = []) => world.deps.database.pool.query(text, [...values]);
async function write(tx: Db, name: string): Promise<void> {
  await appendTimeline(tx, {
    event: "repository.added",
    at: new Date(),
    detail: { repositoryId: `repo-${name}`, name },
  });
  // It takes its id now: a transaction that asks for the timeline has written what it has said so far.
  await tx.execute("select from cos.timeline limit 0");
}

/** A promise and what resolves it. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

interface ReadOn {
  readonly names: string[];
  readonly place: TimelinePlace | null;
}

/** Reads on from a place until nothing comes, a few rows at a time. */
async function readOn(from: TimelinePlace | null): Promise<ReadOn> {
  const names: string[] = [];
  for (let place = from; ; ) {
    const next = await timelineAfter(db, place, 2);
    names.push(...next.rows.flatMap((row) => (row.event === "repository.added" ? [row.detail.name] : [])));
    place = next.place;
    if (next.rows.length < 2) return { names, place };
  }
}

/** Reads on until so many have come: a transaction of the server's own upkeep, an analysis of a table, may hold a reader up for a moment. */
async function readUntil(most: number, from: TimelinePlace | null): Promise<ReadOn> {
  let read: ReadOn = { names: [], place: from };
  await eventually(`${most} events are read`, async () => {
    const next = await readOn(read.place);
    read = { names: [...read.names, ...next.names], place: next.place };
    return read.names.length >= most;
  });
  return read;
}

it("an event whose transaction commits late is read, whichever of ids and transactions began first [R9]", async () => {
  await write(db, "first");
  const { place } = await readUntil(1, null);
  const isWritten = { one: gate(), other: gate() };
  const mayCommit = { one: gate(), other: gate() };

  // Takes the lower id with the higher number of a transaction.
  const other = world.deps.database.transaction(async (tx) => {
    await tx.execute("select pg_current_xact_id()");
    isWritten.other.open();
    await isWritten.one.opened;
    await write(tx, "second");
    await mayCommit.other.opened;
  });
  await isWritten.other.opened;
  const one = world.deps.database.transaction(async (tx) => {
    await write(tx, "late");
    isWritten.one.open();
    await mayCommit.one.opened;
  });
  mayCommit.other.open();
  await other;
  await write(db, "third");
  const { newest } = (await query("select max(timeline_id) as newest from cos.timeline")).rows[0];
  const meanwhile = await readUntil(1, place);
  mayCommit.one.open();
  await one;
  const afterwards = await readUntil(2, meanwhile.place);

  // A reader that goes on after the highest id that it has seen never hears of it.
  expect((await query("select detail ->> 'name' from cos.timeline where timeline_id > $1", [newest])).rowCount).toBe(0);
  expect(meanwhile.names).toEqual(["second"]);
  expect(afterwards.names).toEqual(["late", "third"]);
  expect((await readOn(afterwards.place)).names).toEqual([]);
});

it("a transaction that stays open in another database of the server holds no reader up", async () => {
  const elsewhere = await emptyDatabase();
  const other = new pg.Client({ connectionString: elsewhere.url });
  await other.connect();
  await other.query("begin");
  await other.query("select pg_current_xact_id()");

  await write(db, "here");
  // The server's own upkeep of this database may hold it up for a moment.
  const names = await eventually("the row is read", async () => {
    const read = await readOn(null);
    return read.names.length > 0 ? read.names : null;
  });
  await other.end();
  await elsewhere.drop();

  expect(names).toEqual(["here"]);
});

it("rows that other versions wrote are shown by name, for scripts as they are, and are no event of a goal", async () => {
  await world.repository();
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Old", "--run", "true"));
  const insert = "insert into cos.timeline (goal_id, event, detail, at) values ($1, $2, $3, now())";
  await query(insert, [goalId, "goal.teleported", { to: "mars" }]);
  await query(insert, [goalId, "agent.refused", { command: "cos approve" }]);
  await query(insert, [goalId, "agent.refused", { what: "cos answer" }]);

  const why = await world.command("why", goalId);
  const { timeline } = valueOf<{ timeline: { event: string; detail: unknown }[] }>(why);

  expect(timeline.map(({ event, detail }) => ({ event, detail }))).toEqual([
    { event: "goal.added", detail: {} },
    { event: "goal.teleported", detail: { to: "mars" } },
    { event: "agent.refused", detail: { command: "cos approve" } },
    { event: "agent.refused", detail: { what: "cos answer" } },
  ]);
  expect(Object.keys(timeline[0] ?? {}).sort()).toEqual([
    "actor",
    "at",
    "campaignId",
    "checkpointId",
    "detail",
    "event",
    "goalId",
    "runId",
    "sessionId",
    "timelineId",
    "via",
  ]);
  expect(JSON.stringify(why)).toContain('" ","goal.teleported"');
  expect((await readGoalEvents(db, goalId, "agent.refused")).map(({ detail }) => detail.what)).toEqual(["cos answer"]);
});
