import { existsSync } from "node:fs";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Card } from "../../src/core/cards/card.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import type { Policy } from "../../src/core/policy.ts";
import { whoHolds } from "../../src/core/space/holders.ts";
import { worktreeDirOf } from "../../src/paths.ts";
import { type Bot, cos, eventually, startBot } from "../fakes/bot.ts";
import { type ConsoleWorld, consoleWorld } from "../fakes/console.ts";
import { freshDatabase } from "../fakes/database.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";
import { ana, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";

/** More than any disk has. */
const everything = Number.MAX_SAFE_INTEGER;

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of closing.splice(0)) await each.close();
});

/** A world whose floor a test moves, instead of filling a disk. */
async function worldWith(floorBytes: number): Promise<{ world: TestWorld; floor: (bytes: number) => void }> {
  const space = { floorBytes, temporaryFloorBytes: 0, enoughFactor: 1, retryMs: 1000 };
  const policy = (given: Policy): Policy => ({ ...given, space });
  const world = await testWorld({ policy });
  closing.push(world);
  await world.repository();
  return {
    world,
    floor(bytes) {
      space.floorBytes = bytes;
    },
  };
}

async function add(world: TestWorld, ...words: string[]): Promise<string> {
  return valueOf<{ goalId: string }>(await world.command("goal", "add", ...words)).goalId;
}

async function cardsAbout(world: TestWorld): Promise<{ subject: string; card: Card; version: number }[]> {
  const { rows } = await world.deps.database.pool.query<{ subject: string; card: Card; version: number }>(
    "select subject, card, version from cos.messages where subject like 'space.%' and platform = 'console' order by message_id",
  );
  return rows;
}

async function statusOf(world: TestWorld, goalId: string): Promise<string> {
  return valueOf<{ status: string }>(await world.command("goal", "show", goalId)).status;
}

describe("too little free space", () => {
  it("[F-112] starts no goal, charges and asks nothing, is said once; goals go on by themselves, said once", async () => {
    const { world, floor } = await worldWith(everything);
    const goalId = await add(world, "Round up", "--run", "echo one > one.txt");
    await world.command("autopilot", "start");
    for (let round = 0; round < 3; round += 1) {
      await world.work();
      await world.tick();
      world.advance(60_000);
    }

    const { rows } = await world.deps.database.pool.query(
      "select turn, run_id, leased_by, interruptions, status from cos.goals",
    );
    expect(rows).toEqual([{ turn: 0, run_id: null, leased_by: null, interruptions: 0, status: "pending" }]);
    for (const table of ["runs", "spend", "checkpoints", "evidence"])
      expect((await world.deps.database.pool.query(`select 1 from cos.${table}`)).rows).toEqual([]);
    const [said, ...more] = await cardsAbout(world);
    expect(more).toEqual([]);
    expect(said).toMatchObject({ version: 1, card: { tone: "bad", title: "No goal starts: a disk is nearly full" } });
    expect(said?.card.summary).toMatch(/the data directory has [\d.]+ [MGT]B free, [\d.]+ TB are needed/);
    expect(said === undefined ? [] : terminalLines(said.card, "UTC").join("\n")).toContain("cos doctor");
    expect(JSON.stringify(said?.card)).not.toContain(world.dataDir);
    const why = valueOf<{ waitsFor: string }>(await world.command("why", goalId));
    expect(why.waitsFor).toMatch(/^waits for space: the data directory has /);
    expect(valueOf<{ lackingSpace: string }>(await world.command("status")).lackingSpace).toContain(
      "the data directory",
    );
    const whenItBegan = said?.card.summary.match(/[\d.]+ TB are needed/)?.[0];
    floor(everything / 2);
    const now = valueOf<{ lackingSpace: string }>(await world.command("status")).lackingSpace;
    expect(now).toMatch(/[\d.]+ TB are needed/);
    expect(now).not.toContain(whenItBegan);
    floor(everything);
    const doctor = valueOf<{ name: string; ok: boolean; says: string }[]>(await world.command("doctor"));
    expect(doctor.filter((each) => each.name.startsWith("free space"))).toMatchObject([
      { name: "free space, data directory", ok: false, says: expect.stringContaining(world.dataDir) as string },
      { name: "free space, temporary folder", ok: true },
    ]);

    floor(0);
    for (let round = 0; round < 3; round += 1) {
      await world.tick();
      await world.work();
    }

    expect(await statusOf(world, goalId)).toBe("complete");
    const cards = await cardsAbout(world);
    expect(cards).toMatchObject([
      { version: 2, card: { tone: "good", title: "There is space again" } },
      { version: 1, card: { tone: "good" } },
    ]);
  });

  it("[F-112] says it once for all processes of a machine, and again when it happens again", async () => {
    const { world, floor } = await worldWith(everything);
    await Promise.all([world.tick(), world.tick(), world.tick()]);
    expect((await cardsAbout(world)).length).toBe(1);
    floor(0);
    await Promise.all([world.tick(), world.tick()]);
    expect((await cardsAbout(world)).length).toBe(2);
    floor(everything);
    await world.tick();
    await world.tick();

    expect((await cardsAbout(world)).length).toBe(3);
  });

  it("[F-112] lets a goal that is at work go on, and holds one that was interrupted", async () => {
    const { world, floor } = await worldWith(0);
    const tries = join(world.dataDir, "tries");
    const full = join(world.dataDir, "full");
    const goalId = await add(
      world,
      "Twice",
      "--run",
      `echo x >> "${tries}"; test $(wc -l < "${tries}") -ge 2 && echo done > done.txt`,
    );
    await world.command("autopilot", "start");
    await world.work();
    floor(everything);
    world.advance(60_000);
    await world.work();
    expect(await statusOf(world, goalId)).toBe("complete");

    floor(0);
    const next = await add(
      world,
      "Jam",
      "--run",
      `test ! -e "${full}" || cat README.md > /dev/full && echo two > two.txt`,
    );
    await writeFile(full, "");
    await world.command("autopilot", "start");
    await world.work();
    floor(everything);
    const turns = async (): Promise<unknown> =>
      (await world.deps.database.pool.query("select turn, interruptions from cos.goals where goal_id = $1", [next]))
        .rows[0];
    const before = await turns();
    for (let round = 0; round < 5; round += 1) {
      world.advance(60_000);
      await world.tick();
      await world.work();
    }
    expect(await turns()).toEqual(before);
    expect(before).toMatchObject({ interruptions: 1 });
  });
});

describe("a goal whose files fill the disk", () => {
  it("[F-112] is named by the card, with the command that ends it; then its files go, and others start", async () => {
    const { world, floor } = await worldWith(0);
    const goalId = await add(world, "Jam", "--run", "cat README.md > /dev/full");
    await world.command("autopilot", "start");
    await world.work();
    // It takes no space; for who adds up it is a terabyte.
    const file = join(worktreeDirOf(world.dataDir, goalId), "build.bin");
    await writeFile(file, "");
    await truncate(file, 1e12);
    const free = (await world.deps.space()).places.find(({ place }) => place === "data directory")?.freeBytes ?? 0;
    floor(free + 5e11);
    await world.tick();

    const [said] = await cardsAbout(world);
    const lines = said === undefined ? [] : terminalLines(said.card, "UTC");
    expect(lines.join("\n")).toContain(`The files of ${goalId} take 1.0 TB.`);
    expect(lines.join("\n")).toContain(`cos goal skip ${goalId} ends it and removes them.`);

    await world.command("goal", "skip", goalId);
    world.advance(60_000);
    await world.tick();
    expect(existsSync(file)).toBe(false);
  });

  it("[F-112] names no goal whose files would not make room, nor one where another disk is short", () => {
    const places = [
      { place: "data directory" as const, folder: "/data", freeBytes: 100e6, needBytes: 500e6, isShort: true },
      { place: "database" as const, folder: "/db", freeBytes: 600e6, needBytes: 500e6, isShort: false },
    ];
    const holders = [
      { goalId: "goal-00000001", bytes: 399e6 },
      { goalId: "goal-00000002", bytes: 400e6 },
      { goalId: "goal-00000003", bytes: 401e6 },
    ];

    expect(whoHolds(holders, places).map(({ goalId }) => goalId)).toEqual(["goal-00000003", "goal-00000002"]);
    expect(
      whoHolds(
        holders,
        places.map((each) => ({ ...each, isShort: !each.isShort })),
      ),
    ).toEqual([]);
  });
});

/** Every insert into a table fails as it does on a full disk. */
async function fill({ deps }: TestWorld, table: string): Promise<void> {
  await deps.database.pool.query(`
    create function full_disk() returns trigger language plpgsql as $$
    begin
      raise exception 'could not extend file "base/16384/2619": No space left on device' using errcode = '53100', hint = 'Check free disk space.';
    end $$;
    create trigger full_disk before insert or update on cos.${table} for each row execute function full_disk()`);
}

describe("a database without space", () => {
  it("[F-112] is said by commands, with what to do", async () => {
    const { world } = await worldWith(0);
    await fill(world, "goals");

    const result = await world.command("goal", "add", "Anything");

    expect(result).toMatchObject({
      type: "refused",
      reason: expect.stringMatching(
        /^there is no space left: the database: could not extend file .*No space left on device/,
      ) as string,
      next: "cos doctor",
    });
  });

  it("[F-112] that cannot note that goals wait for space does not keep people from hearing it", async () => {
    const { world, floor } = await worldWith(0);
    const goalId = await add(world, "Round up", "--run", "echo one > one.txt");
    await world.command("autopilot", "start");
    floor(everything);
    await fill(world, "shortages");
    await world.tick();
    await world.work();

    const status = await world.command("status");
    expect(valueOf<{ lackingSpace: string }>(status).lackingSpace).toContain("the data directory has ");
    expect(status.type === "done" ? terminalLines(status.card, "UTC").join("\n") : "").toMatch(/First: Free .*space/i);
    const why = valueOf<{ waitsFor: string }>(await world.command("why", goalId));
    expect(why.waitsFor).toMatch(/^waits for space: the data directory has /);
  });

  it("[F-112] is said by the console: the reason and what to do, for forms and for pages", async () => {
    const world: ConsoleWorld = await consoleWorld();
    closing.push(world);
    await world.repository();
    await fill(world, "goals");
    const form = await world.post("/command", { text: "goal add Anything", back: "/" });
    const page = await world.get(form.headers.get("location") ?? "/");
    expect(await page.text()).toContain("there is no space left: the database");

    await world.deps.database.pool.query(`
      alter table cos.goals rename to goals_there;
      create function cos.unreadable() returns setof cos.goals_there language plpgsql as $$
      begin
        raise exception 'could not write to file "base/pgsql_tmp/1": No space left on device' using errcode = '53100';
      end $$;
      create view cos.goals as select * from cos.unreadable()`);
    const failed = await world.get("/goals");

    expect(failed.status).toBe(507);
    const text = await failed.text();
    expect(text).toContain("There is no space left");
    expect(text).toContain("could not write to file");
    expect(text).toContain("cos doctor");
  });

  it("[F-112] is said in Slack, privately, to whoever typed or pressed", async () => {
    const world: SlackWorld = await slackWorld();
    closing.push(world);
    await world.repository();
    await world.command("goal", "add", "Ask first", "--run", "echo done > done.txt", "--tag", "ui");
    await world.command("autopilot", "start");
    await world.show();
    await fill(world, "seen_events");

    const typed = await world.slack.people.type(ana, "/cos", "goal add 'Anything'");
    const pressed = await world.slack.people.click(ana, world.slack.message(": Ask first"), "proceed");

    expect(JSON.stringify(typed.answer)).toContain("here is no space left: the database: could not extend file");
    expect(JSON.stringify(typed.answer)).toContain("cos doctor");
    expect(pressed.acknowledged).toBe(true);
    await eventually("the line", async () =>
      world.slack.ephemerals.some((each) => each.text.includes("here is no space left: the database")),
    );
    expect(valueOf<unknown[]>(await world.command("checkpoints")).length).toBe(1);
  });
});

describe("a bot whose disk is nearly full", () => {
  it("[F-112] says so in its health and on a card, starts nothing, and says in the terminal what it waits for", async () => {
    const database = await freshDatabase();
    const { world } = await worldWith(0);
    const dataDir = join(world.dataDir, "bot");
    const place = { databaseUrl: database.url, dataDir, environment: { COS_MIN_FREE_MB: "1000000000" } };
    let bot: Bot | null = null;
    try {
      const path = await makeRepository(join(world.dataDir, "other"), { "README.md": "one\n" });
      await cos(place, "repo", "add", path, "--setup", "", "--check", "");
      const added = await cos(place, "goal", "add", "Wait", "--run", "echo one > one.txt");
      const { goalId } = added.json<{ goalId: string }>();
      bot = await startBot(place);
      await cos(place, "autopilot", "start");
      const why = await eventually("the reason", async () => {
        const { waitsFor } = (await cos(place, "why", goalId)).json<{ waitsFor: string }>();
        return waitsFor.startsWith("waits for space") ? waitsFor : null;
      });
      const health = (await (await fetch(`${bot.url}/healthz`)).json()) as { status: string; space: string };

      expect(why).toContain("TB are needed");
      expect(health.status).toBe("degraded");
      expect(health.space).toMatch(/^the data directory has [\d.]+ [MGT]B free, [\d.]+ TB are needed/);
    } finally {
      bot?.kill("SIGKILL");
      await bot?.exited;
      await database.drop();
    }
  });

  it("[F-112] refuses a floor that is no number", async () => {
    const place = { databaseUrl: "", dataDir: "/nowhere", environment: { COS_MIN_FREE_MB: "lots" } };
    const said = await cos(place, "goals");
    expect(said.stderr).toContain('COS_MIN_FREE_MB: found "lots", expected a whole number from 0 to 1000000000');
  });
});
