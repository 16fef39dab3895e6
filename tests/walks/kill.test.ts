import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processesWith } from "../../src/agent/process/orphans.ts";
import { type Bot, cos, eventually, type Place, projectDir, startBot } from "../fakes/bot.ts";
import { type FreshDatabase, freshDatabase } from "../fakes/database.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";
import { type Sink, startSink } from "../fakes/sink.ts";

/**
 * Kill -9 at every hop of a goal's way. A hop that lasts a millisecond is held open from outside: by a lock that this
 * test takes in the database, or by a platform that does not answer. Hops that are
 * not always to be had come first.
 */
const hops = ["park", "decision-wake", "claim", "mid-agent", "commit-record", "post-address"] as const;
type Hop = (typeof hops)[number];

const kills = process.env["COS_TEST_FULL"] === "1" ? 20 : 6;

describe("kill -9, again and again, in a session of ten goals", () => {
  let database: FreshDatabase;
  let place: Place;
  let sink: Sink;
  let client: pg.Client;
  let bot: Bot;
  let repository: string;
  let outside: string;
  const log: { kill: number; hop: Hop; goal: string | null }[] = [];

  beforeAll(async () => {
    database = await freshDatabase();
    sink = await startSink();
    const dataDir = await mkdtemp(join(tmpdir(), "cos-kill-"));
    place = { databaseUrl: database.url, dataDir, environment: { COS_WEBHOOK_URL: sink.url } };
    outside = join(dataDir, "outside.txt");
    await writeFile(outside, "");
    repository = await makeRepository(join(dataDir, "person"), { "a.txt": "a\n" });
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await called("repo", "add", repository, "--setup", "");
    const goals = Array.from({ length: 10 }, (_, index) => {
      const file = index % 2 === 1 ? `page-${index}.css` : `file-${index}.txt`;
      const run = `sleep ${1 + (index % 3)}; echo goal-${index} $(date +%s%N) >> ${outside}; echo ${index} > ${file}`;
      return { text: `Goal ${index}`, run, tags: index % 4 === 0 ? ["ui"] : [] };
    });
    await writeFile(join(dataDir, "goals.json"), JSON.stringify(goals));
    await called("goal", "add", "--from", join(dataDir, "goals.json"));
    await called("autopilot", "start");
    bot = await startBot(place);
  });
  afterAll(async () => {
    bot.kill("SIGKILL");
    await client.end();
    await sink.close();
    await database.drop();
    await rm(place.dataDir, { recursive: true, force: true });
  });

  /** A command that nothing stands in the way of. */
  async function called(...words: string[]): Promise<void> {
    const ran = await cos(place, ...words);
    if (ran.code !== 0) throw new Error(`cos ${words.join(" ")}: ${ran.stderr}`);
  }

  async function pendingIds(): Promise<string[]> {
    const { rows } = await client.query<{ id: string }>(
      "select checkpoint_id as id from cos.checkpoints where status = 'pending' order by created_at",
    );
    return rows.map((row) => row.id);
  }

  /** The goal that the session works now or next; null when it waits or is over. */
  async function currentGoal(): Promise<{ goalId: string; isCss: boolean } | null> {
    const { rows } = await client.query<{ goal_id: string; run_command: string; waits: boolean }>(`
      select g.goal_id, g.run_command, exists (select 1 from cos.checkpoints c where c.subject = g.goal_id and c.status = 'pending') as waits
      from cos.goals g where g.status in ('pending', 'in_progress', 'blocked') and g.session_id is not null order by g.position limit 1`);
    const [row] = rows;
    return row === undefined || row.waits ? null : { goalId: row.goal_id, isCss: row.run_command.includes(".css") };
  }

  /** Answers what holds the session, and nothing else, so that a goal is being worked. */
  async function unblock(): Promise<void> {
    await eventually("a goal to work", async () => {
      if ((await currentGoal()) !== null) return true;
      const { rows } = await client.query<{ checkpoint_id: string | null }>(`
        select c.checkpoint_id from cos.goals g left join cos.checkpoints c on c.subject = g.goal_id and c.status = 'pending'
        where g.status in ('pending', 'in_progress', 'blocked') and g.session_id is not null order by g.position limit 1`);
      const [row] = rows;
      if (row === undefined) return true;
      if (row.checkpoint_id !== null) await cos(place, "approve", row.checkpoint_id);
      return false;
    });
  }

  async function killAt(hop: Hop): Promise<boolean> {
    if (hop !== "decision-wake" && hop !== "post-address") await unblock();
    const goal = await currentGoal();
    switch (hop) {
      case "claim":
        return (
          goal !== null && (await whileLocked("lock table cos.days in exclusive mode", () => happened("goal.claimed")))
        );
      case "mid-agent":
        return goal !== null && (await happened("agent.started")) && (await killNow());
      case "commit-record":
        if (goal === null || !(await happened("agent.started"))) return false;
        // Not the goal's row: the lease is renewed before the commit, and would wait for it.
        return await whileLocked("lock table cos.timeline in share row exclusive mode", () =>
          happened("goal.committed"),
        );
      case "park":
        if (!(await reachCss()) || !(await happened("agent.started"))) return false;
        return await whileLocked("lock table cos.checkpoints in share row exclusive mode", () =>
          happened("goal.committed"),
        );
      case "decision-wake":
        return await killBetweenDecisionAndWake();
      case "post-address":
        return await killBetweenPostAndAddress();
    }
  }

  /** Lets the session go on until it works a goal that will be asked about; false when none is left. */
  async function reachCss(): Promise<boolean> {
    const found = await eventually("a goal that parks", async () => {
      await unblock();
      const goal = await currentGoal();
      if (goal !== null) return goal.isCss && !(await isSettled(goal.goalId)) ? "css" : false;
      const { rowCount } = await client.query("select 1 from cos.sessions where status <> 'ended'");
      return rowCount === 0 ? "over" : false;
    });
    return found === "css";
  }

  /** Whether its result has been asked about already. */
  async function isSettled(goalId: string): Promise<boolean> {
    const { rowCount } = await client.query("select 1 from cos.checkpoints where subject = $1 and kind = 'diff'", [
      goalId,
    ]);
    return rowCount !== 0;
  }

  /** Waits for an event that this bot says from now on, or has said for the current goal without what follows. */
  async function happened(name: string): Promise<boolean> {
    const follows: Record<string, string> = {
      "goal.claimed": "agent.started",
      "agent.started": "agent.ended",
      "goal.committed": "turn.over",
    };
    const last = bot.events.findLastIndex((event) => event.msg === name);
    const isOver = bot.events.slice(last + 1).some((event) => event.msg === follows[name]);
    if (last !== -1 && !isOver) return true;
    return await bot
      .event((event) => event.msg === name, bot.events.length)
      .then(
        () => true,
        () => false,
      );
  }

  async function killNow(): Promise<boolean> {
    bot.kill("SIGKILL");
    await bot.exited;
    return true;
  }

  async function whileLocked(lock: string, until: () => Promise<boolean>): Promise<boolean> {
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    try {
      await holder.query("begin");
      await holder.query(lock);
      return (await until()) && (await killNow());
    } finally {
      await holder.query("rollback");
      await holder.end();
    }
  }

  /** The bot records an answer from the console and dies before it can ring. */
  async function killBetweenDecisionAndWake(): Promise<boolean> {
    const [id] = await pendingIds();
    if (id === undefined) return false;
    const token = (await readFile(join(place.dataDir, "console-token"), "utf8")).trim();
    return await whileLocked("lock table bullmq.job in access exclusive mode", async () => {
      const body = new URLSearchParams({ id, choice: "proceed", back: "/" });
      const headers = { authorization: `Bearer ${token}` };
      const answering = fetch(`${bot.url}/answer`, { method: "POST", headers, body }).catch(() => null);
      await eventually("the decision", async () => !(await pendingIds()).includes(id));
      void answering;
      return true;
    });
  }

  /** The sink has shown a card, and the bot dies before it learns where. */
  async function killBetweenPostAndAddress(): Promise<boolean> {
    const hold = sink.hold();
    await cos(place, "goal", "add", "Only to be shown");
    // Chats are told of it when a session takes it: when the one of the ten goals is over, another begins.
    await cos(place, "autopilot", "start");
    await hold.held;
    await killNow();
    hold.release();
    return true;
  }

  it(`survives ${kills} kills: everything ends, nothing twice, nothing left behind`, async () => {
    while (log.length < kills) {
      const counts = (hop: Hop) => log.filter((each) => each.hop === hop).length;
      const order = [...hops].sort((a, b) => counts(a) - counts(b));
      for (const hop of order) {
        const goal = (await currentGoal())?.goalId ?? null;
        if (!(await killAt(hop))) continue;
        log.push({ kill: log.length + 1, hop, goal });
        bot = await startBot(place);
        break;
      }
    }
    await mkdir(join(projectDir, ".data"), { recursive: true });
    await writeFile(
      join(projectDir, ".data/kills.log"),
      log.map((each) => `${each.kill} ${each.hop} ${each.goal ?? "-"}\n`).join(""),
    );

    await eventually("every goal of the session to end", async () => {
      for (const id of await pendingIds()) await cos(place, "approve", id);
      const { rowCount } = await client.query("select 1 from cos.sessions where status <> 'ended'");
      return rowCount === 0;
    });

    expect(new Set(log.map((each) => each.hop))).toEqual(new Set(hops));
    await expectEveryGoalEnded();
    await expectNothingRepeated();
    await expectEveryCardOnce();
    const { rows } = await client.query<{ run_id: string }>("select run_id from cos.runs");
    expect(rows.flatMap((row) => processesWith("COS_RUN", row.run_id))).toEqual([]);
  });

  async function expectEveryGoalEnded(): Promise<void> {
    const { rows } = await client.query<{
      goal_id: string;
      status: string;
      branch: string;
      head_commit: string;
      leased_by: string | null;
    }>(
      "select g.goal_id, g.status, g.branch, r.head_commit, g.leased_by from cos.goals g join cos.runs r on r.run_id = g.run_id where g.run_command is not null",
    );
    expect(rows.map((row) => row.status)).toEqual(Array.from({ length: 10 }, () => "complete"));
    expect(rows.filter((row) => row.leased_by !== null)).toEqual([]);
    for (const row of rows) expect(await gitIn(repository, "rev-parse", row.branch)).toBe(row.head_commit);
  }

  /** What an executor wrote outside its worktree is older than the record of its finished execution, never younger. */
  async function expectNothingRepeated(): Promise<void> {
    const lines = (await readFile(outside, "utf8"))
      .trim()
      .split("\n")
      .map((line) => line.split(" "));
    const { rows } = await client.query<{ content: string; at: Date }>(
      "select g.content, t.at from cos.timeline t join cos.goals g using (goal_id) where t.event = 'run.executed' and t.detail->>'end' = 'finished'",
    );
    expect(rows.length).toBe(10);
    for (const { content, at } of rows) {
      const mine = lines.filter(([name]) => name === content.toLowerCase().replace(" ", "-"));
      expect(mine.length).toBeGreaterThan(0);
      for (const [, nanoseconds] of mine) expect(Number(nanoseconds) / 1e6).toBeLessThanOrEqual(at.getTime());
    }
  }

  async function expectEveryCardOnce(): Promise<void> {
    // One look at all of them: a card that is due a moment later is waited for as well.
    let rows: { message_id: string; address: string }[] = [];
    await eventually("every card shown", async () => {
      const found = await client.query<{ message_id: string; address: string; is_shown: boolean }>(`
        select message_id, address, posted_version is not distinct from version
          and not exists (select from cos.marks) as is_shown
        from cos.messages where platform = 'webhook'`);
      rows = found.rows;
      return found.rows.every((row) => row.is_shown);
    });
    expect(sink.posts.map((post) => post.key).sort()).toEqual(rows.map((row) => `cos-${row.message_id}`).sort());
    expect([...sink.shown.keys()].sort()).toEqual(rows.map((row) => row.address).sort());
  }
});
