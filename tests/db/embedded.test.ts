import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { openEmbedded } from "../../src/db/embedded/client.ts";
import { embeddedPlaces } from "../../src/db/embedded/places.ts";
import { canEnter } from "../../src/db/embedded/server-user.ts";
import { eventually } from "../fakes/bot.ts";
import { cleanUp, dataDirectory, hold, serversOf, sql, supervisorsOf } from "../fakes/embedded.ts";

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const canNobodyRunUs =
  isRoot &&
  canEnter({ name: "nobody", uid: NOBODY, gid: NOBODY }, join(import.meta.dirname, "..", "..", "node_modules"));

// Process tables are read from /proc.
describe.skipIf(process.platform !== "linux").concurrent("embedded PostgreSQL", () => {
  afterAll(cleanUp);

  test("a first start answers, and a second client shares it", async () => {
    const dataDir = dataDirectory({ mode: 0o711 });

    const database = await openEmbedded({ dataDir, onProgress: () => {} });
    const other = await hold(dataDir);

    expect(other.url).toBe(database.url);
    expect(await sql(database.url, "select current_setting('TimeZone') as zone")).toEqual([{ zone: "UTC" }]);
    expect(statSync(join(dataDir, "postgres.json")).mode & 0o777).toBe(0o600);
    expect(database.description).not.toContain(new URL(database.url).password);
    await other.finish();
    await database.release();
  });

  test("lives exactly as long as its last client, whoever came first", async () => {
    const dataDir = dataDirectory({ mode: 0o711 });
    const first = await hold(dataDir);
    const second = await hold(dataDir);

    await first.finish();
    await delay(2_500);
    expect(await sql(second.url, "select 1 as one")).toEqual([{ one: 1 }]);

    const third = await hold(dataDir);
    await second.finish();
    await delay(2_500);
    expect(await sql(third.url, "select 1 as one")).toEqual([{ one: 1 }]);

    await third.finish();
    await eventually("all to end", async () => serversOf(dataDir).length === 0 && supervisorsOf(dataDir).length === 0);
    expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
  });

  test("kill -9 of the only client stops the server; a client that comes meanwhile is served", async () => {
    const dataDir = dataDirectory({ mode: 0o711 });
    const first = await hold(dataDir);

    await first.kill();
    await delay(1_950);
    const late = await hold(dataDir);

    expect(await sql(late.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await late.kill();
    await eventually("its servers to end", async () => serversOf(dataDir).length === 0);
  });

  test("a data directory that another container serves gets no second server; one that it left does", async () => {
    const dataDir = dataDirectory({ mode: 0o711 });
    const file = join(dataDir, "postgres.alive");
    const first = await hold(dataDir);
    await eventually("it says so", async () => existsSync(file));
    await first.finish();
    await eventually("its servers to end", async () => serversOf(dataDir).length === 0 && !existsSync(file));
    writeFileSync(file, "another-1");
    const touching = setInterval(() => utimesSync(file, new Date(), new Date()), 200);

    await expect(hold(dataDir)).rejects.toThrow(/Another container or machine runs the database of/);
    expect(serversOf(dataDir)).toEqual([]);
    clearInterval(touching);
    const later = await hold(dataDir);

    expect(await sql(later.url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect(readFileSync(file, "utf8")).not.toBe("another-1");
    await later.finish();
  });

  test("kill -9 of the supervisor: clients go on, another adopts the same server", async () => {
    const dataDir = dataDirectory({ mode: 0o711 });
    const client = await hold(dataDir);
    const [server] = serversOf(dataDir);
    const [supervisor] = supervisorsOf(dataDir);

    process.kill(supervisor ?? 0, "SIGKILL");
    expect(await sql(client.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await eventually("another supervisor", async () => supervisorsOf(dataDir).some((pid) => pid !== supervisor));
    const newcomer = await hold(dataDir);

    expect(newcomer.url).toBe(client.url);
    expect(serversOf(dataDir)).toEqual([server]);
    await newcomer.finish();
    await client.finish();
    await eventually("its servers to end", async () => serversOf(dataDir).length === 0);
  });

  test("kill -9 of everything, then at once a start: the rows are there", async () => {
    const dataDir = dataDirectory({ mode: 0o711 });
    const client = await hold(dataDir);
    await sql(client.url, "create table kept (value int)");
    await sql(client.url, "insert into kept values (42)");

    for (const pid of [...supervisorsOf(dataDir), ...serversOf(dataDir)]) process.kill(pid, "SIGKILL");
    await client.kill();
    const again = await hold(dataDir);

    expect(again.url).toBe(client.url);
    expect(await sql(again.url, "select value from kept")).toEqual([{ value: 42 }]);
    await again.finish();
  });

  test("a server that dies under its clients comes back at the same address", async () => {
    const dataDir = dataDirectory({ mode: 0o711 });
    const client = await hold(dataDir);

    for (const pid of serversOf(dataDir)) process.kill(pid, "SIGKILL");

    await eventually("an answer", () => sql(client.url, "select 1").then(Boolean, () => false));
    await client.finish();
  });

  test("a pid file that names a foreign process is no obstacle", async () => {
    const dataDir = dataDirectory({ mode: 0o711 });
    const client = await hold(dataDir);
    const pidFile = join(dataDir, "postgres", "postmaster.pid");
    const stale = readFileSync(pidFile, "utf8").replace(/^\d+/, String(process.pid));
    await client.finish();
    await eventually("its supervisors to end", async () => supervisorsOf(dataDir).length === 0);

    writeFileSync(pidFile, stale);
    const again = await hold(dataDir);

    expect(await sql(again.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await again.finish();
  });

  test("a data directory deleted and made again gets a new database, not the dying one", async () => {
    const dataDir = dataDirectory({ mode: 0o711 });
    const client = await hold(dataDir);
    await sql(client.url, "create table gone (value int)");
    await client.finish();

    rmSync(join(dataDir, "postgres"), { recursive: true, force: true });
    rmSync(join(dataDir, "postgres.json"));
    const again = await hold(dataDir);

    await expect(sql(again.url, "select * from gone")).rejects.toThrow("does not exist");
    await again.finish();
  });

  test("four first starts at once share one server", async () => {
    const dataDir = dataDirectory({ mode: 0o711 });

    const holders = await Promise.all([1, 2, 3, 4].map(() => hold(dataDir)));

    expect(new Set(holders.map((holder) => holder.url)).size).toBe(1);
    expect(serversOf(dataDir)).toHaveLength(1);
    expect(supervisorsOf(dataDir)).toHaveLength(1);
    await Promise.all(holders.map((holder) => holder.finish()));
  });

  test("a database that is no longer whole is kept, and a start says where", async () => {
    const dataDir = dataDirectory({ mode: 0o711 });
    const first = await hold(dataDir);
    await first.finish();
    await eventually("all to end", async () => supervisorsOf(dataDir).length === 0);
    rmSync(join(dataDir, "postgres", "PG_VERSION"));

    const said: string[] = [];
    const database = await openEmbedded({ dataDir, onProgress: (text) => said.push(text) });
    await database.release();

    const [kept] = readdirSync(dataDir).filter((name) => name.startsWith("postgres.aside-"));
    expect(existsSync(join(dataDir, kept ?? "none", "base"))).toBe(true);
    expect(said[0]).toContain(
      `no whole database, its PG_VERSION is missing: it is kept in ${join(dataDir, kept ?? "none")}`,
    );
  });

  test("a database that is gone is said to be: an empty one begins", async () => {
    const dataDir = dataDirectory({ mode: 0o711 });
    const first = await hold(dataDir);
    await first.finish();
    await eventually("all to end", async () => supervisorsOf(dataDir).length === 0);
    rmSync(join(dataDir, "postgres"), { recursive: true });

    const said: string[] = [];
    const database = await openEmbedded({ dataDir, onProgress: (text) => said.push(text) });
    await database.release();

    expect(said[0]).toContain(`is gone: ${join(dataDir, "postgres.json")} names one, and ${join(dataDir, "postgres")}`);
  });

  test("a cluster of another major version is named, not opened", async () => {
    const dataDir = dataDirectory({ mode: 0o711 });
    const client = await hold(dataDir);
    await client.finish();
    await eventually("its supervisors to end", async () => supervisorsOf(dataDir).length === 0);

    writeFileSync(join(dataDir, "postgres", "PG_VERSION"), "17\n");

    await expect(hold(dataDir)).rejects.toThrow(/made by PostgreSQL 17, the installed one is 18.*DATABASE_URL/s);
  });

  test("a cluster outside is named by the first 12 hex digits of its data directory's SHA-256 [D31]", () => {
    expect(embeddedPlaces("/").outsideCluster).toBe("/var/lib/chief-of-staff/8a5edab28263");
  });

  test.runIf(isRoot)("as root in 0700 folders: each has a cluster of its own outside", async () => {
    const [one, two] = [dataDirectory({ mode: 0o700 }), dataDirectory({ mode: 0o700 })];

    const holders = await Promise.all([hold(one), hold(two)]);

    await sql(holders[0].url, "create table mine (value int)");
    await expect(sql(holders[1].url, "select * from mine")).rejects.toThrow("does not exist");
    expect(existsSync(embeddedPlaces(one).outsideCluster)).toBe(true);
    expect(existsSync(embeddedPlaces(one).insideCluster)).toBe(false);
    await Promise.all(holders.map((holder) => holder.finish()));
  });

  test.runIf(canNobodyRunUs)("as an ordinary user, without HOME and LANG: UTF-8", async () => {
    const dataDir = dataDirectory({ mode: 0o700, uid: NOBODY });

    const client = await hold(dataDir, { uid: NOBODY, environment: { PATH: process.env["PATH"] } });

    expect(await sql(client.url, "select current_setting('server_encoding') as encoding")).toEqual([
      { encoding: "UTF8" },
    ]);
    expect(statSync(join(dataDir, "postgres")).uid).toBe(NOBODY);
    await client.finish();
  });

  test.runIf(canNobodyRunUs)("root meets the server of the folder's owner, and the owner can go on alone", async () => {
    const dataDir = dataDirectory({ mode: 0o700, uid: NOBODY });

    const root = await hold(dataDir);
    const owner = await hold(dataDir, { uid: NOBODY });

    expect(owner.url).toBe(root.url);
    await root.finish();
    await owner.finish();
  });
});
