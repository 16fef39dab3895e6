import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { countGoals, goalsWithBranch } from "../../src/db/goal-lists.ts";
import { branchesBetween } from "../../src/db/week.ts";
import { undecidedBranches } from "../../src/db/standup.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

/** What triggers keep beside the rows that would have to be counted, held against those rows. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld();
  await world.repository();
});
afterEach(() => world.close());

const query = async <Row extends object>(statement: string, values: unknown[] = []): Promise<Row[]> =>
  (await world.deps.database.pool.query<Row>(statement, values)).rows;

async function addGoals(count: number): Promise<string[]> {
  const [repository] = await query<{ repository_id: string }>("select repository_id from cos.repositories");
  const rows = await query<{ goal_id: string }>(
    `insert into cos.goals (goal_id, repository_id, content, tags, priority, linkage, files_allowed, proof_allowed, instructions,
       is_unplanned, status, phase, created_by, created_at, updated_at)
     select 'goal-' || i, $1, 'Do it', '[]', 'medium', '{"kind":"none"}', '[]', '[]', '[]', false, 'pending', 'start', 'ana', now(), now()
     from generate_series(1, $2) i returning goal_id`,
    [repository?.repository_id, count],
  );
  return rows.map((row) => row.goal_id);
}

describe("how many goals there are", () => {
  it("is what their rows say, whoever changes them at the same time [F-602]", async () => {
    const goalIds = await addGoals(12);
    const statuses = ["complete", "failed", "pending", "deferred", "manual_followup", "blocked", "complete"];
    const change = async (goalId: string, index: number): Promise<void> => {
      for (let round = 0; round < 30; round += 1) {
        const status = statuses[(round + index) % statuses.length];
        await query(
          `update cos.goals set status = $2, outcome = 'So', blocked_on = case when $2 = 'blocked' then 'person' end
           where goal_id = $1`,
          [goalId, status],
        );
      }
    };
    await Promise.all(goalIds.map(change));
    await query("delete from cos.goals where goal_id = 'goal-1'");

    const rows = await query<{ status: string; number: number }>(
      "select status, count(*)::int as number from cos.goals group by status",
    );
    const kept = await query<{ number: number }>("select count(*)::int as number from cos.tallies");

    expect(Object.fromEntries(await countGoals(world.deps.database.db))).toEqual(
      Object.fromEntries(rows.map(({ status, number }) => [status, number])),
    );
    // Added up on the way: not one row for every change.
    expect(kept[0]?.number).toBeLessThan(150);
  });

  it("is not told by what was taken back [F-602]", async () => {
    const [goalId = ""] = await addGoals(1);
    const failing = world.deps.database.transaction(async (tx) => {
      await tx.execute(`update cos.goals set status = 'complete' where goal_id = '${goalId}'`);
      throw new Error("no");
    });

    await expect(failing).rejects.toThrow("no");
    expect(Object.fromEntries(await countGoals(world.deps.database.db))).toEqual({ pending: 1 });
  });
});

describe("branches about which nothing has become final", () => {
  it("are those that are complete, until they are merged, discarded, found in git or worked again [F-602]", async () => {
    const names = ["merged", "discarded", "found", "again", "open"];
    const ids: Record<string, string> = {};
    for (const name of names) {
      const added = await world.command("goal", "add", name, "--run", `echo ${name} > ${name}.txt`);
      ids[name] = valueOf<{ goalId: string }>(added).goalId;
    }
    await world.command("autopilot", "start");
    await world.work();
    const { db } = world.deps.database;
    const [repository] = await query<{ repository_id: string }>("select repository_id from cos.repositories");
    const open = async (): Promise<string[]> => {
      const goals = await goalsWithBranch(db, repository?.repository_id ?? "");
      return names.filter((name) => goals.some((goal) => goal.goalId === ids[name]));
    };
    expect(await open()).toEqual(names);

    await world.command("goal", "merge", ids["merged"] ?? "");
    world.advance(60_000);
    await world.tick();
    await world.command("goal", "discard", ids["discarded"] ?? "");
    await query("insert into cos.timeline (goal_id, event, detail, at) values ($1, 'goal.found-in-git', '{}', $2)", [
      ids["found"],
      world.deps.now(),
    ]);
    await query("update cos.goals set status = 'pending' where goal_id = $1", [ids["again"]]);

    expect(await open()).toEqual(["open"]);
    const undecided = await undecidedBranches(db, { endedBefore: new Date(world.deps.now().getTime() + 1) });
    expect(undecided.map((each) => each.goalId)).toEqual([ids["open"]]);
    const week = { from: new Date(0), to: new Date(world.deps.now().getTime() + 1), completed: Object.values(ids) };
    expect(await branchesBetween(db, week)).toMatchObject({ merged: 1, discarded: 1, undecided: 1 });

    await query("update cos.goals set status = 'complete' where goal_id = $1", [ids["again"]]);
    expect(await open()).toEqual(["again", "open"]);
  });
});
