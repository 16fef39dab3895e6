import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claimNext, type Lease } from "../../src/db/leases.ts";
import { lockSession } from "../../src/db/sessions.ts";
import type { Deps } from "../../src/deps.ts";
import { readWorked } from "../../src/facts/worked.ts";
import type { LeaseKeeper } from "../../src/turns/shared/lease-keeper.ts";
import { reserve } from "../../src/turns/shared/money.ts";
import { heldBeside, processBeside, withoutRowLocks } from "../fakes/beside.ts";
import { claimGoal } from "../fakes/claim.ts";
import { untilOneWaits } from "../fakes/database.ts";
import { keptLease, startKept, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

/** What a turn reads and reserves while others write. Each race has a control, in which it ends wrong without what holds it. */

let world: TestWorld;
let goalId: string;
let sessionId: string;
const runId = "run-here";
beforeEach(async () => {
  world = await testWorld();
  const path = await world.repository();
  valueOf(await world.command("repo", "add", path, "--setup", "", "--check", "", "--agent", "command:true"));
  ({ goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "First")));
  valueOf(await world.command("goal", "add", "Second"));
  ({ sessionId } = valueOf<{ sessionId: string }>(await world.command("autopilot", "start")));
  await query(
    `insert into cos.runs (run_id, goal_id, status, content_hash, settled, started_at)
     values ($1, $2, 'open', 'x', '[]', now())`,
    [runId, goalId],
  );
  await query("update cos.goals set run_id = $1 where goal_id = $2", [runId, goalId]);
});
afterEach(() => world.close());

const query = (text: string, values: readonly unknown[] = []) => world.deps.database.pool.query(text, [...values]);
const claiming = (leasedBy: string) => ({ leasedBy, forMs: 600_000, now: world.deps.now() });

async function claimed(): Promise<Lease> {
  const claim = await claimGoal(world.deps.database.db, claiming("one/1/1"));
  if (claim === null) throw new Error("nothing was claimed");
  return claim.lease;
}

const expire = sql`update cos.goals set leased_until = now() - interval '1 second' where leased_by is not null`;

describe("a turn that has lost its goal to somebody else when it comes to reserve", () => {
  const doors: readonly [string, (deps: Deps, keeper: LeaseKeeper) => Promise<unknown>][] = [
    ["for its start", startKept],
    ["for a task", (deps, keeper) => reserve(deps, keeper, { callId: "task", run: { runId, billing: "metered" } })],
  ];
  const reserved = async () => (await query("select 1 from cos.spend where kind = 'reserved'")).rowCount;
  const holder = async () => (await query("select leased_by from cos.goals where goal_id = $1", [goalId])).rows[0];

  it.each(doors)("reserves nothing %s [R1]", async (_, reserves) => {
    const keeper = keptLease(world.deps, await claimed());

    const reserving = await world.deps.database.transaction(async (tx) => {
      await lockSession(tx, sessionId);
      const begun = reserves(world.deps, keeper);
      await untilOneWaits(world);
      await tx.execute(expire);
      expect(await claimGoal(tx, claiming("two/1/1"))).toMatchObject({ goal: { goalId } });
      return { begun };
    });
    await reserving.begun;

    expect(await reserved()).toBe(0);
    expect(await holder()).toEqual({ leased_by: "two/1/1" });
  });

  it.each(doors)("has it to itself from its look at the lease until it has reserved %s [R1]", async (_, reserves) => {
    const keeper = keptLease(world.deps, await claimed());
    const slow = heldBeside(world, /insert into "cos"\."spend"/);
    const reserving = reserves(slow.deps, keeper);
    await slow.stands;

    const expiring = world.deps.database.transaction((tx) => tx.execute(expire));
    await untilOneWaits(world);
    slow.go();
    await reserving;
    await expiring;

    expect(await reserved()).toBe(1);
  });

  it.each(doors)(
    "would reserve %s what nobody spends: without locks its lease is looked at too early [R1]",
    async (_, reserves) => {
      const keeper = keptLease(world.deps, await claimed());
      const slow = heldBeside(world, /insert into "cos"\."spend"/, withoutRowLocks);
      const reserving = reserves(slow.deps, keeper);
      await slow.stands;

      await world.deps.database.db.execute(expire);
      expect(await claimGoal(world.deps.database.db, claiming("two/1/1"))).toMatchObject({ goal: { goalId } });
      slow.go();
      await reserving;

      expect(await reserved()).toBe(1);
    },
  );
});

describe("a goal and its run, which somebody changes together", () => {
  const of = "where goal_id = $1";
  const changed = { content: "new", feedback: "new" };
  /** What somebody writes of both, in one statement. */
  async function change({ content, feedback }: { content: string; feedback: string | null } = changed, ask = query) {
    await ask(
      `with goal as (update cos.goals set content = $2 where goal_id = $1)
        update cos.runs set feedback = $3 where goal_id = $1`,
      [goalId, content, feedback],
    );
  }

  /** Statements that wait between their snapshot and their locks: whoever asks for the time waits for the test. */
  async function slowClock(): Promise<{ readonly searchPath: string; readonly go: () => Promise<unknown> }> {
    await query("create schema slow");
    await query(`create function slow.clock_timestamp() returns timestamptz language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(9); return pg_catalog.clock_timestamp(); end $$`);
    const holder = await world.deps.database.pool.connect();
    await holder.query("select pg_advisory_lock(9)");
    const go = async () => {
      await holder.query("select pg_advisory_unlock(9)");
      holder.release();
    };
    return { searchPath: "slow,pg_catalog,public", go };
  }

  it("are of one moment after a claim that locked the goal late [R2]", async () => {
    const { searchPath, go } = await slowClock();
    const { db } = processBeside(world, (text, send) => send(text), searchPath).database;
    const claim = claimNext(db, claiming("one/1/1"));
    await untilOneWaits(world);
    await change();
    await go();

    const found = await claim;
    const { goal, run } = await readWorked(world.deps.database.db, goalId);

    expect(found).toMatchObject({ type: "claimed", claim: { goal: { goalId, content: "new" } } });
    expect([goal.content, run.feedback]).toEqual(["new", "new"]);
  });

  it("would be of two moments where the claim itself reads the run [R2]", async () => {
    const { searchPath, go } = await slowClock();
    const { db } = processBeside(world, (text, send) => send(text), searchPath).database;
    const claimed = sql`
      with locked as (
        select goal_id from cos.goals where goal_id = ${goalId} and clock_timestamp() > '2000-01-01' for no key update),
      claimed as (
        update cos.goals set turn = turn + 1 from locked where goals.goal_id = locked.goal_id returning goals.*)
      select claimed.content as goal, feedback as run from claimed join cos.runs using (run_id)`;
    const claim = db.execute(claimed).then(({ rows }) => rows);
    await untilOneWaits(world);
    await change();
    await go();

    expect(await claim).toEqual([{ goal: "new", run: null }]);
  });

  it("are of one moment for a start that waited for its locks [R2]", async () => {
    const keeper = keptLease(world.deps, await claimed());

    const started = await whileLocked(() => startKept(world.deps, keeper));

    expect(started).toMatchObject({ worked: { goal: { content: "new" }, run: { feedback: "new" } } });
  });

  it("would be of two moments where the statement that waits reads the run [R2]", async () => {
    const read = await whileLocked(() =>
      query(
        `select content as goal, feedback as run from cos.goals join cos.runs using (run_id) where goals.goal_id = $1
          for no key update of goals`,
        [goalId],
      ),
    );

    expect(read.rows).toEqual([{ goal: "new", run: null }]);
  });

  /** Calls it while the goal is locked, and changed, by somebody else. */
  async function whileLocked<Result>(call: () => Promise<Result>): Promise<Result> {
    const client = await world.deps.database.pool.connect();
    await client.query("begin");
    await client.query(`select from cos.goals ${of} for update`, [goalId]);
    const called = call();
    await untilOneWaits(world);
    await change(changed, (text, values = []) => client.query(text, [...values]));
    await client.query("commit");
    client.release();
    return await called;
  }

  it("are of one moment when a phase reads them, also for the first time in its process [R2]", async () => {
    expect(await readWhileTheyChange(readBoth)).toEqual(["new new", "First null"]);
  });

  it("would be of two moments where it reads one after the other [R2]", async () => {
    expect(await readWhileTheyChange(readEach)).toContain("First new");
  });

  /** What is read of both while they change before its first, second … statement, each in a process of its own. */
  async function readWhileTheyChange(reads: (deps: Deps) => Promise<readonly unknown[]>): Promise<string[]> {
    const seen = new Set<string>();
    for (let nth = 1; nth <= 6; nth += 1) {
      await change({ content: "First", feedback: null });
      let sent = 0;
      const deps = processBeside(world, async (text, send) => {
        if (text.includes('"cos".')) sent += 1;
        if (sent === nth) await change();
        return await send(text);
      });
      seen.add((await reads(deps)).map(String).join(" "));
    }
    return [...seen];
  }

  async function readBoth({ database }: Deps) {
    const { goal, run } = await readWorked(database.db, goalId);
    return [goal.content, run.feedback];
  }

  async function readEach({ database: { db } }: Deps) {
    const goal = await db.execute(sql`select content from "cos"."goals" where goal_id = ${goalId}`);
    const run = await db.execute(sql`select feedback from "cos"."runs" where goal_id = ${goalId}`);
    return [goal.rows[0]?.["content"], run.rows[0]?.["feedback"]];
  }
});
