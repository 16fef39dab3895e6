import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { eventually } from "../fakes/bot.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";

/** A hook of the repository that takes its time: who asks is told what the goal waits for. */

let folder: string;
let path: string;
let world: TestWorld;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cos-hook-"));
  path = await makeRepository(join(folder, "shop"), { "a.txt": "a\n" });
  world = await testWorld();
});
afterEach(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

it("says of a goal whose push a hook holds up that it is pushed, and how long at most", async () => {
  const hook = join(path, ".git", "hooks", "pre-receive");
  const [began, goOn] = [join(folder, "began"), join(folder, "go-on")];
  await writeFile(hook, `#!/bin/sh\n: > '${began}'\nwhile [ ! -e '${goOn}' ]; do sleep 0.05; done\n`);
  await chmod(hook, 0o755);
  valueOf(await world.command("repo", "add", path, "--setup", ""));
  const added = await world.command("goal", "add", "Write b", "--run", "echo b > b.txt");
  const { goalId } = valueOf<{ goalId: string }>(added);
  valueOf(await world.command("autopilot", "start"));
  const why = async () => valueOf<{ state: string; waitsFor: string }>(await world.command("why", goalId));

  const worked = world.work();
  await eventually("the hook", async () => existsSync(began));
  const meanwhile = await why();
  await writeFile(goOn, "");
  await worked;

  expect(meanwhile).toMatchObject({
    state: "running",
    waitsFor:
      "is being worked now: its branch is pushed, which hooks of the repository may hold up; a push is ended after 5 min",
  });
  expect(await why()).toMatchObject({ state: "ended" });
});
