import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Bot, cos, eventually, type Place, startBot } from "../fakes/bot.ts";
import type { CampaignStatus } from "../fakes/campaign.ts";
import { type FreshDatabase, freshDatabase } from "../fakes/database.ts";
import { makeRepository } from "../fakes/repository.ts";

/** Two kills are quick; the long variant has one for every kind of event. */
const kills = process.env["COS_TEST_FULL"] === "1" ? 20 : 2;

let database: FreshDatabase;
let place: Place;
let client: pg.Client;
let bot: Bot | null = null;
beforeEach(async () => {
  database = await freshDatabase();
  place = { databaseUrl: database.url, dataDir: await mkdtemp(join(tmpdir(), "cos-camp-")) };
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  bot?.kill("SIGKILL");
  await bot?.exited;
  await client.end();
  await database.drop();
  await rm(place.dataDir, { recursive: true, force: true });
});

const plan = `# Killed

## One
### Day 1
- first
  - run: sleep 0.5; echo 1 > 1.txt
- second
  - run: sleep 0.5; echo 2 > 2.txt

## Two
### Day 2
- third
  - run: sleep 0.5; echo 3 > 3.txt
`;

it("a campaign whose bot is killed at every step of its days does each of them once, and ends", async () => {
  const repository = await makeRepository(join(place.dataDir, "person"), { "a.txt": "a\n" });
  const file = join(place.dataDir, "plan.md");
  await writeFile(file, plan);
  await cos(place, "repo", "add", repository, "--setup", "", "--check", "");
  const { campaignId } = (await cos(place, "campaign", "create", "--from", file)).json<{ campaignId: string }>();
  const status = async () => (await cos(place, "campaign", "status", campaignId)).json<CampaignStatus>();
  const happened = async (): Promise<string[]> =>
    (
      await client.query<{ event: string }>(
        `select event from cos.timeline where event like 'campaign.%' or event in ('run.started', 'run.executed', 'session.ended', 'goal.complete') order by timeline_id`,
      )
    ).rows.map((row) => row.event);

  await cos(place, "campaign", "start", campaignId);
  bot = await startBot(place);
  await cos(place, "campaign", "run", campaignId);
  const killedAfter = new Set<string>();
  const end = Date.now() + 500_000;
  const isOver = async () =>
    (await client.query("select 1 from cos.campaigns where ended_at is not null")).rowCount === 1;
  while (!(await isOver()) && Date.now() < end) {
    const fresh = (await happened()).find((event) => !killedAfter.has(event));
    if (fresh !== undefined && killedAfter.size < kills) {
      killedAfter.add(fresh);
      bot.kill("SIGKILL");
      await bot.exited;
      bot = await startBot(place);
      continue;
    }
    const open = await client.query<{ checkpoint_id: string; kind: string }>(
      "select checkpoint_id, kind from cos.checkpoints where status = 'pending'",
    );
    for (const { checkpoint_id, kind } of open.rows)
      await cos(place, "answer", checkpoint_id, kind === "confirm" ? "Done" : "Proceed");
    const waiting = await client.query(
      `select 1 from cos.campaigns c join cos.campaign_days d on d.campaign_id = c.campaign_id and d.day_number = c.current_day
       where d.status = 'pending' and c.state = 'active'`,
    );
    if (waiting.rowCount === 1 && open.rowCount === 0) await cos(place, "campaign", "run", campaignId);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }

  const now = await status();
  expect(now).toMatchObject({ state: "completed", progress: 1 });
  expect(now.days.map((day) => day.status)).toEqual(["done", "done"]);
  expect(now.days.flatMap((day) => day.goals.map((goal) => goal.status))).toEqual(["complete", "complete", "complete"]);
  const events = await happened();
  for (const once of ["campaign.started", "campaign.completed"])
    expect(events.filter((each) => each === once)).toHaveLength(1);
  expect(events.filter((each) => each === "campaign.day-over")).toHaveLength(2);
  expect(events.filter((each) => each === "campaign.day-begun")).toHaveLength(2);
  expect(killedAfter.size).toBeGreaterThanOrEqual(Math.min(kills, 7));
  const { rows } = await client.query<{ number: number }>("select count(*)::int as number from cos.sessions");
  expect(rows[0]?.number).toBe(2);
  await eventually(
    "no open question",
    async () => (await client.query("select 1 from cos.checkpoints where status = 'pending'")).rowCount === 0,
  );
});
