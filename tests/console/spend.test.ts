import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ConsoleWorld, consoleWorld } from "../fakes/console.ts";
import { valueOf } from "../fakes/deps.ts";

let world: ConsoleWorld;
beforeEach(async () => {
  world = await consoleWorld();
});
afterEach(() => world.close());

const textOf = async (path: string): Promise<string> => await (await world.get(path)).text();

/** What a call of a goal's agent came to on a day. */
async function spend(goalId: string, day: string, microUsd: number): Promise<void> {
  await world.deps.database.pool.query(
    `insert into cos.spend (call_id, kind, amount_micro_usd, is_estimated, day, goal_id, run_id, at)
     select $1 || run_id, 'settled', $2, false, $3, goal_id, run_id, now() from cos.goals where goal_id = $4`,
    [day, microUsd, day, goalId],
  );
}

describe("the page of what was spent", () => {
  it("has thirty days with their ceiling, and the goals that cost most", async () => {
    await world.repository();
    const ids: string[] = [];
    for (const content of ["Cheap", "Dear <b>"])
      ids.push(valueOf<{ goalId: string }>(await world.command("goal", "add", content, "--run", "true")).goalId);
    await world.command("autopilot", "start");
    await world.work();
    const today = world.deps.now().toISOString().slice(0, 10);
    const before = new Date(world.deps.now().getTime() - 29 * 86_400_000).toISOString().slice(0, 10);
    const tooOld = new Date(world.deps.now().getTime() - 30 * 86_400_000).toISOString().slice(0, 10);
    await spend(ids[0] ?? "", today, 250_000);
    await spend(ids[1] ?? "", before, 31_000_000);
    await spend(ids[1] ?? "", tooOld, 900_000_000);

    const text = await textOf("/spend");

    expect(text).toContain("$31.25 in 30 days, $0.25 of $30.00 today; 1 day above the ceiling");
    expect(text.match(/<g>/g)).toHaveLength(30);
    expect(text).toContain(`<title>${before}: $31.00</title><rect class="spend"`);
    expect(text.match(/<g><title>[^<]*<\/title><rect class="spend"[^>]*><rect class="over"/g)).toHaveLength(1);
    expect([...text.matchAll(/href="\/goals\/(goal-\w+)"/g)].map((each) => each[1])).toEqual([ids[1], ids[0]]);
    expect(text).toContain("Dear &lt;b&gt;");
  });

  it("says that nothing was spent", async () => {
    expect(await textOf("/spend")).toContain("Nothing was spent in these days.");
  });
});

describe("pages that are what one command says", () => {
  it("show what answers have taught, and what the doctor finds", async () => {
    expect(await textOf("/preferences")).toContain("No answer has said anything about preferences yet");
    const health = await textOf("/health");
    expect(health).toContain("database");
    expect(health).toContain('aria-current="page">Health');
  });
});
