import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { findLocks } from "../../src/commands/find-servers.ts";
import { databaseHealth, tellingWhoHolds } from "../../src/database-health.ts";
import { isAway } from "../../src/db/connection/failures.ts";
import { lockMigrations, migrate } from "../../src/db/connection/migrate.ts";
import { probeDatabase } from "../../src/db/connection/probe.ts";
import { openLog } from "../../src/log.ts";
import { openOutage } from "../../src/outage.ts";
import { openDatabase } from "../../src/db/connection/client.ts";
import { freshDatabase } from "../fakes/database.ts";
import { eventually } from "../fakes/bot.ts";

/** Somebody else's transaction holds tables of ours: doctor names it, however many of ours wait behind each other. */

it("who holds up statements of ours is named with its process and its name, and nobody when it has ended", async () => {
  const fresh = await freshDatabase();
  const database = openDatabase(fresh.url, () => undefined, 5);
  const other = new pg.Client({ connectionString: fresh.url, application_name: "nightly-report" });
  await other.connect();
  onTestFinished(async () => {
    await other.end();
    await database.close();
    await fresh.drop();
  });
  const { rows } = await other.query<{ pid: number }>("select pg_backend_pid() as pid");
  await other.query("begin; lock table cos.goals in share mode");
  expect(await findLocks({ database })).toEqual([]);

  // The second waits for the first, which waits for the other program.
  const waiting = ["update cos.goals set turn = 0", "lock table cos.goals in access exclusive mode"].map((statement) =>
    database.pool.query(`begin; ${statement}; commit`),
  );
  await eventually(
    "both wait",
    async () => (await findLocks({ database }))[0]?.says.startsWith("2 statements") === true,
  );
  const said = await findLocks({ database });
  await other.query("commit");
  await Promise.all(waiting);

  expect(said).toHaveLength(1);
  expect(said[0]).toMatchObject({ name: "locks", ok: false });
  expect(said[0]?.says).toContain(`process ${rows[0]?.pid} of PostgreSQL holds (nightly-report, user `);
  expect(said[0]?.says).toContain(`select pg_terminate_backend(${rows[0]?.pid})`);
  expect(await findLocks({ database })).toEqual([]);
});

it("health names who holds them, and says that the database answers, also where all connections of the process wait", async () => {
  const fresh = await freshDatabase();
  const database = openDatabase(fresh.url, () => undefined, 2);
  const other = new pg.Client({ connectionString: fresh.url, application_name: "nightly-report" });
  await other.connect();
  const outage = openOutage({
    name: "database",
    place: { name: "PostgreSQL", setting: "DATABASE_URL", where: "here" },
    isItsError: isAway,
    probe: () => probeDatabase(fresh.url),
    log: openLog("silent"),
    now: () => new Date(),
    zone: "UTC",
  });
  onTestFinished(async () => {
    outage.close();
    await other.end();
    await database.close();
    await fresh.drop();
  });
  const health = () => databaseHealth(database.pool, fresh.url, outage);
  expect(await health()).toEqual({ db: "ok", isDatabaseAway: false });

  await other.query("begin; lock table cos.goals");
  const waiting = ["one", "two"].map((word) =>
    database.pool.query(`begin; update cos.goals set content = '${word}'; commit`),
  );
  const named = expect.stringContaining("PostgreSQL holds (nightly-report, user ");
  await eventually("it is named", async () => (await health()).db !== "ok");
  const held = await health();
  await other.query("commit");
  await Promise.all(waiting);

  expect(held).toEqual({ db: named, isDatabaseAway: false });
  expect(await health()).toEqual({ db: "ok", isDatabaseAway: false });
});

it("a start that waits for another one, or for a program that has our tables, says for whom", async () => {
  const fresh = await freshDatabase();
  const other = new pg.Client({ connectionString: fresh.url, application_name: "half-a-start" });
  await other.connect();
  onTestFinished(async () => {
    await other.end();
    await fresh.drop();
  });
  await lockMigrations(other);
  const said: string[] = [];

  const brought = tellingWhoHolds(fresh.url, migrate(fresh.url), (text) => said.push(text));
  await eventually("it is said", async () => said.length > 0);
  await other.query("select pg_advisory_unlock_all()");
  await brought;

  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(/^The database is not brought up to date yet: 1 statement waits .* \(half-a-start, user /);
  await tellingWhoHolds(fresh.url, migrate(fresh.url), (text) => said.push(text));
  expect(said).toHaveLength(1);
});
