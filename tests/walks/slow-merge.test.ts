import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { startTicking } from "../../src/ticking.ts";
import { eventually } from "../fakes/bot.ts";
import { testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";

/** A merge into a checkout whose filters take their time: everything else goes on meanwhile. */

afterEach(() => {
  vi.useRealTimers();
});

it("while a merge waits for filters in one repository, the next look goes on with the others", async () => {
  const world = await testWorld();
  const { pool } = world.deps.database;
  const slow = await makeRepository(join(world.dataDir, "slow"), { ".gitattributes": "*.txt filter=slow\n" });
  const other = await makeRepository(join(world.dataDir, "other"), { "a.txt": "a\n" });
  const [began, goOn] = [join(world.dataDir, "began"), join(world.dataDir, "go-on")];
  const finished = async (path: string): Promise<string> => {
    await world.command("repo", "add", path, "--setup", "", "--check", "");
    const added = await world.command("goal", "add", "Write b", "--repo", path, "--run", "echo b > b.txt");
    await world.command("autopilot", "start", "--repo", path);
    await world.work();
    return valueOf<{ goalId: string }>(added).goalId;
  };
  const goals = [await finished(slow), await finished(other)];
  await gitIn(
    slow,
    "config",
    "filter.slow.smudge",
    `: > '${began}'; for at in $(seq 600); do [ -e '${goOn}' ] && break; sleep 0.1; done; cat`,
  );
  const merges = async (): Promise<unknown[]> => {
    const { rows } = await pool.query("select goal_id, status from cos.merges order by merge_id");
    return rows.map(({ goal_id, status }) => [goal_id, status]);
  };
  const [first = "", second = ""] = goals;
  valueOf(await world.command("goal", "merge", first));
  world.advance(31_000);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const stop = startTicking({ ...world, setClock: async () => undefined }, () => undefined);
  await eventually("the filter", async () => existsSync(began));

  valueOf(await world.command("goal", "merge", second));
  world.advance(31_000);
  vi.advanceTimersByTime(10_000);
  await eventually("the other merge", async () => (await merges()).some((each) => String(each) === `${second},merged`));
  expect(await merges()).toContainEqual([first, "merging"]);

  await writeFile(goOn, "");
  await eventually("the slow merge", async () => String(await merges()) === `${first},merged,${second},merged`);
  await stop();
  await world.close();
});
