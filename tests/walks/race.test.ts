import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { projectDir, runNode } from "../fakes/bot.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

interface Told {
  checkpointId: string;
  choice: string;
  actor: string;
  told: { type: string; by?: string; choice?: string };
}

describe("twenty questions, fifty answers each, from five processes, in the second in which they expire", () => {
  let world: TestWorld;
  afterEach(() => world.close());

  it("has one settling answer or one expiry each, and everybody else learns who won [S4-CK-21, R8]", async () => {
    world = await testWorld();
    await world.repository();
    for (let number = 0; number < 20; number += 1) {
      await world.command("goal", "add", `Goal ${number}`, "--run", "true", "--tag", "ui");
    }
    await world.command("autopilot", "start");
    const ids = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints")).map(
      (each) => each.checkpointId,
    );
    const { pool } = world.deps.database;
    // Half of them expire while the answers come, a second or so after the processes have begun.
    await pool.query("update cos.checkpoints set expires_at = now() + (random() * 3 + 1) * interval '1 second'");

    const processes = ["p1", "p2", "p3", "p4", "p5"].map((name) =>
      runNode({ databaseUrl: world.databaseUrl, dataDir: world.dataDir }, [
        "--import",
        "tsx",
        join(projectDir, "tests/fakes/answerer.ts"),
        world.databaseUrl,
        world.dataDir,
        name,
        ...ids,
      ]),
    );
    const ran = await Promise.all(processes);
    const told = ran.flatMap(({ stdout }) =>
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Told),
    );
    const { rows } = await pool.query<{
      checkpoint_id: string;
      status: string;
      chosen_option: string | null;
      resolved_by: string | null;
      goal_status: string;
      settles: string;
    }>(`select c.checkpoint_id, c.status, c.chosen_option, c.resolved_by, g.status as goal_status,
          (select count(*) from cos.decisions d where d.checkpoint_id = c.checkpoint_id and d.settles) as settles
        from cos.checkpoints c join cos.goals g using (goal_id)`);

    expect(ran.map(({ code, stderr }) => (code === 0 ? 0 : stderr))).toEqual([0, 0, 0, 0, 0]);
    expect(told.length).toBe(1000);
    for (const row of rows) {
      const mine = told.filter((each) => each.checkpointId === row.checkpoint_id);
      const winners = mine.filter((each) => each.told.type === "recorded");
      expect(winners.length).toBe(row.status === "expired" ? 0 : 1);
      expect(Number(row.settles)).toBe(winners.length);
      for (const { told: learnt } of mine.filter((each) => each.told.type === "already-answered")) {
        expect([learnt.by, learnt.choice]).toEqual([row.resolved_by, row.chosen_option]);
      }
      const known = ["recorded", "already-answered", "expired", "paused"];
      expect(mine.filter((each) => !known.includes(each.told.type))).toEqual([]);
      const [winner] = winners;
      if (winner === undefined) expect(row.goal_status).toBe("blocked");
      else expect([winner.actor, winner.choice]).toEqual([row.resolved_by, row.chosen_option]);
      if (winner !== undefined) expect(row.goal_status).toBe(winner.choice === "Skip" ? "deferred" : "pending");
    }
  });
});
