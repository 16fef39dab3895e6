import { sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Database, openDatabase } from "../../src/db/connection/client.ts";
import { connectionOf, openPool } from "../../src/db/connection/connections.ts";
import { CommitUnknown, DatabaseAway, isAway, databaseTrouble } from "../../src/db/connection/failures.ts";
import { oneAfterAnother, onlyOne } from "../../src/db/connection/locks.ts";
import { migrate } from "../../src/db/connection/migrate.ts";
import { openOwnership } from "../../src/db/connection/ownership.ts";
import { openSignals } from "../../src/db/connection/signals.ts";
import type { Signal } from "../../src/db/connection/signalled.ts";
import { eventually } from "../fakes/bot.ts";
import { type OwnPostgres, ownPostgres } from "../fakes/postgres.ts";

/** Connections that break at every moment of their lives. An `error` event that nobody hears would end this process. */

let server: OwnPostgres;
let control: pg.Client;
let database: Database;
let errors: Error[] = [];

beforeAll(async () => {
  server = await ownPostgres();
});
afterAll(() => server.close());

beforeEach(async () => {
  errors = [];
  control = await connected();
  await control.query("create table if not exists public.notes (words text)");
  await control.query("truncate public.notes");
  database = openDatabase(server.url, (error) => errors.push(error), 4, {
    // A slow machine takes its time to restart a server.
    keepTryingMs: 240_000,
    keepAskingMs: 240_000,
    pauseMs: 20,
  });
});
afterEach(async () => {
  await database.close();
  await control.end();
});

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server.url });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function notes(): Promise<string[]> {
  const { rows } = await control.query<{ words: string }>("select words from public.notes order by words");
  return rows.map((row) => row.words);
}

async function failureIn(asked: PromiseLike<unknown>): Promise<unknown> {
  try {
    return await asked;
  } catch (error) {
    return error;
  }
}

/** Ends every connection but the test's own, on the server's side. */
async function terminateAll(): Promise<void> {
  await control.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
  );
}

describe("a connection", () => {
  it("[F-101] that ends in one breath with its first answer is not handed out", async () => {
    const onError = (error: Error) => errors.push(error);
    const pool = openPool({ url: server.url, size: 2, onError, longestStatementMs: null });
    const cut = server.proxy.cutAt("tcp_keepalives_idle", "with");

    await expect(pool.connect()).rejects.toBeInstanceOf(DatabaseAway);
    await cut;
    const { rows } = await pool.query("select 1 as one");

    expect(rows).toEqual([{ one: 1 }]);
    expect(errors).toHaveLength(1);
    await pool.end();
  });

  it("[F-101] is waited for as long as others give theirs back, however slow they are", async () => {
    const pool = openPool({ url: server.url, size: 1, onError: () => undefined, longestStatementMs: null });
    const first = await connectionOf(pool);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const waiting = [connectionOf(pool), connectionOf(pool)] as const;
      first.release();
      const second = await waiting[0];
      await vi.advanceTimersByTimeAsync(40_000);
      second.release();
      const third = await waiting[1];
      const inVain = connectionOf(pool).catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(40_000);

      expect(await inVain).toBeInstanceOf(DatabaseAway);
      third.release();
    } finally {
      vi.useRealTimers();
      await pool.end();
    }
  });
});

describe("a migration", () => {
  it("[F-101] whose connection is ended says that the database is away, and is safe twice", async () => {
    const cut = server.proxy.cutAt("server_version_num", "with");

    await expect(migrate(server.url)).rejects.toBeInstanceOf(DatabaseAway);
    await cut;
    await migrate(server.url);

    expect((await control.query("select count(*)::int as found from cos.goals")).rows).toEqual([{ found: 0 }]);
  });
});

describe("a transaction", () => {
  it("[F-101] whose connection is ended between two statements is run again and applied once", async () => {
    let runs = 0;

    const result = await database.transaction(async (tx) => {
      runs += 1;
      await tx.execute(sql`insert into public.notes values (${`run ${runs}`})`);
      if (runs === 1) await terminateAll();
      await tx.execute(sql`insert into public.notes values ('end')`);
      return runs;
    });

    expect(result).toBe(2);
    expect(await notes()).toEqual(["end", "run 2"]);
  });

  it("[F-101] that loses its connection while it begins takes nothing from the pool", async () => {
    for (let times = 0; times < 12; times += 1) {
      const cut = server.proxy.cutAt("begin", "before");
      await database.transaction((tx) => tx.execute(sql`insert into public.notes values (${String(times)})`));
      await cut;
    }

    expect((await notes()).length).toBe(12);
    expect(database.pool.totalCount - database.pool.idleCount).toBe(0);
  });

  it("[F-101] whose COMMIT was done and not answered is reported as done", async () => {
    let runs = 0;
    const cut = server.proxy.cutAt("commit", "after");

    await database.transaction(async (tx) => {
      runs += 1;
      await tx.execute(sql`insert into public.notes values ('once')`);
    });

    await cut;
    expect(runs).toBe(1);
    expect(await notes()).toEqual(["once"]);
  });

  it("[F-101] whose COMMIT never arrived is run again and applied once", async () => {
    let runs = 0;
    const cut = server.proxy.cutAt("commit", "before");

    await database.transaction(async (tx) => {
      runs += 1;
      await tx.execute(sql`insert into public.notes values (${`run ${runs}`})`);
    });

    await cut;
    expect(await notes()).toEqual(["run 2"]);
  });

  it("[F-101] whose COMMIT was done as the server went away says that it is not known", async () => {
    const impatient = openDatabase(server.url, () => undefined, 2, {
      keepTryingMs: 0,
      keepAskingMs: 100,
      pauseMs: 10,
    });
    const cut = server.proxy.cutAt("commit", "after").then(() => {
      server.proxy.target = null;
    });

    const done = impatient.transaction((tx) => tx.execute(sql`insert into public.notes values ('perhaps')`));

    await expect(done).rejects.toBeInstanceOf(CommitUnknown);
    await cut;
    await server.start();
    expect(await notes()).toEqual(["perhaps"]);
    await impatient.close();
  });

  it("[F-101] fails as the database being away, with nothing applied, when the server stays away", async () => {
    const impatient = openDatabase(server.url, () => undefined, 2, {
      keepTryingMs: 50,
      keepAskingMs: 100,
      pauseMs: 10,
    });
    server.proxy.target = null;

    const done = impatient.transaction((tx) => tx.execute(sql`insert into public.notes values ('never')`));

    await expect(done).rejects.toBeInstanceOf(DatabaseAway);
    await server.start();
    expect(await notes()).toEqual([]);
    await impatient.close();
  });

  it("[F-101] goes on when the server restarts under it", async () => {
    let runs = 0;

    await database.transaction(async (tx) => {
      runs += 1;
      await tx.execute(sql`insert into public.notes values (${`run ${runs}`})`);
      if (runs > 1) return;
      await server.stop("kill");
      await server.start("elsewhere");
      await tx.execute(sql`select 1`);
    });

    control = await connected();
    expect(await notes()).toEqual(["run 2"]);
  });

  it("[F-101] throws what its work throws, once, and leaves the connection usable", async () => {
    let runs = 0;

    const failing = database.transaction(async (tx) => {
      runs += 1;
      await tx.execute(sql`insert into public.notes values ('no')`);
      throw Object.assign(new Error("not ours"), { code: "ECONNRESET" });
    });

    await expect(failing).rejects.toThrow("not ours");
    expect(runs).toBe(1);
    expect(await notes()).toEqual([]);
  });

  it("[F-101] that went on after a failed statement says that nothing was recorded", async () => {
    const swallowing = database.transaction(async (tx) => {
      await tx.execute(sql`insert into public.notes values ('lost')`);
      await tx.execute(sql`select 1 / 0`).catch(() => undefined);
    });

    await expect(swallowing).rejects.toThrow("nothing was recorded");
  });
});

describe("a statement by itself", () => {
  it("[F-101] that reads is asked again", async () => {
    await database.db.execute(sql`select 1`);
    const cut = server.proxy.cutAt("select 7 as seven", "before");

    const { rows } = await database.db.execute<{ seven: number }>(sql`select 7 as seven`);

    await cut;
    expect(rows).toEqual([{ seven: 7 }]);
  });

  it("[F-101] that writes and was not answered is not sent again", async () => {
    const cut = server.proxy.cutAt("insert into public.notes", "after");

    const writing = database.db.execute(sql`insert into public.notes values ('one')`);

    await expect(writing).rejects.toMatchObject({ cause: { name: "DatabaseAway" } });
    await cut;
    expect(await notes()).toEqual(["one"]);
  });

  it("[F-101] that gets no connection says what keeps the database away, whatever was put around it", async () => {
    const impatient = openDatabase(server.url, () => undefined, 1, { keepTryingMs: 0, keepAskingMs: 0, pauseMs: 1 });
    const { target } = server.proxy;
    // It ends connections at once.
    server.proxy.target = null;

    const failures = [
      await failureIn(impatient.db.select({ one: sql`1` }).from(sql`public.notes`)),
      await failureIn(impatient.transaction(async (tx) => tx.execute(sql`select 1`))),
    ];

    server.proxy.target = target;
    await impatient.close();
    expect(failures.map((failure) => [isAway(failure), databaseTrouble(failure)])).toEqual([
      [true, { type: "cut" }],
      [true, { type: "cut" }],
    ]);
  });

  it("[F-101] waits for a server that is being started again", async () => {
    await server.stop("fast");
    const writing = database.db.execute(sql`insert into public.notes values ('late')`);
    await server.start();

    await writing;
    control = await connected();
    expect(await notes()).toEqual(["late"]);
  });

  it("[F-101] survives the end of connections that lie idle in the pool or are checked out", async () => {
    await Promise.all([1, 2, 3].map(() => database.db.execute(sql`select pg_sleep(0.01)`)));
    const held = await database.pool.connect();
    await terminateAll();
    await eventually("the loss to be heard", async () => errors.length >= 2);

    held.release(true);
    expect((await database.db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
    expect(errors.every((error) => error instanceof DatabaseAway)).toBe(true);
  });
});

describe("a name that one at a time may hold", () => {
  it("[F-101] is given up with its connection: the work hears of it, and another may take the name", async () => {
    let second = false;

    const first = await onlyOne(database.pool, "cos test", async (signal) => {
      await terminateAll();
      await eventually("the loss to be heard", async () => signal.aborted);
      second = await onlyOne(database.pool, "cos test", async () => undefined);
    });

    expect([first, second]).toEqual([true, true]);
    expect(await onlyOne(database.pool, "cos test", async () => undefined)).toBe(true);
  });

  it("[F-101] that is waited for is given up in the same way", async () => {
    const heard = await oneAfterAnother(database.pool, "cos waits", async (signal) => {
      await terminateAll();
      await eventually("the loss to be heard", async () => signal.aborted);
      return signal.aborted;
    });

    expect(heard).toBe(true);
    expect(await oneAfterAnother(database.pool, "cos waits", async () => "free")).toBe("free");
  });
});

describe("ownership", () => {
  it("[F-101] is kept on one connection, whoever asks at the same time", async () => {
    const owner = openOwnership(server.url, () => undefined);

    const got = await Promise.all(["a", "b", "c"].map((name) => owner.owns(name)));

    expect(got).toEqual([true, true, true]);
    const { rows } = await control.query<{ holders: number }>(
      "select count(distinct pid)::int as holders from pg_locks where locktype = 'advisory' and granted",
    );
    expect(rows[0]?.holders).toBe(1);
    await owner.release();
  });

  it("[F-101] ends with its connection: who takes the name then has it, and the first one knows", async () => {
    const first = openOwnership(server.url, () => undefined);
    const second = openOwnership(server.url, () => undefined);
    expect([await first.owns("channel"), await second.owns("channel")]).toEqual([true, false]);

    await control.query(
      "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and pid <> pg_backend_pid()",
    );
    await eventually("the second to own it", () => second.owns("channel"));

    await eventually("the first to know", async () => !(await first.owns("channel")));
    await second.release();
    await eventually("the first to own it again", () => first.owns("channel"));
    await first.release();
  });

  it("[F-101] survives a restart of the server, for each of its names", async () => {
    const owner = openOwnership(server.url, () => undefined);
    await owner.owns("a");
    await owner.owns("b");

    await server.stop("kill");
    await eventually("the loss", async () => !(await owner.owns("a")));
    await server.start("elsewhere");

    await eventually("both again", async () => (await owner.owns("a")) && (await owner.owns("b")));
    await owner.release();
    control = await connected();
  });
});

describe("signals", () => {
  it("[F-101] are heard again after every loss, and say that something may have been missed", async () => {
    const heard: Signal[] = [];
    const signals = openSignals(server.url, () => undefined);
    signals.on((signal) => heard.push(signal));
    await eventually("the first look", async () => heard.length === 1);

    await terminateAll();
    await eventually("the second look", async () => heard.length === 2);
    await control.query("notify cos, 'stop goal-1'");
    await eventually("the signal", async () => heard.length === 3);

    expect(heard).toEqual([{ type: "messages" }, { type: "messages" }, { type: "stop", goalId: "goal-1" }]);
    await signals.close();
  });
});
