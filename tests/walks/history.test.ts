import { describe, expect, it } from "vitest";
import { consoleOf } from "../fakes/console.ts";
import { testWorld, valueOf } from "../fakes/deps.ts";
import { compareDays, fill } from "../fakes/history-days.ts";
import { explainedUrl, hearPlans } from "../fakes/plans.ts";

/** What a bot asks that has worked for long; after longer times in `long-history.test.ts`. */

describe("the same days", () => {
  compareDays([2_000, 20_000]);
});

/** What each command and page asks of the database, in a world with so many goals in waiting. */
async function asked(waiting: number): Promise<Record<string, number>> {
  const world = await testWorld({
    environment: { PORT: "0" },
    through: async (databaseUrl) => explainedUrl(databaseUrl),
  });
  const heard = hearPlans(world.deps.database.pool);
  const browser = await consoleOf(world);
  const counts: Record<string, number> = {};
  const count = async (name: string, ask: () => Promise<unknown>): Promise<void> => {
    const from = heard.length;
    await ask();
    counts[name] = heard.length - from;
  };
  try {
    await world.repository();
    await fill(world, 20, waiting);
    for (const name of ["plan", "standup", "status", "goals", "weekly", "checkpoints"])
      await count(name, async () => valueOf(await world.command(name)));
    for (const path of ["/", "/goals", "/weekly", "/spend", "/preferences", "/metrics"])
      await count(path, () => browser.get(path));
    return counts;
  } finally {
    await browser.stop();
    await world.close();
  }
}

describe("with many goals in waiting", () => {
  it("commands and pages ask as many statements as with few [F-603]", async () => {
    const few = await asked(20);

    expect(Object.values(few).every((count) => count > 0)).toBe(true);
    expect(await asked(400)).toEqual(few);
  });

  it("the newest thousand goals are listed, and all are counted [F-602, F-603]", async () => {
    const world = await testWorld();
    try {
      await world.repository();
      await fill(world, 1_300, 5);
      const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "The newest", "--run", "true"));

      const listed = valueOf<{ goalId: string }[]>(await world.command("goals"));
      const { goals } = valueOf<{ goals: Record<string, number> }>(await world.command("status"));
      const { rows } = await world.deps.database.pool.query<{ status: string; number: number }>(
        "select status, count(*)::int as number from cos.goals group by status",
      );

      expect(listed.length).toBe(1_000);
      expect(listed.at(-1)?.goalId).toBe(goalId);
      expect(goals).toMatchObject(Object.fromEntries(rows.map(({ status, number }) => [status, number])));
      expect(Object.values(goals).reduce((sum, number) => sum + number, 0)).toBe(1_300 + 5 + 10 + 1);
    } finally {
      await world.close();
    }
  });
});
