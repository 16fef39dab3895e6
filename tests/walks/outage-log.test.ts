import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Trouble } from "../../src/core/outages/trouble.ts";
import { DatabaseAway, isAway } from "../../src/db/connection/failures.ts";
import { logTo } from "../../src/log.ts";
import { onceLog, openOutage, quietLog } from "../../src/outage.ts";
import { startBot } from "../fakes/bot.ts";
import { freshDatabase } from "../fakes/database.ts";

/** The log of a process whose database goes away, with a clock set by hand. */
function watched() {
  const lines: { level: string; event: string; fields: object }[] = [];
  const raw = logTo((level, event, fields) => void lines.push({ level, event, fields }));
  let now = new Date("2026-01-26T09:00:00Z");
  let trouble: Trouble | null = null;
  const outage = openOutage({
    name: "database",
    place: { name: "PostgreSQL", setting: "DATABASE_URL", where: "db:5432" },
    isItsError: isAway,
    probe: async () => trouble,
    log: raw,
    now: () => now,
    zone: "UTC",
  });
  return {
    lines,
    log: quietLog(raw, [outage]),
    outage,
    /** At that second, with that to be seen; `meanwhile` is what the parts write. */
    async at(seconds: number, found: Trouble | null, meanwhile: () => void = () => undefined) {
      now = new Date(Date.parse("2026-01-26T09:00:00Z") + seconds * 1000);
      trouble = found;
      meanwhile();
      return await outage.look();
    },
  };
}

const refused: Trouble = { type: "refused" };
const away = new DatabaseAway(new Error("connect ECONNREFUSED 127.0.0.1:5432"));
const wrapped = new Error("Failed query: select 1\nparams: ", { cause: away });

describe("an outage in the log", () => {
  it("[F-113] is one line at its beginning, one a minute, one at its end, whatever every part writes meanwhile", async () => {
    const { lines, log, outage, at } = watched();

    await at(0, null);
    for (let second = 0; second <= 150; second += 1) {
      await at(second, refused, () => {
        for (const event of ["tick.failed", "delivery.failed", "signals.error", "queue.error", "lease.not-renewed"])
          log.warn(event, { error: second % 2 === 0 ? away : wrapped });
        log.error("console.failed", { error: wrapped });
      });
    }
    await at(151, null);
    outage.close();

    expect(lines.map((line) => line.event)).toEqual([
      "database.away",
      "database.still-away",
      "database.still-away",
      "database.back",
    ]);
    expect(lines[0]?.fields).toMatchObject({ reason: "nothing listens at db:5432", forSeconds: 0 });
    expect(lines[2]?.fields).toMatchObject({ forSeconds: 120 });
    expect(lines[3]?.fields).toEqual({ since: "2026-01-26T09:00:00.000Z", forSeconds: 151 });
  });

  it("[F-113] connections that break while the server answers are one line a minute", async () => {
    const { lines, log, outage, at } = watched();

    for (let second = 0; second < 70; second += 1) {
      await at(second, null, () => log.warn("tick.failed", { error: away }));
    }
    outage.close();

    expect(lines.map((line) => line.event)).toEqual(["database.connections-lost", "database.connections-lost"]);
    expect(lines[1]?.fields).toEqual({ times: 60, reason: "connect ECONNREFUSED 127.0.0.1:5432" });
  });

  it("[F-113] what has nothing to do with it is written as ever, also while it lasts", async () => {
    const { lines, log, outage, at } = watched();

    await at(0, refused);
    log.error("campaign.failed", { error: new Error("no such day") });
    log.warn("post.rejected", { reason: "too long" });
    log.warn("delivery.failed", { error: Object.assign(new Error("fetch failed"), { code: "ECONNRESET" }) });
    outage.close();

    expect(lines.map((line) => line.event)).toEqual([
      "database.away",
      "campaign.failed",
      "post.rejected",
      "delivery.failed",
    ]);
  });

  it("[F-113] is known to health in words", async () => {
    const { outage, at } = watched();

    const before = await at(0, null);
    await at(1, refused);
    const during = await at(61, refused);
    const afterwards = await at(62, null);
    outage.close();

    expect([before, afterwards]).toEqual([null, null]);
    expect(during).toContain("(1 min): nothing listens at db:5432. Check that PostgreSQL runs there");
  });
});

describe("a failure that lasts, of a server that answers", () => {
  afterEach(() => void vi.useRealTimers());

  it("is one line at its beginning and one when it is over, and others are told beside it", async () => {
    vi.useFakeTimers({ now: new Date("2026-01-26T09:00:00Z") });
    const lines: { event: string; fields: object }[] = [];
    const log = onceLog(logTo((_, event, fields) => void lines.push({ event, fields })));
    for (let times = 0; times < 100; times += 1) {
      log.warn("queue.error", { error: new Error("No space left on device") });
      if (times === 50) log.warn("queue.error", { error: new Error("something else") });
      await vi.advanceTimersByTimeAsync(2_000);
    }
    await vi.advanceTimersByTimeAsync(60_000);
    log.warn("queue.error", { error: new Error("No space left on device") });

    expect(lines.map(({ event }) => event)).toEqual(["queue.error", "queue.error", "queue.error-over", "queue.error"]);
    const since = "2026-01-26T09:00:00.000Z";
    expect(lines[2]?.fields).toEqual({ reason: "No space left on device", times: 100, since, forSeconds: 198 });
  });

  it("is told of each thing that it is about", () => {
    const events: object[] = [];
    const log = onceLog(logTo((_, event, fields) => void events.push({ event, ...fields })));
    const error = () => new Error("No space left on device");
    for (const goalId of ["goal-1", "goal-1", "goal-2"]) log.warn("attempt.not-kept", { goalId, error: error() });
    log.about({ goalId: "goal-3" }).warn("attempt.not-kept", { error: error() });

    const goals = events.map((each) => ("goalId" in each ? each.goalId : null));
    expect(goals).toEqual(["goal-1", "goal-2", "goal-3"]);
  });

  it("is one line, also when each try has its own log about the same goal", () => {
    const events: object[] = [];
    const log = onceLog(logTo((_, event, fields) => void events.push({ event, ...fields })));
    for (const goalId of ["goal-1", "goal-1", "goal-2"])
      log
        .about({ goalId })
        .about({ turn: "push" })
        .warn("push.failed", { error: new Error("No space left on device") });

    expect(events.map((each) => ("goalId" in each ? each.goalId : null))).toEqual(["goal-1", "goal-2"]);
  });

  it("is one line, whichever part of a bot meets it", async () => {
    const database = await freshDatabase();
    const dataDir = mkdtempSync(join(tmpdir(), "cos-once-"));
    const bot = await startBot({ databaseUrl: database.url, dataDir });
    const person = new pg.Client({ connectionString: database.url });
    await person.connect();
    try {
      const named = "select oid::regprocedure::text as name from pg_proc where proname = 'move_to_active'";
      const { rows } = await person.query<{ name: string }>(named);
      await person.query(`alter function ${rows[0]?.name} rename to refused`);
      await bot.event(({ msg }) => msg === "queue.error");
      await sleep(8_000);
      expect(bot.events.filter(({ msg }) => msg === "queue.error")).toHaveLength(1);
    } finally {
      bot.kill("SIGKILL");
      await Promise.all([bot.exited, person.end()]);
      rmSync(dataDir, { recursive: true, force: true });
      await database.drop();
    }
  });
});
