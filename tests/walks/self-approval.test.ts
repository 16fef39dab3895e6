import { existsSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { getCheckpoint } from "../../src/db/checkpoints.ts";
import { embeddedPlaces } from "../../src/db/embedded/places.ts";
import { findMessage } from "../../src/db/messages.ts";
import { readGoalEvents } from "../../src/db/timeline.ts";
import { projectDir } from "../fakes/bot.ts";
import { oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";

describe("a goal whose own process answers for the person", () => {
  let world: TestWorld;
  afterEach(() => world.close());

  it.each([
    ["its command", "COS"],
    ["its command", "sh -c 'COS'"],
    ["its command", "setsid -w COS"],
    ["an agent", "COS"],
    ["an agent", "setsid -w sh -c 'COS'"],
    ["its command", "env -i COS"],
    [
      "its command",
      "sh -c '(env -i setsid COS; touch FOLDER/over) &' & while [ ! -e FOLDER/over ]; do sleep 0.1; done; exit 1",
    ],
  ])("[F-104] [F-106] changes nothing by %s with %s, opens nothing, and its card says so", async (by, way) => {
    const opened = supervisorStarted();
    world = await testWorld({ policy: oneAttempt });
    await world.repository();
    await world.command("goal", "add", "Ask me", "--run", "true", "--tag", "ui");
    await world.command("autopilot", "start");
    const [question] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    const checkpointId = question?.checkpointId ?? "";
    // With the environment that a goal's process has, which names neither our database nor our data directory.
    const cos = `${process.execPath} ${join(projectDir, "bin/cos.mjs")} approve ${checkpointId}`;
    const second = await makeRepository(join(world.dataDir, "second"), { "a.txt": "a" });
    const called = way.replaceAll("COS", cos).replaceAll("FOLDER", world.dataDir);
    const script = join(world.dataDir, "script.json");
    await writeFile(script, JSON.stringify([{ run: called, mustPass: true }]));
    const agent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${script}"`;
    await world.command("repo", "add", second, "--name", "second", "--setup", "", "--agent", agent);
    const executor = by === "an agent" ? [] : ["--run", called];
    const { goalId } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Approve it", "--repo", "second", ...executor),
    );

    await world.command("autopilot", "start", "--repo", "second");
    await world.work();

    const { db } = world.deps.database;
    expect((await getCheckpoint(db, checkpointId))?.status).toBe("pending");
    expect(await readGoalEvents(db, goalId, "agent.refused")).toMatchObject([{ detail: { what: "cos approve" } }]);
    expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({
      status: "blocked",
      evidence: [{ tag: "not checked" }],
    });
    const card = await findMessage(db, "console", "main", goalId);
    expect(JSON.stringify(card?.card)).toContain("the goal's own process called ");
    expect(supervisorStarted()).toBe(opened);
  });
});

/** When the embedded database of this project's own data directory was started last; null: never. */
function supervisorStarted(): number | null {
  const dataDir = join(projectDir, ".data");
  if (!existsSync(dataDir)) return null;
  return statSync(embeddedPlaces(dataDir).supervisorLog, { throwIfNoEntry: false })?.mtimeMs ?? null;
}
