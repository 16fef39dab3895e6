import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { type Bot, cos, eventually, type Place, startBot } from "../fakes/bot.ts";
import { type FreshDatabase, freshDatabase } from "../fakes/database.ts";
import { makeRepository } from "../fakes/repository.ts";

describe("losing everything that the queue holds", () => {
  let database: FreshDatabase;
  let place: Place;
  let client: pg.Client;
  let bot: Bot | null = null;

  afterEach(async () => {
    bot?.kill("SIGKILL");
    await client.end();
    await database.drop();
    await rm(place.dataDir, { recursive: true, force: true });
  });

  async function emptyQueue(): Promise<void> {
    const { rows } = await client.query<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'bullmq'",
    );
    const truncate = `truncate ${rows.map((row) => row.name).join(", ")} cascade`;
    // The queue is in use: of two that wait for each other, PostgreSQL may choose us to give way.
    await eventually("an empty queue", async () => {
      return await client.query(truncate).then(
        () => true,
        (error: unknown) => {
          if (error instanceof pg.DatabaseError && error.code === "40P01") return false;
          throw error;
        },
      );
    });
  }

  async function count(sql: string): Promise<number> {
    return (await client.query(sql)).rowCount ?? 0;
  }

  it("three times in a session changes nothing: goals end, reminders come, and a new start works", async () => {
    database = await freshDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), "cos-queue-"));
    place = { databaseUrl: database.url, dataDir };
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await cos(place, "repo", "add", await makeRepository(join(dataDir, "person"), { "a.txt": "a\n" }), "--setup", "");
    const goals = [1, 2, 3, 4].map((number) => ({
      text: `Goal ${number}`,
      run: `sleep 1; echo ${number} > ${number}.txt`,
      tags: number === 4 ? ["ui"] : [],
    }));
    await writeFile(join(dataDir, "goals.json"), JSON.stringify(goals));
    await cos(place, "goal", "add", "--from", join(dataDir, "goals.json"));
    bot = await startBot(place);
    await cos(place, "autopilot", "start");

    for (const number of [1, 2, 3]) {
      await bot.event((event) => event.msg === "agent.started", 0);
      await emptyQueue();
      if (number === 1) await client.query("update cos.checkpoints set asked_at = asked_at - interval '31 minutes'");
      await eventually(
        `goal ${number}`,
        async () => (await count("select 1 from cos.goals where status = 'complete'")) >= number,
      );
    }
    await eventually(
      "the reminder",
      async () =>
        (await count(
          "select 1 from cos.messages where subject like 'cp-%.reminder.1' and posted_version is not null",
        )) === 1,
    );
    await emptyQueue();
    bot.kill("SIGTERM");
    const { code } = await bot.exited;
    const [question] = (await cos(place, "checkpoints")).json<{ checkpointId: string }[]>();
    const approved = await cos(place, "approve", question?.checkpointId ?? "");
    bot = await startBot(place);
    await eventually(
      "the last goal",
      async () => (await count("select 1 from cos.goals where status = 'complete'")) === 4,
    );

    expect(code).toBe(0);
    expect(approved.code).toBe(0);
    expect(await count("select 1 from cos.sessions where status = 'ended'")).toBe(1);
  });
});
