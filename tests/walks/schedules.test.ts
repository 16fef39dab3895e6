import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findMessage } from "../../src/db/messages.ts";
import { ensureSchedules } from "../../src/facts/ensure-schedules.ts";
import { tick } from "../../src/tick.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

const hour = 3_600_000;

let world: TestWorld;
beforeEach(async () => {
  // Monday, 2026-01-26, 09:00.
  world = await testWorld();
  await world.repository();
  await world.tick();
});
afterEach(() => world.close());

const posted = async (subject: string) =>
  (await findMessage(world.deps.database.db, "console", "main", subject))?.card ?? null;
const subjects = async (): Promise<string[]> =>
  (
    await world.deps.database.pool.query<{ subject: string }>(
      "select subject from cos.messages where subject like 'standup.%' or subject like 'weekly.%' order by message_id",
    )
  ).rows.map((row) => row.subject);

async function finished(text: string): Promise<void> {
  await world.command("goal", "add", text, "--run", "echo x >> x.txt");
  await world.command("autopilot", "start");
  await world.work();
}

describe("what is posted by itself", () => {
  it("is the standup on working days and the weekly on Fridays, each once however often anybody looks", async () => {
    await finished("Monday's goal");
    for (let day = 0; day < 7 * 24; day += 1) {
      world.advance(hour);
      await Promise.all([world.tick(), tick(world.deps)]);
    }

    expect(await subjects()).toEqual([
      "standup.2026-01-27",
      "standup.2026-01-28",
      "standup.2026-01-29",
      "standup.2026-01-30",
      "weekly.2026-01-30",
      "weekly.2026-01-30.chart",
      "standup.2026-02-02",
    ]);
    expect(JSON.stringify(await posted("standup.2026-01-27"))).toContain("Monday's goal");
    expect(await posted("weekly.2026-01-30")).toMatchObject({
      title: "# Weekly Summary: 2026-01-26 to 2026-02-01",
      // What a phone shows is no Markdown.
      summary: expect.stringMatching(/^Weekly Summary: 2026-01-26/),
    });
  });

  it("is the weekly although the standup fails, which is tried again", async () => {
    const { pool } = world.deps.database;
    await pool.query(`create function cos.refuse() returns trigger language plpgsql as $$
      begin if new.event = 'standup.posted' then raise exception 'refused'; end if; return new; end $$`);
    await pool.query("create trigger refuse before insert on cos.timeline for each row execute function cos.refuse()");
    world.advance(4 * 24 * hour + 10 * hour);
    await world.tick().catch(() => undefined);
    expect(await subjects()).toEqual(["weekly.2026-01-30", "weekly.2026-01-30.chart"]);

    await pool.query("drop trigger refuse on cos.timeline");
    await world.tick();
    expect(await subjects()).toContain("standup.2026-01-30");
  });

  it("is made up for once after a machine was asleep, with everything since the last one", async () => {
    world.advance(24 * hour);
    await world.tick();
    await finished("Tuesday's goal");
    world.advance(50 * hour);
    await world.tick();
    await world.tick();

    expect(await subjects()).toEqual(["standup.2026-01-27", "standup.2026-01-29"]);
    expect(JSON.stringify(await posted("standup.2026-01-29"))).toContain("Tuesday's goal");
  });

  it("comes on its day, too, after a clock that was a month ahead was set back, and says what happened", async () => {
    world.advance(30 * 24 * hour);
    await world.tick();
    const ahead = await subjects();
    valueOf(await world.command("schedule", "set", "weekly", "--cron", "0 15 * * 5"));
    world.advance(-29 * 24 * hour);
    await finished("Tuesday's goal");
    await world.tick();
    await world.tick();
    world.advance(3 * 24 * hour + 6.5 * hour);
    await world.tick();

    expect(ahead).toContain("standup.2026-02-25");
    expect((await subjects()).slice(ahead.length)).toEqual([
      "standup.2026-01-27",
      "standup.2026-01-30",
      "weekly.2026-01-30",
      "weekly.2026-01-30.chart",
    ]);
    expect(JSON.stringify(await posted("standup.2026-01-27"))).toContain("Tuesday's goal");

    await finished("Friday's goal");
    world.advance(2 * 24 * hour + 18 * hour);
    await world.tick();
    expect(JSON.stringify(await posted("standup.2026-02-02"))).toContain("Friday's goal");
  });

  it("that is moved to later on the day on which it came is said to come, and comes, on the next", async () => {
    world.advance(24 * hour);
    await world.tick();
    const set = await world.command("schedule", "set", "standup", "--cron", "0 16,18 * * *");
    const [, shown] = valueOf<{ name: string; nextAt: Date | null }[]>(await world.command("schedules"));
    world.advance(7 * hour);
    await world.tick();
    const today = await subjects();
    world.advance(24 * hour);
    await world.tick();

    expect(shown).toMatchObject({ name: "standup", nextAt: new Date("2026-01-28T16:00:00Z") });
    expect([today, await subjects()]).toEqual([["standup.2026-01-27"], ["standup.2026-01-27", "standup.2026-01-28"]]);
    expect(set.type === "done" ? JSON.stringify(set.card) : "").toContain("only the first of its times counts");
  });

  it("comes when a person says, or not at all; new times make up for nothing", async () => {
    valueOf(await world.command("schedule", "set", "standup", "--cron", "30 8 * * *"));
    valueOf(await world.command("schedule", "set", "weekly", "--off"));
    await world.tick();
    expect(await subjects()).toEqual([]);
    for (let day = 0; day < 6; day += 1) {
      world.advance(24 * hour);
      await world.tick();
    }

    expect((await subjects()).length).toBe(6);
    const shown = valueOf<{ name: string; cron: string; isOn: boolean; nextAt: Date | null }[]>(
      await world.command("schedules"),
    );
    expect(shown).toMatchObject([
      { name: "campaigns", cron: "0 9 * * 1,2,3,4,5", isOn: true },
      { name: "standup", cron: "30 8 * * *", isOn: true },
      { name: "weekly", isOn: false, nextAt: null },
    ]);
    await expect(world.command("schedule", "set", "standup", "--cron", "D 9 * * 1")).rejects.toThrow("--cron: found");
    await expect(world.command("schedule", "set", "standup", "--cron", "9 o'clock")).rejects.toThrow("--cron: found");
    expect((await world.command("schedule", "set", "lunch", "--off")).type).toBe("refused");
  });

  it("comes on the working days of now, also after they were set anew, unless a person set its days", async () => {
    world.advance(24 * hour);
    await world.tick();
    // Started again with COS_WORKING_DAYS=Sun-Thu.
    const anew = { ...world.deps, config: { ...world.deps.config, workingDays: [1, 2, 3, 4, 7] } };
    for (let day = 0; day < 6; day += 1) {
      world.advance(24 * hour);
      await tick(anew);
    }
    expect((await subjects()).filter((subject) => subject.startsWith("standup"))).toEqual([
      "standup.2026-01-27",
      "standup.2026-01-28",
      "standup.2026-01-29",
      "standup.2026-02-01",
      "standup.2026-02-02",
    ]);

    const set = async (cron: string) => {
      valueOf(await world.command("schedule", "set", "standup", "--cron", cron));
      return (await ensureSchedules(anew.database.db, anew)).find(({ name }) => name === "standup")?.cron;
    };
    expect([await set("0 9 * * 1-5"), await set("30 8 * * D")]).toEqual(["0 9 * * 1-5", "30 8 * * 1,2,3,4,0"]);
  });
});
