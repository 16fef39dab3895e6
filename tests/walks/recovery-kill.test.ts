import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bot, cos, eventually, type Place, startBot } from "../fakes/bot.ts";
import { type FreshDatabase, freshDatabase } from "../fakes/database.ts";
import { makeRepository } from "../fakes/repository.ts";
import { scriptedAgent } from "../fakes/scripted.ts";

/** Real processes, killed and restarted while a goal climbs the ladder. */

let database: FreshDatabase;
let place: Place;
let client: pg.Client;
let bot: Bot;
beforeEach(async () => {
  database = await freshDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "cos-ladder-"));
  place = { databaseUrl: database.url, dataDir };
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const path = await makeRepository(join(dataDir, "person"), { "a.txt": "a\n" });
  await cos(place, "repo", "add", path, "--setup", "", "--agent", await scriptedAgent(dataDir, []));
});
afterEach(async () => {
  bot.kill("SIGKILL");
  await bot.exited;
  await client.end();
  await database.drop();
  await rm(place.dataDir, { recursive: true, force: true });
});

async function goal(command: string): Promise<string> {
  const { goalId } = (await cos(place, "goal", "add", "Run it", "--run", command)).json<{ goalId: string }>();
  await cos(place, "autopilot", "start");
  bot = await startBot(place);
  return goalId;
}

/** A goal with an agent, which fails every time. */
async function failingGoal(command: string): Promise<void> {
  await scriptedAgent(place.dataDir, [{ steps: [{ run: command }, { say: "boom" }, { stop: "max_tokens" }] }]);
  await cos(place, "goal", "add", "Write the note");
  await cos(place, "autopilot", "start");
  bot = await startBot(place);
}

async function restart(signal: NodeJS.Signals): Promise<void> {
  bot.kill(signal);
  await bot.exited;
  bot = await startBot(place);
}

const attempts = async (): Promise<{ number: number; rung: number }[]> =>
  (await client.query<{ number: number; rung: number }>("select number, rung from cos.attempts order by attempt_id"))
    .rows;
const executions = async (): Promise<number> =>
  (await readFile(join(place.dataDir, "log.txt"), "utf8").catch(() => "")).split("\n").length - 1;
const questions = async (): Promise<{ kind: string }[]> => (await cos(place, "checkpoints")).json<{ kind: string }[]>();

describe("the ladder, while its bot is", () => {
  it("killed at every rung and in every wait, loses, repeats and skips no attempt, and keeps its due times", async () => {
    const log = join(place.dataDir, "log.txt");
    await failingGoal(`echo once >> ${log}; sleep 1.5`);
    let kills = 0;
    for (let number = 1; number <= 6; number += 1) {
      // In the attempt: it is begun again, and costs nothing.
      await eventually(`attempt ${number}`, async () => (await executions()) > number - 1 + kills);
      await restart("SIGKILL");
      kills += 1;
      await eventually(`the end of attempt ${number}`, async () => (await attempts()).length === number);
      // In the wait that follows it.
      if (number < 6) await restart("SIGKILL");
    }
    await eventually("the escalation", async () => (await questions()).length === 1);

    expect(await attempts()).toEqual([
      { number: 1, rung: 1 },
      { number: 2, rung: 1 },
      { number: 3, rung: 1 },
      { number: 4, rung: 2 },
      { number: 5, rung: 2 },
      { number: 6, rung: 3 },
    ]);
    expect((await questions()).map((each) => each.kind)).toEqual(["escalation"]);
    const { rows } = await client.query<{ event: string; due: string | null; at: Date }>(
      `select event, detail ->> 'dueAt' as due, at from cos.timeline
       where event in ('recovery.retry', 'run.executed') order by timeline_id`,
    );
    const due = rows.flatMap((row, index) => (row.due === null ? [] : [{ due: row.due, next: rows[index + 1]?.at }]));
    expect(due.length).toBe(5);
    for (const each of due) expect(each.next?.getTime()).toBeGreaterThanOrEqual(new Date(each.due).getTime());
  });

  it("deployed three times during a goal, takes no rung and asks nobody (D8)", async () => {
    const [log, flag] = [join(place.dataDir, "log.txt"), join(place.dataDir, "flag")];
    const goalId = await goal(`echo once >> ${log}; while [ ! -e ${flag} ]; do sleep 0.1; done; echo x > x.txt`);
    for (let deploy = 1; deploy <= 3; deploy += 1) {
      await eventually(`deploy ${deploy}`, async () => (await executions()) === deploy);
      await restart("SIGTERM");
    }
    await writeFile(flag, "");
    const shown = await eventually("the end", async () => {
      const goal = (await cos(place, "goal", "show", goalId)).json<{ status: string; attempts: object[] }>();
      return goal.status === "complete" ? goal : null;
    });

    expect(shown.attempts).toMatchObject([{ number: 1, rung: 1, end: "passed" }]);
    expect((await client.query("select 1 from cos.checkpoints")).rowCount).toBe(0);
  });

  it("killed by its own goal three times, asks a person", async () => {
    const pid = join(place.dataDir, "bot.pid");
    await writeFile(pid, "0");
    await goal(
      `while [ "$(cat ${pid})" = 0 ]; do sleep 0.05; done; victim=$(cat ${pid}); echo 0 > ${pid}; kill -9 $victim; sleep 60`,
    );
    for (let number = 1; number <= 3; number += 1) {
      await writeFile(pid, String(bot.pid));
      await bot.exited;
      bot = await startBot(place);
    }

    const asked = await eventually("the question", async () => {
      const open = await questions();
      return open.length === 1 ? open : null;
    });
    expect(asked[0]?.kind).toBe("hiccup");
    expect(await attempts()).toEqual([]);
  });
});
