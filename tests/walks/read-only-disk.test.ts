import { execFileSync } from "node:child_process";
import { closeSync, existsSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Card } from "../../src/core/cards/card.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { worktreeDirOf } from "../../src/paths.ts";
import { eventually } from "../fakes/bot.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { mayMount } from "../fakes/mount.ts";
import { makeRepository } from "../fakes/repository.ts";

/** Systems mount a disk so that it can only be read after errors: what is written then fails, however much is free. */

let world: TestWorld;
let isMounted = false;
beforeEach(async () => {
  world = await testWorld({});
  const path = await makeRepository(join(world.dataDir, "person"), { "README.md": "one\n" });
  await world.command("repo", "add", path, "--setup", "", "--check", "");
});
afterEach(async () => {
  letWrite();
  await world.close();
});

/** The data directory as it is, on a mount of its own that takes no writing. */
function keepFromWriting(): void {
  execFileSync("mount", ["--bind", world.dataDir, world.dataDir]);
  isMounted = true;
  execFileSync("mount", ["-o", "remount,ro,bind", world.dataDir]);
}

function letWrite(): void {
  if (isMounted) execFileSync("umount", [world.dataDir]);
  isMounted = false;
}

async function add(command: string): Promise<string> {
  return valueOf<{ goalId: string }>(await world.command("goal", "add", "Do it", "--run", command)).goalId;
}

async function statusOf(goalId: string): Promise<string> {
  return valueOf<{ status: string }>(await world.command("goal", "show", goalId)).status;
}

async function said(): Promise<string[]> {
  const { rows } = await world.deps.database.pool.query<{ card: Card }>(
    "select card from cos.messages where subject like 'space.%' and platform = 'console' order by message_id",
  );
  return rows.map(({ card }) => terminalLines(card, "UTC").join("\n"));
}

async function pass(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await world.work();
    await world.tick();
    world.advance(60_000);
  }
}

describe.skipIf(!mayMount())("a data directory that can only be read (where this process may mount)", () => {
  it("lets no goal begin, is said once, and goals begin when it can be written again", async () => {
    const goalId = await add("echo two > two.txt");
    await world.command("autopilot", "start");
    keepFromWriting();
    await pass();

    const { rows } = await world.deps.database.pool.query("select turn, interruptions, status from cos.goals");
    expect(rows).toEqual([{ turn: 0, interruptions: 0, status: "pending" }]);
    const unwritable = "the data directory cannot be written: the file system is read-only";
    expect(await said()).toEqual([expect.stringContaining(unwritable)]);
    expect((await said())[0]).toContain("No goal starts: a disk cannot be written");
    expect(valueOf<{ lackingSpace: string }>(await world.command("status")).lackingSpace).toContain(unwritable);
    expect(valueOf<{ waitsFor: string }>(await world.command("why", goalId)).waitsFor).toContain(unwritable);
    const found = valueOf<{ name: string; ok: boolean; says: string }[]>(await world.command("doctor"));
    expect(found.find(({ name }) => name === "free space, data directory")).toEqual({
      name: "free space, data directory",
      ok: false,
      says: `${world.dataDir} cannot be written, the file system is read-only: no goal starts. Make it writable`,
    });

    letWrite();
    await pass();

    expect(await statusOf(goalId)).toBe("complete");
    expect((await said())[0]).toContain("It can be written again");
  });

  it("interrupts a goal at work and asks nobody, and the goal goes on when it can be written again", async () => {
    const goalId = await add("touch begun; until test -s go; do sleep 0.05; done; rm begun go; echo two > two.txt");
    await world.command("autopilot", "start");
    const working = world.work();
    const worktree = worktreeDirOf(world.dataDir, goalId);
    await eventually("the goal is at work", () => Promise.resolve(existsSync(join(worktree, "begun"))));
    const go = openSync(join(worktree, "go"), "w");
    keepFromWriting();
    writeSync(go, "on");
    closeSync(go);
    await working;
    await pass();

    expect(valueOf<unknown[]>(await world.command("checkpoints"))).toEqual([]);
    const shown = valueOf<{ outcome: string; errorCount: number }>(await world.command("goal", "show", goalId));
    expect(shown).toMatchObject({ outcome: expect.stringContaining("the file system is read-only"), errorCount: 0 });

    letWrite();
    const again = pass();
    await eventually("it is worked again", () => Promise.resolve(existsSync(join(worktree, "begun"))));
    writeFileSync(join(worktree, "go"), "on");
    await again;

    expect(await statusOf(goalId)).toBe("complete");
  });
});
