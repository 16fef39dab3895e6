import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findTracing } from "../../src/commands/find-tracing.ts";
import { type Bot, cos, eventually, type Place, startBot, startWorker, type WorkerProcess } from "../fakes/bot.ts";
import { configFor } from "../fakes/config.ts";
import { pressProceed } from "../fakes/console.ts";
import { freshDatabase, type FreshDatabase } from "../fakes/database.ts";
import { type Receiver, startReceiver } from "../fakes/otlp.ts";
import { makeRepository } from "../fakes/repository.ts";
import { type Sink, startSink } from "../fakes/sink.ts";

/** Spans of a bot and a worker, each in its own process, at a receiver of OpenTelemetry's (docs/operating.md). */

let folder: string;
let database: FreshDatabase;
let receiver: Receiver;
let sink: Sink;
let bot: Bot | null = null;
let worker: WorkerProcess | null = null;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cos-traces-"));
  database = await freshDatabase();
  receiver = await startReceiver();
  sink = await startSink();
});
afterEach(async () => {
  await stopAll();
  await receiver.close();
  await sink.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const secret = "Bearer 0123456789abcdef";

function placeOf(name: string, environment: Readonly<Record<string, string>> = {}): Place {
  const dataDir = join(folder, name);
  const shared = { COS_ROLES: name, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, ...environment };
  return { databaseUrl: database.url, dataDir, environment: shared };
}

async function stopAll(): Promise<void> {
  bot?.kill("SIGTERM");
  await Promise.all([worker?.stop(), bot?.exited]);
  bot = null;
  worker = null;
}

/** A goal with a criterion, added and begun at the bot; its id. */
async function begin(place: Place, ...more: readonly string[]): Promise<string> {
  const repository = await makeRepository(join(folder, "person"), { "README.md": "x\n" });
  expect((await cos(place, "repo", "add", repository, "--name", "shop", "--setup", "")).code).toBe(0);
  const words = [
    "Write what nobody reads",
    "--run",
    "echo unsaid > a.txt; echo unheard",
    "--done-when",
    "grep unsaid a.txt",
  ];
  const added = await cos(place, "goal", "add", ...words, ...more);
  expect(added.code).toBe(0);
  expect((await cos(place, "autopilot", "start")).code).toBe(0);
  return added.json<{ goalId: string }>().goalId;
}

async function ended(place: Place, goalId: string): Promise<void> {
  await eventually("the goal's end", async () => {
    const { status } = (await cos(place, "goal", "show", goalId)).json<{ status: string }>();
    return status === "complete";
  });
}

it("[F-606] all that happened to a goal is one trace, whichever process did it, and holds no words of anybody", async () => {
  const named = {
    OTEL_SERVICE_NAME: "cos-here",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%200123456789abcdef",
  };
  const place = placeOf("bot", { ...named, COS_WEBHOOK_URL: sink.url });
  bot = await startBot(place);
  worker = await startWorker(placeOf("worker", named));
  const goalId = await begin(place, "--tag", "ui");
  const checkpointId = await eventually("the question", async () => {
    const open = (await cos(place, "checkpoints")).json<{ checkpointId: string }[]>();
    return open[0]?.checkpointId;
  });
  await bot.event(({ msg, subject }) => msg === "post.answered" && subject === checkpointId);
  await pressProceed(bot, place.dataDir, checkpointId);
  await ended(place, goalId);
  // What is left is sent as they end.
  await stopAll();

  const traceId = execFileSync("sh", ["-c", `printf ${goalId} | sha256sum | cut -c1-32`])
    .toString()
    .trim();
  const ofGoal = receiver.spans.filter((span) => span.traceId === traceId);
  expect(receiver.spans.filter(({ attributes }) => attributes["cos.goal"] === goalId)).toEqual(ofGoal);
  const one = (name: string) => ofGoal.filter((span) => span.name === name);
  const [turn] = one("turn");
  expect(turn?.attributes).toMatchObject({
    "service.name": "cos-here",
    "cos.outcome": "complete",
    "cos.phase": "start",
    "cos.repository": "shop",
    "cos.turn": 1,
    "cos.interrupted": false,
  });
  for (const phase of ["start", "implement", "verify", "finish"])
    expect(one(`phase ${phase}`).map(({ parentSpanId }) => parentSpanId)).toEqual([turn?.spanId]);
  expect(one("command")[0]?.attributes).toMatchObject({ "cos.outcome": "finished" });
  expect(one("command")[0]?.parentSpanId).toBe(one("phase implement")[0]?.spanId);
  expect(one("criterion")[0]?.attributes).toMatchObject({ "cos.outcome": "pass", "cos.exit_code": 0 });
  expect(one("deliver webhook").map(({ attributes }) => attributes["cos.subject"])).toContain(checkpointId);
  expect(one("command answer").map(({ attributes }) => attributes["cos.checkpoint"])).toEqual([checkpointId]);
  const processes = new Set(ofGoal.map(({ attributes }) => attributes["process.pid"]));
  expect(processes.size).toBe(2);
  expect(new Set(receiver.spans.map(({ name }) => name))).toContain("tick timers");

  expect(receiver.headers[0]).toMatchObject({ authorization: secret });
  const sent = receiver.bodies.join("\n");
  for (const word of ["nobody reads", "unsaid", "unheard", folder, secret]) expect(sent).not.toContain(word);
});

it("[F-606] a receiver that refuses, hangs or is away costs no goal anything, and is named once", async () => {
  receiver.answer(500);
  const place = placeOf("bot");
  bot = await startBot(place);
  worker = await startWorker(placeOf("worker"));
  const goalId = await begin(place);
  await ended(place, goalId);
  const told = () => worker?.lines().filter(({ msg }) => msg.startsWith("traces.")) ?? [];
  await eventually("that it is named", async () => told().length > 0);
  const asked = receiver.asked();
  await eventually("another attempt", async () => receiver.asked() > asked + 1);
  expect(told().map(({ msg, level }) => [msg, level])).toEqual([["traces.not-sent", 40]]);

  receiver.answer(null);
  await eventually("that it is back", async () => told().length === 2);
  expect(told()[1]?.msg).toBe("traces.sent-again");

  receiver.answer("never");
  const before = receiver.asked();
  await eventually("a span under way", async () => receiver.asked() > before);
  const since = performance.now();
  expect(await worker.stop()).toBe(0);
  expect(performance.now() - since).toBeLessThan(8_000);
});

it("[F-504] where nothing is set, and in a terminal, nothing of OpenTelemetry is read", async () => {
  const seen = join(folder, "seen.cjs");
  const loaded = join(folder, "loaded-");
  await writeFile(
    seen,
    `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(loaded)} + process.pid, [process.argv[1], ...Object.keys(require.cache)].join("\\n")));`,
  );
  const options = { NODE_OPTIONS: `--require ${seen}` };
  async function readBy(work: () => Promise<void>): Promise<boolean> {
    await work();
    const files = (await readdir(folder)).filter((name) => name.startsWith("loaded-"));
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
    await Promise.all(files.map((name) => rm(join(folder, name))));
    expect(files.length).toBeGreaterThan(0);
    return texts.some((text) => text.includes("/@opentelemetry/sdk-trace/"));
  }
  const begun = async (environment: Readonly<Record<string, string>>): Promise<void> => {
    bot = await startBot(placeOf("bot", { ...options, ...environment, COS_ROLES: "bot,worker" }));
    await stopAll();
  };

  expect(await readBy(() => begun({ OTEL_EXPORTER_OTLP_ENDPOINT: "" }))).toBe(false);
  expect(await readBy(() => begun({}))).toBe(true);
  const typed = async () => expect((await cos(placeOf("bot", options), "status")).code).toBe(0);
  expect(await readBy(typed)).toBe(false);
});

it("[F-111] doctor says whether spans are taken, and the start what is wrong with where they go", async () => {
  const set = (endpoint: string) => configFor({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  const [taken] = await findTracing(set(`${receiver.endpoint}/`));
  expect(taken).toMatchObject({ ok: true, says: `${receiver.endpoint}/v1/traces takes them, as chief-of-staff` });
  receiver.answer(401);
  const [refused] = await findTracing(set(receiver.endpoint));
  expect(refused).toMatchObject({ ok: false, says: expect.stringContaining("it answered 401") });
  const gone = await startReceiver();
  await gone.close();
  const [away] = await findTracing(set(gone.endpoint));
  expect(away).toMatchObject({ ok: false, says: expect.stringContaining("ECONNREFUSED") });
  expect(await findTracing(configFor({}))).toEqual([]);

  for (const [name, wrong] of [
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://me:it@localhost:4318"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "authorization"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "authorization=%zz"],
  ] as const)
    expect(() => configFor({ [name]: wrong }), `${name}=${wrong}`).toThrow(name);
  const { secrets } = configFor({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Bearer%200123456789abcdef",
  });
  expect(secrets).toContain(secret);
});
