import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Goal } from "../../src/core/goals/goal.ts";
import type { Db } from "../../src/db/connection/client.ts";
import { goalsById } from "../../src/db/goals.ts";
import { claimGoal, expireLeases, makeDueGoals } from "../fakes/claim.ts";
import { type Lease, renewLease } from "../../src/db/leases.ts";
import { recordTurn } from "../../src/db/transitions.ts";
import { lockLeased } from "../../src/db/turn-locks.ts";
import { untilOneWaits } from "../fakes/database.ts";
import { type TestWorld, testWorld } from "../fakes/deps.ts";

/** Leases as rows: what an expired one still may do. Time is the database's. */

let world: TestWorld;
let db: Db;
beforeEach(async () => {
  world = await testWorld();
  await world.repository();
  ({ db } = world.deps.database);
});
afterEach(() => world.close());

const claim = (by = "one/1/1", forMs = 20_000) => claimGoal(db, { leasedBy: by, forMs, now: world.deps.now() });
const query = (text: string, values: readonly unknown[] = []) => world.deps.database.pool.query(text, [...values]);

const dueGoals = (count: number): Promise<string[]> => makeDueGoals(world, count);
async function leaseOf(claimed: Awaited<ReturnType<typeof claim>>): Promise<Lease> {
  if (claimed === null) throw new Error("nothing was claimed");
  return claimed.lease;
}

const expire = (): Promise<void> => expireLeases(world);
/** A record of a turn that keeps its lease, or ends it. */
async function record(tx: Db, lease: Lease, keepLease: boolean): Promise<boolean> {
  const outcome = "written";
  const [goal] = (await goalsById(db, [lease.goalId])) as [Goal];
  const transition = keepLease
    ? ({ type: "isStopped", stop: "pause", outcome } as const)
    : ({ type: "isCut", at: null, interruptions: 0, outcome } as const);
  return await recordTurn(tx, { lease, goal }, transition, world.deps.now());
}
const outcomes = async () =>
  (await query("select outcome from cos.goals where outcome is not null")).rows.map((row) => row.outcome);

describe("a lease that has expired, and that nobody has taken", () => {
  it("is refused by every write [F-102]", async () => {
    await dueGoals(1);
    const lease = await leaseOf(await claim());
    await expire();

    expect(await renewLease(db, lease)).toEqual({ type: "lost" });
    expect(await world.deps.database.transaction((tx) => lockLeased(tx, lease))).toBeNull();
    for (const keepLease of [true, false]) expect(await record(db, lease, keepLease)).toBe(false);
    expect(await outcomes()).toEqual([]);
  });

  const writers: readonly [string, (lease: Lease) => Promise<boolean>][] = [
    ["a renewal", async (lease) => (await renewLease(db, lease)).type === "held"],
    ["a lock", (lease) => world.deps.database.transaction(async (tx) => (await lockLeased(tx, lease)) !== null)],
    ["a record that keeps it", (lease) => record(db, lease, true)],
    ["a record that ends it", (lease) => record(db, lease, false)],
  ];

  it.each(writers)(
    "%s that waited while it expired is refused, though the row is as it was [F-102, R11]",
    async (_, write) => {
      const { wrote } = await whileItExpires(write);

      expect(wrote).toBe(false);
      expect(await outcomes()).toEqual([]);
    },
  );

  it("would be taken for a live one by a condition in the update itself: it is not looked at again after the wait [F-102, R11]", async () => {
    const { wrote } = await whileItExpires(async ({ goalId }) => {
      const { rowCount } = await query(
        "update cos.goals set outcome = 'late' where goal_id = $1 and leased_until > clock_timestamp()",
        [goalId],
      );
      return rowCount === 1;
    });

    expect(wrote).toBe(true);
  });

  /** A write that waits for somebody who locks the row, changes nothing, and lets go after the lease's end. */
  async function whileItExpires(write: (lease: Lease) => Promise<boolean>): Promise<{ wrote: boolean }> {
    await dueGoals(1);
    // Long enough that the write waits before it is over, however slow the machine is.
    for (let forMs = 1_000; ; forMs *= 2) {
      await query("update cos.goals set leased_by = null, leased_until = null, outcome = null");
      const lease = await leaseOf(await claim("one/1/1", forMs));
      const { wasLive, writing } = await world.deps.database.transaction(async (tx) => {
        await tx.execute(sql`select 1 from cos.goals for update`);
        const begun = write(lease);
        await untilOneWaits(world);
        const isLive = await isLiveNow();
        while (await isLiveNow()) await tx.execute(sql`select pg_sleep(0.05)`);
        return { wasLive: isLive, writing: begun };
      });
      const wrote = await writing;
      if (wasLive) return { wrote };
    }
  }

  async function isLiveNow(): Promise<boolean> {
    const { rows } = await query("select leased_until > clock_timestamp() as live from cos.goals");
    return rows[0]?.live === true;
  }

  it("does not matter to the transaction that has locked it before: it records however long that took [F-102]", async () => {
    await dueGoals(1);
    for (let forMs = 1_000; ; forMs *= 2) {
      await query("update cos.goals set leased_by = null, leased_until = null");
      const lease = await leaseOf(await claim("one/1/1", forMs));
      const recorded = await world.deps.database.transaction(async (tx) => {
        if ((await lockLeased(tx, lease)) === null) return null;
        while (await isLiveNow()) await tx.execute(sql`select pg_sleep(0.05)`);
        expect(await claim("two/1/1")).toBeNull();
        return await record(tx, lease, true);
      });
      if (recorded === null) continue;

      expect(recorded).toBe(true);
      expect(await outcomes()).toEqual(["written"]);
      break;
    }
  });
});

describe("a live lease", () => {
  const leftMs = async (): Promise<number> => {
    const { rows } = await query(
      "select extract(epoch from leased_until - clock_timestamp()) * 1000 as left from cos.goals",
    );
    return Number(rows[0]?.left);
  };

  it("is prolonged by every write that keeps it [F-102]", async () => {
    await dueGoals(1);
    const lease = await leaseOf(await claim("one/1/1", 3_600_000));
    const writes = [() => renewLease(db, lease), () => record(db, lease, true)];

    for (const write of writes) {
      await query("update cos.goals set leased_until = clock_timestamp() + interval '10 minutes'");
      await write();
      expect(await leftMs()).toBeGreaterThan(1_800_000);
    }
  });

  it("taken over by another process refuses whoever had it before, who records nothing [F-102]", async () => {
    await dueGoals(1);
    const late = await leaseOf(await claim("one/1/1"));
    await expire();
    const lease = await leaseOf(await claim("two/1/1"));

    expect(await record(db, late, false)).toBe(false);
    expect(await renewLease(db, late)).toEqual({ type: "lost" });
    expect(await record(db, lease, false)).toBe(true);
  });

  it("that lies further ahead than any lease is long ends soon: the database's clock was put back [F-102]", async () => {
    await dueGoals(1);
    await claim("elsewhere/1/1");
    await query("update cos.goals set leased_until = now() + interval '5 hours'");

    await world.tick();

    expect(await leftMs()).toBeLessThanOrEqual(world.deps.policy.lease.forMs);
  });

  it("of a turn that was cut before the clock was put back is taken over at the next look: its goal was due then", async () => {
    await dueGoals(1);
    await query("update cos.goals set updated_at = $1", [new Date(world.deps.now().getTime() - 8 * 24 * 3_600_000)]);
    await claim();
    await expire();
    world.advance(-3_600_000);
    expect(await claim("two/1/1")).toBeNull();

    await world.tick();

    expect(await claim("two/1/1")).toMatchObject({ interrupted: true });
  });
});
