import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { eventually } from "../fakes/bot.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

/** What becomes of a goal, and of work in progress, when it is changed. */

let world: TestWorld;
afterEach(() => world.close());

it.each([
  ["goes on where nobody was told or approved what changed", ["--priority", "high", "--minutes", "20"], "complete"],
  ["is cut and begins again where its agent was told something else", ["--text", "Wait longer"], "blocked"],
])("work %s", async (_, change, becomes) => {
  world = await testWorld({ environment: { COS_ISOLATION: "off" } });
  await world.repository();
  const [began, gate] = [join(world.dataDir, "began"), join(world.dataDir, "gate")];
  const run = `echo >> ${began}; while ! test -f ${gate}; do sleep 0.05; done; echo done > done.txt`;
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Wait", "--run", run));
  await world.command("autopilot", "start");
  const working = world.work();
  await eventually("it runs", async () => existsSync(began));

  const edited = valueOf<{ changed: string[] }>(await world.command("goal", "edit", goalId, ...change));
  expect(edited.changed.length).toBeGreaterThan(0);
  await writeFile(gate, "");
  await working;
  world.advance(60_000);
  await world.tick();
  await world.work();
  // What was not planned so is asked about.
  expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ status: becomes });
});

it("what is set to what it is already changes nothing: no new question, no cut, no other plan", async () => {
  world = await testWorld();
  await world.repository();
  const given = ["--tag", "ui", "--cost", "2", "--minutes", "20", "--allow", "src/**", "--no-worklog"];
  const { goalId } = valueOf<{ goalId: string }>(
    await world.command("goal", "add", "Make it blue", "--run", "true", ...given),
  );
  await world.command("autopilot", "start");
  await world.work();
  const edit = (...words: string[]) => world.command("goal", "edit", goalId, ...words);

  expect(await edit("--text", " Make it blue ", ...given)).toMatchObject({
    type: "refused",
    reason: `nothing would change of ${goalId}: text, cost, minutes, flags, tags, allowed files`,
    next: `cos goal show ${goalId}`,
  });
  const { rows } = await world.deps.database.pool.query("select version, status from cos.checkpoints");
  expect(rows).toEqual([{ version: 1, status: "pending" }]);
  expect(valueOf(await edit("--text", "Make it blue", "--minutes", "30"))).toMatchObject({
    changed: ["estimatedMinutes"],
  });
});

it("tags and allowed files can be taken away again", async () => {
  world = await testWorld();
  await world.repository();
  const more = ["--tag", "ui", "--allow", "src/**", "--allow-proof", "tests/**"];
  const { goalId } = valueOf<{ goalId: string }>(
    await world.command("goal", "add", "Say it", "--run", "true", ...more),
  );
  const bare = ["--tag", "", "--allow", "", "--allow-proof", ""];
  expect(valueOf(await world.command("goal", "edit", goalId, ...bare))).toMatchObject({
    changed: ["tags", "filesAllowed", "proofAllowed"],
  });
  const { rows } = await world.deps.database.pool.query("select tags, files_allowed, proof_allowed from cos.goals");
  expect(rows).toEqual([{ tags: [], files_allowed: [], proof_allowed: [] }]);
});
