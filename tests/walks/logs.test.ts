import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Bot, cos, eventually, type Place, startBot, startWorker, type WorkerProcess } from "../fakes/bot.ts";
import { pressProceed } from "../fakes/console.ts";
import { freshDatabase, type FreshDatabase } from "../fakes/database.ts";
import { makeRepository } from "../fakes/repository.ts";
import { type Sink, startSink } from "../fakes/sink.ts";

/** What a bot and a worker write of one piece of work, each in its own process. */

let folder: string;
let database: FreshDatabase;
let sink: Sink;
let place: Place;
let bot: Bot;
let worker: WorkerProcess;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cos-logs-"));
  database = await freshDatabase();
  sink = await startSink();
  const environment = { COS_WEBHOOK_URL: sink.url, COS_ROLES: "bot" };
  place = { databaseUrl: database.url, dataDir: join(folder, "bot"), environment };
  bot = await startBot(place);
  worker = await startWorker({ databaseUrl: database.url, dataDir: join(folder, "worker") });
});
afterEach(async () => {
  bot.kill("SIGTERM");
  await Promise.all([worker.stop(), bot.exited]);
  await sink.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

it("[F-606] every line about a goal carries its id, in the bot and in the worker: press, turns, deliveries", async () => {
  const repository = await makeRepository(join(folder, "person"), { "README.md": "x\n" });
  expect((await cos(place, "repo", "add", repository, "--setup", "")).code).toBe(0);
  const added = await cos(place, "goal", "add", "Write a", "--run", "echo a > a.txt", "--tag", "ui");
  const { goalId } = added.json<{ goalId: string }>();
  const { sessionId } = (await cos(place, "autopilot", "start")).json<{ sessionId: string }>();
  const [asked] = await eventually("the question", async () => {
    const open = (await cos(place, "checkpoints")).json<{ checkpointId: string }[]>();
    return open.length > 0 ? open : null;
  });
  const checkpointId = asked?.checkpointId ?? "";
  await bot.event(({ msg, subject }) => msg === "post.answered" && subject === checkpointId);
  await pressProceed(bot, place.dataDir, checkpointId);
  const turn = await eventually("the turn's end", async () => worker.lines().find(({ msg }) => msg === "turn.over"));

  expect(turn).toMatchObject({ goalId, sessionId, turn: 1 });
  // Everything that the worker wrote while it worked is about it: nothing else was there to do.
  const first = worker.lines().findIndex(({ msg }) => msg === "goal.claimed");
  const last = worker.lines().findLastIndex(({ msg }) => msg === "turn.over");
  const between = worker.lines().slice(first, last + 1);
  expect(between.filter((line) => line.goalId !== goalId)).toEqual([]);
  const ofBot = bot.events.filter((line) => line.goalId === goalId);
  expect(ofBot).toContainEqual(
    expect.objectContaining({ msg: "command.over", command: "answer", via: "console", checkpointId }),
  );
  expect(ofBot).toContainEqual(expect.objectContaining({ msg: "post.answered", subject: checkpointId }));
  expect(ofBot).toContainEqual(expect.objectContaining({ msg: "post.answered", subject: goalId }));
  // Nothing is written while nothing happens, and no words of a person ever.
  expect(`${bot.output()}${JSON.stringify(worker.lines())}`).not.toContain("Write a");
});

it("[F-606] an error that nobody expected in a turn is told once, with its goal", async () => {
  const repository = await makeRepository(join(folder, "person"), { "README.md": "x\n" });
  await cos(place, "repo", "add", repository, "--setup", "");
  // No folder can be made there.
  await writeFile(join(folder, "worker", "output"), "");
  const added = await cos(place, "goal", "add", "Write a", "--run", "echo a > a.txt");
  const { goalId } = added.json<{ goalId: string }>();
  await cos(place, "autopilot", "start");
  const told = () => worker.lines().filter((line) => line.level >= 40);
  await eventually("the error", async () => told().length > 0);
  expect(await worker.stop()).toBe(0);

  expect(told()).toEqual([
    expect.objectContaining({
      msg: "worker.failed",
      level: 50,
      goalId,
      turn: 1,
      error: expect.stringMatching(/ENOTDIR|EEXIST/),
    }),
  ]);
});
