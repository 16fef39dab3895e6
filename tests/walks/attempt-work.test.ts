import { afterEach, beforeEach, expect, it } from "vitest";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn } from "../fakes/repository.ts";
import { agentRepository, fails, type Script } from "../fakes/scripted.ts";
import { mirrorDirOf } from "../../src/paths.ts";

/** What is known of the work of an attempt that failed before it was done. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld();
});
afterEach(() => world.close());

const half = { write: { path: "half.txt", content: "half\n" } };
const dies = { run: "kill -9 $PPID" };

interface Row {
  readonly end: string;
  readonly files: readonly string[];
  readonly commit: string | null;
  readonly fingerprint: string;
}

async function attemptsOf(...scripts: readonly Script[]): Promise<{ readonly goalId: string; readonly rows: Row[] }> {
  await agentRepository(world, scripts);
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Write the note"));
  await world.command("autopilot", "start");
  await world.work();
  const { attempts: rows } = valueOf<{ attempts: Row[] }>(await world.command("goal", "show", goalId));
  return { goalId, rows };
}

it("the work of an agent that died is named, and lies in the commit that is named", async () => {
  const { rows } = await attemptsOf({ steps: [half, dies] });

  expect(rows).toMatchObject([{ end: "crash", files: ["half.txt"] }]);
  const { repository_id: id } = (await world.deps.database.pool.query("select repository_id from cos.repositories"))
    .rows[0];
  const mirror = mirrorDirOf(world.dataDir, id);
  expect(await gitIn(mirror, "show", `${rows[0]?.commit}:half.txt`)).toBe("half");
  // The next attempt finds it kept.
  world.advance(20_000);
  await world.work();
  const refs = await gitIn(mirror, "for-each-ref", "--format=%(refname)", "refs/cos");
  expect(refs.split("\n")).toHaveLength(1);
});

it("an agent that fails before it wrote anything has changed nothing, and that is known", async () => {
  const { rows } = await attemptsOf(fails("boom"));

  expect(rows).toMatchObject([{ end: "work", files: [], commit: expect.any(String) }]);
});
