import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Db } from "../../src/db/connection/client.ts";
import { claimNext } from "../../src/db/leases.ts";
import { processBeside } from "../fakes/beside.ts";
import { claimGoal, expireLeases, makeDueGoals } from "../fakes/claim.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

/** Who may claim which goal. */

let world: TestWorld;
let db: Db;
beforeEach(async () => {
  world = await testWorld();
  await world.repository();
  ({ db } = world.deps.database);
});
afterEach(() => world.close());

const claim = (by = "one/1/1", held: readonly string[] = []) => claimIn(db, by, held);
const claimIn = (at: Db, by: string, held: readonly string[] = []) =>
  claimGoal(at, { leasedBy: by, forMs: 20_000, now: world.deps.now(), held });
const nameOf = (path: string): string => path.split("/").at(-1) ?? "";
const query = (text: string, values: readonly unknown[] = []) => world.deps.database.pool.query(text, [...values]);

const dueGoals = (count: number): Promise<string[]> => makeDueGoals(world, count);
const expire = (): Promise<void> => expireLeases(world);

describe("claiming", () => {
  // PostgreSQL may read the goals in another order when it has counted them (autovacuum does, whenever it comes to it).
  it.each([
    ["unknown", "select 1"],
    ["counted", "analyze cos.goals, cos.sessions"],
  ])(
    "three claimers and two due goals of one session, %s to the planner: one is claimed, 200 times of 200 [F-127, R12]",
    async (_, count) => {
      await dueGoals(2);
      await query("alter table cos.goals set (autovacuum_enabled = off)");
      await query(count);
      const claimed: number[] = [];
      for (let round = 0; round < 200; round += 1) {
        const claims = await Promise.all(["a", "b", "c"].map((name) => claim(`${name}/1/1`)));
        claimed.push(claims.filter((each) => each !== null).length);
        await query("update cos.goals set leased_by = null, leased_until = null");
      }

      expect(new Set(claimed)).toEqual(new Set([1]));
    },
  );

  it("a claim that is not committed yet keeps its whole session; what does not lock the session sees nothing of it [F-127]", async () => {
    const [first, second] = await dueGoals(2);
    const free = sql`
      select goal_id from cos.goals g where wake_at is not null and leased_by is null and not exists (
        select 1 from cos.goals other where other.session_id = g.session_id and other.leased_until > now())
      order by position for update skip locked`;

    await world.deps.database.transaction(async (tx) => {
      expect((await claimIn(tx, "one/1/1"))?.goal.goalId).toBe(first);

      expect(await claim("two/1/1")).toBeNull();
      expect((await db.execute(free)).rows).toEqual([{ goal_id: second }]);
    });
    expect(await claim("two/1/1")).toBeNull();
  });

  it("two of three claimers would get both without the session's lock [R12]", async () => {
    const [first, second] = await dueGoals(2);
    const withoutIt = (text: string) => text.replace("of goals, sessions skip locked", "of goals skip locked");
    const unlocked = processBeside(world, (text, send) => send(withoutIt(text))).database;

    await unlocked.transaction(async (tx) => {
      expect((await claimIn(tx, "one/1/1"))?.goal.goalId).toBe(first);
      expect((await claimIn(unlocked.db, "two/1/1"))?.goal.goalId).toBe(second);
      expect(await claimIn(unlocked.db, "three/1/1")).toBeNull();
    });
    const { rows } = await query("select leased_by from cos.goals order by position");
    expect(rows).toEqual([{ leased_by: "one/1/1" }, { leased_by: "two/1/1" }]);
  });

  it("who gets no goal hears whether one is left that somebody holds just then [F-127]", async () => {
    const [first] = await dueGoals(1);
    const look = () => claimNext(db, { leasedBy: "two/1/1", forMs: 20_000, now: world.deps.now() });

    await world.deps.database.transaction(async (tx) => {
      await tx.execute(sql`select from cos.goals where goal_id = ${first} for update`);

      expect(await look()).toEqual({ type: "none", isLeft: true });
    });
    expect(await look()).toMatchObject({ type: "claimed", claim: { goal: { goalId: first } } });
    expect(await look()).toEqual({ type: "none", isLeft: false });
  });

  it("who gets a goal hears whether another one is left, held or not", async () => {
    const paths = [await world.repository({ "b.txt": "b\n" }), await world.repository({ "c.txt": "c\n" })];
    for (const name of paths.map(nameOf)) {
      valueOf(await world.command("goal", "add", name, "--run", "true", "--repo", name));
      valueOf(await world.command("autopilot", "start", "--repo", name));
    }
    const look = () => claimNext(db, { leasedBy: "one/1/1", forMs: 20_000, now: world.deps.now() });

    await expect(
      world.deps.database.transaction(async (tx) => {
        expect(await claimNext(tx, { leasedBy: "one/1/1", forMs: 20_000, now: world.deps.now() })).toMatchObject({
          type: "claimed",
          isLeft: true,
        });
        // The one that is not committed yet may be left to somebody after all.
        expect(await look()).toMatchObject({ type: "claimed", isLeft: true });
        throw new Error("taken back");
      }),
    ).rejects.toThrow("taken back");
    expect(await look()).toMatchObject({ type: "claimed", isLeft: false });
    expect(await look()).toEqual({ type: "none", isLeft: false });
  });

  it("sessions side by side do not hold each other up [F-127]", async () => {
    await dueGoals(2);
    const path = await world.repository({ "b.txt": "b\n" });
    await world.command("goal", "add", "Elsewhere", "--run", "true", "--repo", nameOf(path));
    valueOf(await world.command("autopilot", "start", "--repo", nameOf(path)));

    await world.deps.database.transaction(async (tx) => {
      await claimIn(tx, "one/1/1");

      expect((await claim("two/1/1"))?.goal.content).toBe("Elsewhere");
    });
  });

  it("a process claims neither what a loop of its own still works nor its session's other goals; another process does [F-102]", async () => {
    const [first] = await dueGoals(2);
    await claim("one/1/1");
    await expire();

    expect(await claim("one/1/1", [first ?? ""])).toBeNull();
    expect(await claim("two/1/1")).toMatchObject({ goal: { goalId: first }, interrupted: true });
  });

  it("what was cut short is gone on with before another goal of its session begins [F-127]", async () => {
    const [first, second] = await dueGoals(2);
    await query("update cos.goals set wake_at = wake_at - interval '1 hour' where goal_id = $1", [second]);
    expect((await claim())?.goal.goalId).toBe(second);
    await query("update cos.goals set wake_at = wake_at - interval '2 hours' where goal_id = $1", [first]);
    await expire();

    expect(await claim("two/1/1")).toMatchObject({ goal: { goalId: second }, interrupted: true });
  });
});
