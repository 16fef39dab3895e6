import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { processesWith } from "../../src/agent/process/orphans.ts";
import { type Bot, cos, eventually, type Place, projectDir, startBot } from "../fakes/bot.ts";
import { type FreshDatabase, freshDatabase } from "../fakes/database.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";

let database: FreshDatabase;
let place: Place;
let client: pg.Client;
let bot: Bot;
beforeEach(async () => {
  database = await freshDatabase();
  place = { databaseUrl: database.url, dataDir: await mkdtemp(join(tmpdir(), "cos-tasks-")) };
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  bot.kill("SIGKILL");
  await bot.exited;
  await client.end();
  await database.drop();
  await rm(place.dataDir, { recursive: true, force: true });
});

const list = `tasks:
  - {id: T1, title: First, acceptanceCriteria: [one]}
  - {id: T2, title: Second, acceptanceCriteria: [two]}
  - {id: T3, title: Third, acceptanceCriteria: [three], dependsOn: [T1]}
`;

it("a task loop that is killed in every phase goes on at the stored one, with the stored wave, and leaves nothing behind [S3-CR-02]", async () => {
  const repository = await makeRepository(join(place.dataDir, "person"), { "a.txt": "a\n", "tasks.yaml": list });
  const pass = JSON.stringify({
    criteria: [{ criterion: "1", verdict: "PASS", evidence: [{ ref: "a.txt:1", confidence: 1 }] }],
  });
  const script = join(place.dataDir, "scripts.json");
  await writeFile(
    script,
    JSON.stringify([
      {
        match: ["Check one task"],
        steps: [{ sleepMs: 700 }, { write: { path: ".cos/evidence.json", content: pass } }],
      },
      ...["T1", "T2", "T3"].map((id) => ({
        match: ["Implement one task", `\n${id}: `],
        steps: [{ sleepMs: 700 }, { write: { path: `${id}.txt`, content: `${id}\n` } }],
      })),
    ]),
  );
  const agent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${script}"`;
  await cos(place, "repo", "add", repository, "--setup", "", "--check", "", "--agent", agent);
  const added = await cos(place, "goal", "add", "Build it", "--tasks", "tasks.yaml", "--parallel", "2");
  const { goalId } = added.json<{ goalId: string }>();
  await cos(place, "autopilot", "start");
  bot = await startBot(place);

  const loop = async (): Promise<{ phase: string; iteration: number; wave: { taskIds: string[] } | null } | null> =>
    (await client.query<{ loop: never }>("select loop from cos.runs where goal_id = $1", [goalId])).rows[0]?.loop ??
    null;
  const status = async (): Promise<string> =>
    (await client.query<{ status: string }>("select status from cos.goals")).rows[0]?.status ?? "";
  const killed: string[] = [];
  const waves: string[] = [];
  for (let iteration = 1; iteration <= 8; iteration += 1) {
    const before = await eventually(`iteration ${iteration}`, async () => {
      if ((await status()) === "complete") return { phase: "done", iteration, wave: null };
      const stored = await loop();
      return stored !== null &&
        stored.iteration >= iteration &&
        (stored.phase !== "implement_task" || stored.wave !== null)
        ? stored
        : null;
    });
    if (before.phase === "done") break;
    bot.kill("SIGKILL");
    await bot.exited;
    killed.push(before.phase);
    if (before.wave !== null) waves.push(before.wave.taskIds.join());
    // What was stored when it died is what goes on.
    const after = await loop();
    if (after?.iteration === before.iteration) expect(after.wave).toEqual(before.wave);
    bot = await startBot(place);
  }
  await eventually("the end", async () => (await status()) === "complete");

  expect(new Set(killed)).toEqual(
    new Set(["implement_task", "spec_check_mode_select", "spec_check_legacy", "spec_check_persist"]),
  );
  expect(new Set(waves)).toEqual(new Set(["T1,T2", "T3"]));
  const { rows } = await client.query("select task_id, status, attempts from cos.tasks order by task_id");
  expect(rows).toEqual(["T1", "T2", "T3"].map((task_id) => ({ task_id, status: "passed", attempts: 1 })));
  const files = await gitIn(repository, "ls-tree", "-r", "--name-only", `cos/${goalId}`);
  expect(files.split("\n")).toEqual(["T1.txt", "T2.txt", "T3.txt", "a.txt", "tasks.yaml"]);
  expect((await client.query("select 1 from cos.checkpoints")).rowCount).toBe(0);
  expect(
    ["T1", "T2", "T3"].filter((id) => existsSync(join(place.dataDir, "worktrees", `${goalId}.tasks`, id))),
  ).toEqual([]);
  const { rows: runs } = await client.query<{ run_id: string }>("select run_id from cos.runs");
  for (const run of runs) expect(processesWith("COS_RUN", run.run_id)).toEqual([]);
});
