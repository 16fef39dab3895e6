import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { answerAll, type Desk } from "../soak/person.ts";
import { examinePlatform } from "../soak/platform.ts";
import { cos, type Kept, keepRunning } from "../soak/processes.ts";
import { seeded } from "../soak/random.ts";
import { type Folders, foldersOf, type Server } from "../soak/server.ts";
import { standing, untilOver, untilShown } from "../soak/waiting.ts";
import { type PlannedGoal, planWork, type WorkSettings } from "../soak/work.ts";
import { examine, type Findings } from "./findings.ts";
import { examineGit } from "./git.ts";
import { watchMemory } from "./memory.ts";
import { type Outside, openOutside } from "./outside.ts";
import { beginTroubles, mostOffMs, type Troubles } from "./troubles.ts";

const clock = new URL("clock.mjs", import.meta.url).href;

export interface ChaosSettings extends WorkSettings {
  /** How long there is trouble; afterwards everything may end in peace. */
  readonly troubleMs: number;
  /** How often each of them comes, in milliseconds; a trouble that is not named does not come. */
  readonly troubles: Troubles;
  /** Goals are added in this many parts over the first two thirds of the trouble. */
  readonly parts: number;
  readonly seed: number;
}

/**
 * The product under trouble: two bots and two workers as real processes on a PostgreSQL, a Redis and a network of their own, in front
 * of a platform that fails, while goals are added and questions answered. Everything must end, nothing may run or be shown twice. One
 * bot and one worker are never killed: their memory must stay flat. Files lie below `root`, which the caller removes.
 */
export async function runChaos(root: string, settings: ChaosSettings, say: (line: string) => void): Promise<Findings> {
  const random = seeded(settings.seed);
  const folders = foldersOf(root);
  await mkdir(folders.data, { recursive: true });
  await mkdir(folders.work, { recursive: true });
  const outside = await openOutside(folders, settings.troubles);
  const { server, sink } = outside;
  const environment = environmentFor(root, folders, outside, settings);
  const { repositories, goals } = await planWork(folders.work, settings, random);
  // Each phase runs once: trials of a proof would run its criterion again.
  for (const path of repositories)
    await insist(environment, "repo", "add", path, "--setup", "", "--check", "", "--trials", "off");
  const clockFile = join(root, "clock");
  const kept = ["bot", "bot that stays", "worker", "worker that stays"].map((name) =>
    keepRunning({
      name,
      role: name.startsWith("bot") ? "bot" : "worker",
      before: [`${clock}?${encodeURIComponent(clockFile)}`],
      environment,
    }),
  );
  const mortal = kept.filter((each) => !each.name.endsWith("stays"));
  const memory = watchMemory(kept.filter((each) => each.name.endsWith("stays")));
  const desk: Desk = {
    server,
    cos: (...words) => cos(environment, ...words),
    token: async () => (await readFile(join(folders.data, "console-token"), "utf8").catch(() => "")).trim(),
    consoles: () => kept.flatMap((each) => each.consoleUrl() ?? []),
    random,
  };
  const person = new AbortController();
  const answering = answerAll(
    desk,
    { pauseMs: Math.min(5_000, (settings.troubleMs * 0.5) / Math.max(1, settings.questions)), atOnce: 1 },
    person.signal,
  );

  const troubles = beginTroubles(settings.troubles, { outside, mortal, clockFile, workDir: folders.work, random });
  const adding = addInParts(environment, folders.work, goals, settings, server);
  await telling(settings.troubleMs, server, say);
  const happened = await troubles.end();
  await adding;
  say("The trouble is over; waiting until everything has ended.");
  const inPeace = await untilOver(server, goals.length, say);
  person.abort();
  const answers = await answering;
  if (inPeace) await untilShown(server, say);
  const remembered = memory.end();
  const stopped = await Promise.all(kept.map((each) => each.stop()));
  const found = await examine(
    server,
    folders.work,
    folders.data,
    goals,
    settings.troubles.clock === undefined ? 0 : mostOffMs,
  );
  const elsewhere = [
    ...(await examineGit(server, folders.work, repositories)),
    ...(await examinePlatform(server, sink)),
  ];
  await outside.close();
  const wrong = [
    ...found.wrong,
    ...elsewhere,
    ...remembered.wrong,
    ...answers.unexpected,
    ...kept.flatMap((each: Kept) => each.endings),
    ...stopped.flatMap((clean, index) => (clean ? [] : [`${kept[index]?.name ?? "a process"} did not stop cleanly`])),
  ];
  return {
    goals: goals.length,
    complete: found.complete,
    questionsAnswered: answers.questions,
    hiccupsAnswered: answers.hiccups,
    byClick: answers.clicks,
    byReply: answers.replies,
    byCommand: answers.commands,
    messages: sink.posts.length,
    executions: found.executions,
    cut: found.cut,
    ...happened,
    kills: mortal.reduce((sum, each) => sum + each.kills(), 0),
    memory: remembered.words,
    wrong,
  };
}

function environmentFor(
  root: string,
  folders: Folders,
  { databaseUrl, redisUrl, sink }: Outside,
  settings: ChaosSettings,
): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: root,
    DATABASE_URL: databaseUrl,
    ...(redisUrl === null ? {} : { REDIS_URL: redisUrl }),
    COS_WEBHOOK_URL: sink.url,
    COS_DATA_DIR: folders.data,
    // Every phase says there when it begins and ends.
    COS_WRITABLE: folders.work,
    COS_TIMEZONE: "UTC",
    COS_PARALLEL: String(settings.repositories),
    PORT: "0",
  };
}

/** A command that is said again while the database is away. Throws what it said when it is refused for another reason. */
async function insist(environment: Readonly<Record<string, string>>, ...words: string[]): Promise<unknown> {
  for (let tries = 1; ; tries += 1) {
    const answered = await cos(environment, ...words);
    if (answered.code === 0) return answered.value;
    if (tries === 60) throw new Error(`${words.join(" ")}: ${answered.said}`);
    await sleep(500);
  }
}

/** Adds the goals in parts, and begins a session wherever goals wait for one. A list that was added is not added again. */
async function addInParts(
  environment: Readonly<Record<string, string>>,
  folder: string,
  goals: readonly PlannedGoal[],
  settings: ChaosSettings,
  server: Server,
): Promise<void> {
  const size = Math.ceil(goals.length / settings.parts);
  for (let part = 0; part < settings.parts; part += 1) {
    const mine = goals.slice(part * size, (part + 1) * size);
    for (const repository of new Set(mine.map((goal) => goal.repository))) {
      const list = mine.filter((goal) => goal.repository === repository);
      const file = join(folder, `goals-${part}-${repository}.json`);
      await writeFile(file, JSON.stringify(list.map((goal) => goal.entry)));
      while (!(await areThere(server, list)))
        await cos(environment, "goal", "add", "--repo", repository, "--from", file);
      await cos(environment, "autopilot", "start", "--repo", repository, "--budget", "1000");
    }
    await sleep((settings.troubleMs * 2) / 3 / settings.parts);
  }
}

async function areThere(server: Server, goals: readonly PlannedGoal[]): Promise<boolean> {
  const found = await server.rows("select 1 from cos.goals where content = $1", [goals[0]?.entry.text]);
  return found.length > 0;
}

async function telling(forMs: number, server: Server, say: (line: string) => void): Promise<void> {
  const until = Date.now() + forMs;
  while (Date.now() < until) {
    await sleep(Math.min(15_000, Math.max(0, until - Date.now())));
    say(`${Math.max(0, Math.round((until - Date.now()) / 1000))} s of trouble left; ${await standing(server)}`);
  }
}
