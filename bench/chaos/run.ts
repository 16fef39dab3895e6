import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { examine, type Findings } from "./findings.ts";
import { cos, type Kept, keepRunning } from "./processes.ts";
import { foldersOf, type Server, startServer } from "./server.ts";
import { type PlannedGoal, planWork, type WorkSettings } from "./work.ts";

export interface ChaosSettings extends WorkSettings {
  /** How long there is trouble; afterwards everything may end in peace. */
  readonly troubleMs: number;
  readonly terminateEveryMs: number;
  readonly restartEveryMs: number;
  readonly killEveryMs: number;
  /** Goals are added in this many parts over the first two thirds of the trouble. */
  readonly parts: number;
  readonly seed: number;
}

/**
 * The product under trouble: bot and worker as real processes on a PostgreSQL of their own, connections ended at random, the server
 * restarted, processes killed, while goals are added and questions answered by commands of the terminal. Everything must end, nothing may
 * run twice. Files lie below `root`, which the caller removes.
 */
export async function runChaos(root: string, settings: ChaosSettings, say: (line: string) => void): Promise<Findings> {
  const random = seeded(settings.seed);
  const folders = foldersOf(root);
  await mkdir(folders.data, { recursive: true });
  await mkdir(folders.work, { recursive: true });
  const server = await startServer(folders.server);
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: root,
    DATABASE_URL: server.url,
    COS_DATA_DIR: folders.data,
    // Every phase says there when it begins and ends.
    COS_WRITABLE: folders.work,
    COS_TIMEZONE: "UTC",
    COS_PARALLEL: String(settings.repositories),
    PORT: "0",
  };
  const { repositories, goals } = await planWork(folders.work, settings, random);
  // Each phase runs once: trials of a proof would run its criterion again.
  for (const path of repositories)
    await insist(environment, "repo", "add", path, "--setup", "", "--check", "", "--trials", "off");
  const kept = [keepRunning("bot", environment), keepRunning("worker", environment)];
  const counts = { terminated: 0, restarts: 0, kills: 0, questions: 0, hiccups: 0 };
  const trouble = new AbortController();
  const person = new AbortController();
  const unexpected: string[] = [];

  const troubles = [
    every(settings.terminateEveryMs, trouble.signal, async () => {
      if (await server.endOneConnection((count) => Math.floor(random() * count))) counts.terminated += 1;
    }),
    every(settings.restartEveryMs, trouble.signal, async () => {
      await server.restart();
      counts.restarts += 1;
    }),
    every(settings.killEveryMs, trouble.signal, async () => {
      const chosen = random();
      for (const each of kept) if (chosen < 0.4 || (each.role === "bot") === chosen > 0.7) await each.kill();
      counts.kills += 1;
    }),
  ];
  const adding = addInParts(environment, folders.work, goals, settings, server);
  const answering = answer(server, environment, person.signal, settings, counts, unexpected);

  await telling(settings.troubleMs, server, say);
  trouble.abort();
  await Promise.all(troubles);
  await adding;
  say("The trouble is over; waiting until everything has ended.");
  const inPeace = await untilOver(server, goals.length, say);
  person.abort();
  await answering;
  if (inPeace) await untilShown(server);
  const stopped = await Promise.all(kept.map((each) => each.stop()));
  const found = await examine(server, folders.work, folders.data, goals);
  await server.stop();
  const wrong = [
    ...found.wrong,
    ...unexpected,
    ...kept.flatMap((each: Kept) => each.endings),
    ...stopped.flatMap((clean, index) => (clean ? [] : [`${kept[index]?.role ?? "a process"} did not stop cleanly`])),
  ];
  return {
    goals: goals.length,
    complete: found.complete,
    questionsAnswered: counts.questions,
    hiccupsAnswered: counts.hiccups,
    executions: found.executions,
    cut: found.cut,
    terminated: counts.terminated,
    restarts: counts.restarts,
    kills: kept.reduce((sum, each) => sum + each.kills(), 0),
    wrong,
  };
}

/** The same numbers for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function every(ms: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await sleep(ms, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) await work();
  }
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

/** The person: looks at what is open, answers one after the other, and begins a session where goals wait for one. */
async function answer(
  server: Server,
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
  settings: ChaosSettings,
  counts: { questions: number; hiccups: number },
  unexpected: string[],
): Promise<void> {
  const pauseMs = Math.min(5_000, (settings.troubleMs * 0.5) / Math.max(1, settings.questions));
  while (!signal.aborted) {
    const [open] = await server.rows<{ checkpoint_id: string; kind: string; context: string }>(
      "select checkpoint_id, kind, context from cos.checkpoints where status = 'pending' order by created_at limit 1",
    );
    if (open === undefined) await beginWhereGoalsWait(server, environment);
    else {
      const answered = await cos(environment, "approve", open.checkpoint_id);
      const [now] = await server.rows<{ status: string }>(
        "select status from cos.checkpoints where checkpoint_id = $1",
        [open.checkpoint_id],
      );
      if (answered.code === 0 && now?.status !== "approved")
        unexpected.push(
          `an answer to ${open.checkpoint_id} was confirmed and is not recorded: ${now?.status ?? "gone"}`,
        );
      if (now?.status === "approved") {
        if (open.kind === "hiccup") counts.hiccups += 1;
        else counts.questions += 1;
        if (open.kind !== "hiccup" && open.kind !== "start")
          unexpected.push(`asked about something else (${open.kind}): ${open.context.slice(0, 300)}`);
      }
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

async function beginWhereGoalsWait(server: Server, environment: Readonly<Record<string, string>>): Promise<void> {
  const waiting = await server.rows<{ name: string }>(
    `select distinct r.name from cos.goals g join cos.repositories r using (repository_id)
     where g.status = 'pending' and not exists (
       select 1 from cos.sessions s where s.repository_id = g.repository_id and s.status <> 'ended')`,
  );
  for (const { name } of waiting) await cos(environment, "autopilot", "start", "--repo", name, "--budget", "1000");
}

async function telling(forMs: number, server: Server, say: (line: string) => void): Promise<void> {
  const until = Date.now() + forMs;
  while (Date.now() < until) {
    await sleep(Math.min(15_000, Math.max(0, until - Date.now())));
    say(`${Math.max(0, Math.round((until - Date.now()) / 1000))} s of trouble left; ${await standing(server)}`);
  }
}

async function standing(server: Server): Promise<string> {
  const rows = await server.rows<{ status: string; goals: number }>(
    "select status, count(*)::int as goals from cos.goals group by status order by status",
  );
  return rows.map((row) => `${row.goals} ${row.status}`).join(", ");
}

/** Until every goal has ended, for as long as something still ends: five minutes without any change are the limit. */
async function untilOver(server: Server, goals: number, say: (line: string) => void): Promise<boolean> {
  let last = "";
  let since = Date.now();
  while (Date.now() - since < 300_000) {
    const now = await standing(server);
    if (now === `${goals} complete`) return true;
    if (now !== last) {
      say(now);
      last = now;
      since = Date.now();
    }
    await sleep(1_000);
  }
  return false;
}

async function untilShown(server: Server): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(500)) {
    const left = await server.rows(
      "select 1 from cos.messages where platform = 'console' and posted_version is distinct from version union all select 1 from cos.marks",
    );
    const open = await server.rows("select 1 from cos.sessions where status <> 'ended'");
    if (left.length === 0 && open.length === 0) return;
  }
}
