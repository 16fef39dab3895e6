import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import type { CommandResult } from "../../src/commands/command.ts";
import { changedLately } from "../../src/facts/kept-output.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";

/** Kept output that somebody has written to since (F-214), wherever what was done is told or taken. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld();
});
afterEach(() => world.close());

async function worked(content: string): Promise<string> {
  const added = await world.command(
    "goal",
    "add",
    content,
    "--run",
    "echo x > note.txt",
    "--done-when",
    "cat note.txt",
  );
  await world.command("autopilot", "start");
  await world.work();
  return valueOf<{ goalId: string }>(added).goalId;
}

/** Everything that was kept of a goal is another text now. */
async function forge(goalId: string): Promise<void> {
  const { evidence } = valueOf<{ evidence: { outputFile: string | null }[] }>(
    await world.command("goal", "show", goalId),
  );
  const files = evidence.flatMap(({ outputFile }) => outputFile ?? []);
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) await writeFile(join(world.dataDir, file), "forged: 500 tests passed\n");
}

function drawn(result: CommandResult): string {
  return result.type === "done" ? terminalLines(result.card, "UTC").join("\n") : "";
}

it("is told where a goal is reported, looked at and merged, and nowhere before it happened", async () => {
  const path = await makeRepository(join(world.dataDir, "person"), { "a.txt": "a\n" });
  await world.command("repo", "add", path, "--setup", "", "--check", "");
  const goalId = await worked("Write a note");
  const said = `Changed: kept output of ${goalId} was written to since it was kept`;
  const telling = [["standup"], ["weekly"], ["doctor"]];
  for (const words of telling) expect(drawn(await world.command(...words))).not.toContain("was written to since");

  await forge(goalId);
  for (const words of [...telling, ["goal", "merge", goalId]]) {
    const told = drawn(await world.command(...words));
    expect(told).toContain(said);
    expect(told).toContain(`cos goal show ${goalId}`);
  }
  await world.command("goal", "undo", goalId);
  const { db } = world.deps.database;
  // What `cos backup` and the doctor ask.
  expect(await changedLately({ db, dataDir: world.dataDir })).toEqual([goalId]);
});
