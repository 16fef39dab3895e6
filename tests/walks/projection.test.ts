import type pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import type { Caller } from "../../src/commands/command.ts";
import { execute } from "../../src/commands/execute.ts";
import { commands } from "../../src/commands/index.ts";
import { findCommand, parseGiven } from "../../src/commands/parse.ts";
import { plainCard, text } from "../../src/core/cards/card.ts";
import { openDatabase } from "../../src/db/connection/client.ts";
import { mark, markNotice } from "../../src/db/connection/marks.ts";
import { serveChannels } from "../../src/db/channels.ts";
import { updateGoal } from "../../src/db/goals.ts";
import type { Deps } from "../../src/deps.ts";
import { logTo } from "../../src/log.ts";
import { projectMarked } from "../../src/projection/project.ts";
import { openProjector } from "../../src/projection/projector.ts";
import { cardWords, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { untilOneWaits } from "../fakes/database.ts";

/** Cards are drawn from rows after the COMMIT, out of the marks that it left. */

const notice = (title: string) =>
  plainCard({ kind: "notice", tone: "neutral", title, summary: title, blocks: [text(title)] });

describe("cards out of marks", () => {
  let world: TestWorld;
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
    await world.close();
  });

  /** Nothing is drawn by itself from now on. */
  async function open(options: Parameters<typeof testWorld>[0] = {}): Promise<void> {
    world = await testWorld(options);
    await world.repository();
    world.deps.database.onMarks(() => undefined);
  }

  async function addGoal(content: string, ...more: string[]): Promise<string> {
    return valueOf<{ goalId: string }>(await world.command("goal", "add", content, "--run", "true", ...more)).goalId;
  }

  async function subjects(): Promise<string[]> {
    const { rows } = await world.deps.database.pool.query<{ subject: string }>(
      "select subject from cos.messages order by message_id",
    );
    return rows.map((row) => row.subject);
  }

  async function marksLeft(): Promise<number> {
    const { rows } = await world.deps.database.pool.query<{ left: number }>(
      "select count(*)::int as left from cos.marks",
    );
    return rows[0]?.left ?? 0;
  }

  async function client(): Promise<pg.PoolClient> {
    const opened = await world.deps.database.pool.connect();
    ends.push(async () => opened.release());
    return opened;
  }

  it("a process with fewer settings than the bot says what it asks in all of the bot's channels, in order", async () => {
    await open();
    const served = [
      { platform: "console", channel: "main" },
      { platform: "slack", channel: "C1" },
    ];
    await world.deps.database.transaction((tx) => serveChannels(tx, served, world.deps.now()));
    await world.deps.database.pool.query("insert into cos.channels values ('slack', 'C0', null, now())");
    const deps = { ...world.deps, channels: served.slice(0, 1) };
    await deps.database.transaction(async (tx) => {
      markNotice(tx, "notice-1", { threadSubject: null, card: notice("One") });
      markNotice(tx, "notice-2", { threadSubject: null, card: notice("Two") });
    });
    await projectMarked(deps);

    const { rows } = await world.deps.database.pool.query(
      "select subject, platform, channel from cos.messages where subject like 'notice-%' order by message_id",
    );
    expect(rows).toEqual(
      ["notice-1", "notice-2"].flatMap((subject) => served.map((channel) => ({ subject, ...channel }))),
    );
  });

  it("marks are there exactly when the change is, and each subject once a transaction", async () => {
    await open();
    const goalId = await addGoal("Make it blue");
    await projectMarked(world.deps);
    const undone = world.deps.database.transaction(async (tx) => {
      mark(tx, "goal", goalId);
      throw new Error("not this time");
    });
    await expect(undone).rejects.toThrow("not this time");
    expect(await marksLeft()).toBe(0);

    await world.deps.database.transaction(async (tx) => {
      mark(tx, "goal", goalId, "progress");
      mark(tx, "goal", goalId);
      mark(tx, "goal", goalId, "progress");
    });
    const { rows } = await world.deps.database.pool.query("select subject, id, urgency from cos.marks");
    expect(rows).toEqual([{ subject: "goal", id: goalId, urgency: "now" }]);
    expect(() => mark(world.deps.database.db, "goal", goalId)).toThrow("outside of a transaction");
  });

  it("[R9] a mark that is committed after a higher one is read; a cursor over their numbers would lose it", async () => {
    await open();
    const first = await addGoal("Early");
    const second = await addGoal("Second");
    await projectMarked(world.deps);

    const slow = await client();
    await slow.query("begin");
    await slow.query("insert into cos.marks (subject, id, urgency) values ('goal', $1, 'now')", [first]);
    await slow.query("update cos.goals set content = 'Late' where goal_id = $1", [first]);
    await world.deps.database.transaction(async (tx) => {
      await updateGoal(tx, second, { content: "Changed", updatedAt: world.deps.now() });
      mark(tx, "goal", second);
    });
    let seen = 0;
    const withCursor = async (): Promise<string[]> => {
      const { rows } = await world.deps.database.pool.query<{ mark_id: string; id: string }>(
        "select mark_id, id from cos.marks where mark_id > $1 order by mark_id",
        [seen],
      );
      seen = Math.max(seen, ...rows.map((row) => Number(row.mark_id)));
      return rows.map((row) => row.id);
    };
    expect(await withCursor()).toEqual([second]);
    await projectMarked(world.deps);
    expect(await cardWords(world, second)).toContain("Changed");
    expect(await cardWords(world, first)).toContain("Early");

    await slow.query("commit");
    expect(await withCursor()).toEqual([]);
    await projectMarked(world.deps);
    expect(await cardWords(world, first)).toContain("Late");
    expect(await marksLeft()).toBe(0);
  });

  /** Projects what was marked, and stands still before it stores: `go` lets it go on. */
  async function slowProjection(searchPath: string): Promise<{ go: () => void; done: Promise<void> }> {
    const url = new URL(world.databaseUrl);
    url.searchParams.set("options", `-c search_path=${searchPath}`);
    const database = openDatabase(url.href, () => undefined);
    ends.push(() => database.close());
    let stands: () => void = () => undefined;
    const standing = new Promise<void>((resolve) => {
      stands = resolve;
    });
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    database.pool.on("connect", (opened) => {
      const query = opened.query.bind(opened) as (...words: unknown[]) => unknown;
      // What comes after the write that stands, its COMMIT, stands behind it.
      let standsBehind: Promise<void> | null = null;
      opened.query = (async (...words: unknown[]) => {
        const [statement] = words;
        const sql = typeof statement === "string" ? statement : ((statement as pg.QueryConfig | undefined)?.text ?? "");
        if (/from "cos"."messages".*for update/s.test(sql)) {
          stands();
          standsBehind = gate;
        }
        if (standsBehind !== null) await standsBehind;
        return await query(...words);
      }) as typeof opened.query;
    });
    const done = projectMarked({ ...world.deps, database });
    await standing;
    return { go, done };
  }

  async function rename(goalId: string, content: string): Promise<void> {
    await world.deps.database.transaction(async (tx) => {
      await updateGoal(tx, goalId, { content, updatedAt: world.deps.now() });
      mark(tx, "goal", goalId);
    });
  }

  it("[R10] of two projections at once the one with the newer rows wins", async () => {
    await open();
    const goalId = await addGoal("As it was");
    const slow = await slowProjection("public");
    await rename(goalId, "As it is");
    const other = projectMarked(world.deps);
    await untilOneWaits(world);
    slow.go();
    await Promise.all([slow.done, other]);
    expect(await cardWords(world, goalId)).toContain("As it is");
    expect(await marksLeft()).toBe(0);
  });

  it("[R10] without their lock the older card would win", async () => {
    await open();
    const goalId = await addGoal("As it was");
    const { pool } = world.deps.database;
    // What the projection locks with, for whoever looks here first: nothing is locked.
    await pool.query("create schema unlocked");
    await pool.query(
      "create function unlocked.pg_advisory_xact_lock(int, int) returns void language sql as $$ select null $$",
    );
    const slow = await slowProjection("unlocked,pg_catalog,public");
    await rename(goalId, "As it is");
    await projectMarked(world.deps);
    expect(await cardWords(world, goalId)).toContain("As it is");
    slow.go();
    await slow.done;
    expect(await cardWords(world, goalId)).toContain("As it was");
  });

  it("a question that was raised and settled before it was drawn is never posted, nor what hangs under it", async () => {
    await open();
    const goalId = await addGoal("Make it blue", "--tag", "ui");
    await world.command("autopilot", "start");
    const [asked] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    const checkpointId = asked?.checkpointId ?? "";
    await world.deps.database.transaction(async (tx) =>
      markNotice(tx, `${checkpointId}.attempts`, { card: notice("what was tried"), threadSubject: checkpointId }),
    );
    await world.command("approve", checkpointId);
    await projectMarked(world.deps);
    const shown = await subjects();
    expect(shown).toContain(goalId);
    expect(shown.filter((each) => each.startsWith("cp-"))).toEqual([]);
    expect(await marksLeft()).toBe(0);
  });

  it("one that was drawn while it was open says how it was settled", async () => {
    await open();
    await addGoal("Make it blue", "--tag", "ui");
    await world.command("autopilot", "start");
    const [asked] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    const checkpointId = asked?.checkpointId ?? "";
    await projectMarked(world.deps);
    await world.command("approve", checkpointId);
    await projectMarked(world.deps);
    expect(await cardWords(world, checkpointId)).toContain("ana");
  });

  it("new messages stand in the order of their first marks, each behind the one that it hangs under", async () => {
    await open();
    const { database } = world.deps;
    await projectMarked(world.deps);
    const before = await subjects();
    await database.transaction(async (tx) => {
      markNotice(tx, "first", { card: notice("first"), threadSubject: null });
      markNotice(tx, "under last", { card: notice("under last"), threadSubject: "last" });
    });
    await database.transaction(async (tx) => {
      markNotice(tx, "second", { card: notice("second"), threadSubject: null });
      markNotice(tx, "first", { card: notice("first, again"), threadSubject: null });
      markNotice(tx, "last", { card: notice("last"), threadSubject: null });
    });
    await projectMarked(world.deps);
    expect((await subjects()).slice(before.length)).toEqual(["first", "last", "under last", "second"]);
    expect(await cardWords(world, "first")).toContain("again");
  });

  it("a card that cannot be drawn is in the way of no other, and is tried again later", async () => {
    const said: string[] = [];
    const log = logTo((level, event) => {
      if (level === "error") said.push(event);
    });
    await open({ log });
    const goalId = await addGoal("Make it blue");
    await world.deps.database.pool.query(
      `insert into cos.marks (subject, id, urgency, notice) values ('notice', 'broken', 'now', '{"card": null, "threadSubject": null}')`,
    );
    await projectMarked(world.deps);
    expect(await subjects()).toContain(goalId);
    expect(said).toEqual(["card.not-drawn"]);
    await projectMarked(world.deps);
    expect(said).toEqual(["card.not-drawn"]);

    await world.deps.database.pool.query("update cos.marks set notice = $1", [
      JSON.stringify({ card: notice("mended"), threadSubject: null }),
    ]);
    world.advance(world.deps.policy.projection.againAfterMs);
    await projectMarked(world.deps);
    expect(await cardWords(world, "broken")).toContain("mended");
    expect(await marksLeft()).toBe(0);
  });

  it("what a process left that has ended is drawn by the next look at what is due", async () => {
    await open();
    const goalId = await addGoal("Make it blue");
    expect(await subjects()).not.toContain(goalId);
    await world.tick();
    expect(await subjects()).toContain(goalId);
  });

  it("a person is told when the cards are drawn, however long the window", async () => {
    const long = 600_000;
    await open({
      policy: (policy) => ({
        ...policy,
        projection: { ...policy.projection, windowMs: long, progressWindowMs: long },
      }),
    });
    const projector = openProjector(world.deps);
    world.deps.database.onMarks(projector.hear);
    ends.push(() => projector.stop());
    await world.deps.database.transaction(async (tx) =>
      markNotice(tx, "nobody waits", { card: notice("a"), threadSubject: null }),
    );
    expect(await subjects()).not.toContain("nobody waits");

    const words = ["goal", "add", "Make it blue", "--run", "true"];
    const found = findCommand(commands, words);
    if (found === null) throw new Error("no such command");
    const deps: Deps = { ...world.deps, project: projector.project };
    const person = { type: "person", by: { type: "terminal" } } as const;
    const caller: Caller = { actor: "ana", via: "terminal", member: null, origin: person };
    const { goalId } = valueOf<{ goalId: string }>(
      await execute(deps, caller, found.command.asked(parseGiven(found.command, found.rest))),
    );
    expect(await subjects()).toEqual(expect.arrayContaining(["nobody waits", goalId]));
    expect(await marksLeft()).toBe(0);
  });
});
