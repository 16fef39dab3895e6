import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { besides, executedAgain, readNotes } from "../../bench/soak/notes.ts";
import { answerAll } from "../../bench/soak/person.ts";
import { examinePlatform } from "../../bench/soak/platform.ts";
import { compileOnce, cos, type Kept, keepRunning, type Role } from "../../bench/soak/processes.ts";
import { seeded } from "../../bench/soak/random.ts";
import { examineGoals, ledger } from "../../bench/soak/rows.ts";
import { type Server, startServer } from "../../bench/soak/server.ts";
import { untilOver, untilShown } from "../../bench/soak/waiting.ts";
import { type PlannedGoal, planWork } from "../../bench/soak/work.ts";
import type { Phase } from "../../src/core/goals/goal.ts";
import { eventually } from "../fakes/bot.ts";
import { type Sink, startSink } from "../fakes/sink.ts";

/** Two bots and two workers are restarted one after the other, as a new version would be brought in, while goals are worked. */

const token = "a-token-of-all-consoles";

let root: string;
let work: string;
let server: Server;
let sink: Sink;
const kept: Kept[] = [];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "cos-rolling-"));
  work = join(root, "work");
  [server, sink] = await Promise.all([startServer(join(root, "server")), startSink(), compileOnce()]);
});
afterEach(async () => {
  await Promise.all(kept.splice(0).map((each) => each.stop()));
  await sink.close();
  await server.stop();
  await rm(root, { recursive: true, force: true });
});

function environmentOf(name: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: root,
    COS_INSTALLED: "1",
    DATABASE_URL: server.url,
    COS_DATA_DIR: join(root, name),
    // What a goal has recorded comes to the worker that goes on with it: each has a data directory of its own.
    COS_STORE_URL: "postgres",
    COS_WEBHOOK_URL: sink.url,
    COS_CONSOLE_TOKEN: token,
    COS_ISOLATION: "off",
    COS_LOG_LEVEL: "warn",
    COS_TIMEZONE: "UTC",
    COS_PARALLEL: "1",
  };
}

function start(name: string, role: Role): Kept {
  const environment = { ...environmentOf(name), ...(role === "bot" ? { PORT: "0" } : {}) };
  const started = keepRunning({ name, role, environment });
  kept.push(started);
  return started;
}

const isUp = (each: Kept): Promise<unknown> => eventually(`${each.name} is up`, async () => each.isUp());

/** A command of the terminal; throws what it said where it is refused. */
async function insist(...words: string[]): Promise<void> {
  const { code, said } = await cos(environmentOf("bot-1"), ...words);
  if (code !== 0) throw new Error(`${words.join(" ")}: ${said}`);
}

/** Goals of the one repository, and a session for them where none is open. */
async function add(goals: readonly PlannedGoal[]): Promise<void> {
  const list = join(root, "goals.json");
  await writeFile(list, JSON.stringify(goals.map(({ entry }) => entry)));
  await insist("goal", "add", "--from", list);
  await cos(environmentOf("bot-1"), "autopilot", "start", "--budget", "1000");
}

/** The first of these workers that holds goals in this phase, and which. */
async function firstToHold(
  workers: readonly Kept[],
  phase: Phase,
): Promise<{ readonly worker: Kept; readonly goals: string[] }> {
  return await eventually("a worker at work", async () => {
    const rows = await server.rows<{ goal_id: string; leased_by: string }>(
      "select goal_id, leased_by from cos.goals where leased_by is not null and phase = $1",
      [phase],
    );
    for (const worker of workers) {
      const goals = rows.filter(({ leased_by }) => leased_by.split("/")[1] === String(worker.pid()));
      if (goals.length > 0) return { worker, goals: goals.map(({ goal_id }) => goal_id) };
    }
    return null;
  });
}

/** A question that is shown and open. */
async function openQuestion(): Promise<string> {
  return await eventually("a question", async () => {
    const [open] = await server.rows<{ id: string }>(
      `select c.checkpoint_id as id from cos.checkpoints c join cos.messages m on m.subject = c.checkpoint_id
       where c.status = 'pending' and m.platform = 'webhook' and m.address is not null limit 1`,
    );
    return open?.id;
  });
}

/** Presses Proceed, and reads no page after it; `sent`: the request has left. */
function click(url: string, id: string): { readonly sent: Promise<unknown>; readonly answer: Promise<unknown> } {
  const asking = request(url, { method: "POST", headers: { authorization: `Bearer ${token}`, "content-type": form } });
  const answer = new Promise((resolve) => {
    asking.once("error", (error) => resolve(String(error)));
    asking.once("response", (response) => {
      response.resume();
      resolve(response.statusCode);
    });
  });
  const sent = new Promise((resolve) => asking.once("finish", resolve));
  asking.end(new URLSearchParams({ id, choice: "proceed", back: "/" }).toString());
  return { sent, answer };
}

const form = "application/x-www-form-urlencoded";

/**
 * Restarts a bot while a click waits there for the question's row, which is held for a second more; how the click was
 * answered, what became of the question, and whether the bot stopped cleanly.
 */
async function restartUnderClick(
  bot: Kept,
): Promise<{ readonly answer: unknown; readonly status: unknown; readonly isClean: boolean }> {
  const id = await openQuestion();
  const holder = new pg.Client({ connectionString: server.url });
  await holder.connect();
  const [own] = (await holder.query<{ pid: number }>("select pg_backend_pid() as pid")).rows;
  await holder.query("begin");
  await holder.query("select 1 from cos.checkpoints where checkpoint_id = $1 for update", [id]);
  const clicked = click(`${bot.consoleUrl()}/answer`, id);
  await clicked.sent;
  await eventually("that the click waits", async () => {
    const waiting = await server.rows("select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))", [
      own?.pid,
    ]);
    return waiting.length > 0;
  });
  const restarted = bot.restart();
  await holder.query("select pg_sleep(1)");
  await holder.query("commit");
  await holder.end();
  const answer = await clicked.answer;
  const [row] = await server.rows<{ status: string }>("select status from cos.checkpoints where checkpoint_id = $1", [
    id,
  ]);
  return { answer, status: row?.status, isClean: await restarted };
}

it("bots and workers are restarted in turn: goals end once, no phase or message comes twice, no click is lost [F-605]", async () => {
  const plan = { goals: 20, repositories: 1, questions: 3, longestPhaseSeconds: 1 };
  const { repositories, goals } = await planWork(work, plan, seeded(3));
  await insist("repo", "add", repositories[0] ?? "", "--setup", "", "--check", "", "--trials", "off");
  const bots = [start("bot-1", "bot"), start("bot-2", "bot")];
  const workers = [start("worker-1", "worker"), start("worker-2", "worker")];
  await Promise.all(kept.map(isUp));

  const held = new Set<string>();
  const unclean: string[] = [];
  const asked = goals.filter(({ isAsked }) => isAsked);
  const others = goals.filter(({ isAsked }) => !isAsked);
  for (let left = workers; left.length > 0; ) {
    // More than one can work before the next one looks: each gets some.
    await add([...asked.splice(0, 1), ...others.splice(0, left === workers ? 4 : 12)]);
    const { worker, goals: atWork } = await firstToHold(left, left === workers ? "implement" : "verify");
    for (const goalId of atWork) held.add(goalId);
    if (!(await worker.restart())) unclean.push(worker.name);
    await isUp(worker);
    left = left.filter((each) => each !== worker);
  }
  await add([...asked, ...others]);
  for (const bot of bots) {
    expect(await restartUnderClick(bot)).toEqual({ answer: 303, status: "approved", isClean: true });
    await isUp(bot);
  }

  const person = new AbortController();
  const consoles = (): string[] => bots.flatMap((bot) => bot.consoleUrl() ?? []);
  const desk = { server, cos: insistNothing, token: async () => token, consoles, random: seeded(4) };
  const answering = answerAll(desk, { pauseMs: 200, atOnce: 4, onlyClicks: true }, person.signal);
  expect(await untilOver(server, goals.length, () => undefined)).toBe(true);
  person.abort();
  const answers = await answering;
  await untilShown(server, () => undefined);
  for (const each of kept) if (!(await each.stop())) unclean.push(each.name);

  const notes = await readNotes(work);
  expect([
    ...unclean,
    ...answers.unexpected,
    ...kept.flatMap(({ endings }) => endings),
    ...besides(notes),
    ...(await examineGoals(server, goals)).wrong,
    ...(await executedAgain(server, notes, 0, held)),
    ...(await ledger(server)),
    ...(await examinePlatform(server, sink)),
  ]).toEqual([]);
  // Nothing had to be found out: who ends gives back what it has, and nobody counts it as a crash.
  const found = await server.rows(
    "select event from cos.timeline where event in ('goal.interrupted', 'goal.work-lost')",
  );
  expect(found).toEqual([]);
  expect(await server.rows("select kind from cos.checkpoints where kind <> 'start'")).toEqual([]);
});

/** Sessions have begun; the person only clicks. */
async function insistNothing(...words: string[]): Promise<never> {
  throw new Error(`nobody types: ${words.join(" ")}`);
}
