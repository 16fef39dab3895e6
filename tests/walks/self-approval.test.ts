import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { getCheckpoint } from "../../src/db/checkpoints.ts";
import { findMessage } from "../../src/db/messages.ts";
import { goalEvents } from "../../src/db/timeline.ts";
import { projectDir } from "../fakes/bot.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";

describe("a goal whose own process answers for the person", () => {
  let world: TestWorld;
  afterEach(() => world.close());

  it.each(["COS", "sh -c 'COS'", "setsid -w COS"])("changes nothing by %s, and its card says so", async (way) => {
    world = await testWorld();
    await world.repository();
    await world.command("goal", "add", "Ask me", "--run", "true", "--tag", "ui");
    await world.command("autopilot", "start");
    const [question] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    const checkpointId = question?.checkpointId ?? "";
    const where = `DATABASE_URL=${world.databaseUrl} COS_DATA_DIR=${world.dataDir} COS_TIMEZONE=UTC`;
    const cos = `env ${where} ${process.execPath} ${join(projectDir, "bin/cos.mjs")} approve ${checkpointId}`;
    const second = await makeRepository(join(world.dataDir, "second"), { "a.txt": "a" });
    await world.command("repo", "add", second, "--name", "second", "--setup", "");
    const { goalId } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Approve it", "--repo", "second", "--run", way.replace("COS", cos)),
    );

    await world.command("autopilot", "start", "--repo", "second");
    await world.work();

    const { db } = world.deps.database;
    expect((await getCheckpoint(db, checkpointId))?.status).toBe("pending");
    expect(await goalEvents(db, goalId, "agent.refused")).toMatchObject([{ detail: { what: "cos approve" } }]);
    expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({
      status: "failed",
      evidence: [{ exitCode: 1 }],
    });
    const card = await findMessage(db, "console", "main", goalId);
    expect(JSON.stringify(card?.card)).toContain("the goal's own process called ");
  });
});
