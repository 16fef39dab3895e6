import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findConsole } from "../../src/commands/find-servers.ts";
import { cos, eventually, type Place, projectDir, startBot } from "../fakes/bot.ts";
import { type FreshDatabase, freshDatabase } from "../fakes/database.ts";
import { alsoCleanUp, cleanUp } from "../fakes/embedded.ts";
import { proxyBefore } from "../fakes/proxy.ts";

describe("a start that cannot succeed", () => {
  let database: FreshDatabase;
  let place: Place;

  beforeEach(async () => {
    database = await freshDatabase();
    place = { databaseUrl: database.url, dataDir: await mkdtemp(join(tmpdir(), "cos-bad-")) };
  });
  afterEach(async () => {
    await database.drop();
    await rm(place.dataDir, { recursive: true, force: true });
  });

  function startWith(environment: Record<string, string>): Promise<{ code: number | null; output: string }> {
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: place.dataDir,
      COS_DATA_DIR: place.dataDir,
      DATABASE_URL: place.databaseUrl,
      ...environment,
    };
    const child = spawn(process.execPath, [join(projectDir, "bin/start.mjs")], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    return new Promise((resolve) => child.once("close", (code) => resolve({ code, output })));
  }

  it("names every wrong setting in a line of its own, secrets masked", async () => {
    const { code, output } = await startWith({
      PORT: "eighty",
      COS_TIMEZONE: "Mars/Olympus",
      COS_PARALLEL: "0",
      COS_BUDGET_DAY_USD: "-1",
      COS_AGENT: "claude",
      COS_PARALEL: "3",
      DATABASE_URL: "mysql://user:secret@host/db",
    });

    expect(code).toBe(1);
    expect(output).toContain('PORT: found "eighty", expected a whole number from 0 to 65535');
    expect(output).toContain('COS_TIMEZONE: found "Mars/Olympus", expected an IANA time zone such as Europe/Berlin');
    expect(output).toContain('COS_PARALLEL: found "0", expected a whole number from 1 to 32');
    expect(output).toContain('COS_BUDGET_DAY_USD: found "-1", expected an amount in US dollars above 0');
    expect(output).toContain('COS_AGENT: found "claude", expected acp:<command line> or command:<command line>');
    expect(output).toContain("DATABASE_URL: found ***, expected an address that starts with postgres://");
    expect(output).toContain("Warning: setting COS_PARALEL: there is no such setting: did you mean COS_PARALLEL?");
    expect(output).not.toContain("secret");
  });

  it.skipIf(process.platform !== "linux")(
    "says which setting gives an address that is not this machine's",
    async () => {
      const { code, output } = await startWith({ COS_HOST: "192.0.2.1", PORT: "0" });

      expect(code).toBe(1);
      expect(output).toContain("the console cannot listen on 192.0.2.1:0: ");
      expect(output).toContain("COS_HOST names an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all");
    },
  );

  it("says that the database does not answer, without its password", async () => {
    const { code, output } = await startWith({ DATABASE_URL: "postgresql://user:secret@127.0.0.1:1/db" });

    expect(code).toBe(1);
    expect(output).toContain(
      "the database of DATABASE_URL cannot be used: nothing listens at 127.0.0.1:1. Check that PostgreSQL runs there",
    );
    expect(output).not.toContain("secret");
  });

  it.skipIf(process.platform !== "linux")("ends where the data directory cannot be made", async () => {
    const { code, output } = await startWith({ COS_DATA_DIR: "/proc/none/below" });

    expect(code).toBe(1);
    expect(output).toContain("the data directory /proc/none/below cannot be made: ");
  });

  it.skipIf(process.platform !== "linux")("names a data directory that nobody may write, root neither", async () => {
    const { code, output } = await startWith({ COS_DATA_DIR: "/proc/self" });

    expect(code).toBe(1);
    expect(output).toContain("the data directory /proc/self cannot be written (");
    expect(output).toContain("let this user write there, or choose another folder with COS_DATA_DIR");
    expect(output).not.toMatch(/^\s+at /m);
  });

  it("names a temporary folder in which nothing can be made; doctor says it with everything else, and a home that is none", async () => {
    const file = join(place.dataDir, "a-file");
    await writeFile(file, "");
    const trouble = `the temporary folder ${file} cannot be used (ENOTDIR: not a directory`;
    const advice = "make it and let this user write there, or set TMPDIR to another folder";

    const { code, output } = await startWith({ TMPDIR: file });

    expect(code).toBe(1);
    expect(output).toContain(trouble);
    expect(output).toContain(advice);
    expect(output).not.toContain("Console:");
    expect(output).not.toMatch(/^\s+at /m);

    const examined = await cos({ ...place, environment: { TMPDIR: file, COS_ISOLATION: "auto" } }, "doctor");
    const findings = examined.json<{ name: string; ok: boolean; says: string }[]>();
    expect(findings.find(({ name }) => name === "temporary folder")).toMatchObject({
      ok: false,
      says: expect.stringContaining(trouble),
    });
    expect(findings.find(({ name }) => name === "isolation of verification")?.says).toMatch(
      process.platform === "linux" ? /could not be tried|install/ : /only Linux/,
    );
    expect(findings.find(({ name }) => name === "database")?.ok).toBe(true);

    const homeless = await cos({ ...place, environment: { HOME: "/nonexistent" } }, "doctor");
    expect(homeless.json<{ name: string; ok: boolean; says: string }[]>()).toContainEqual({
      name: "home folder",
      ok: false,
      says: expect.stringContaining(
        "the home folder /nonexistent cannot be written (ENOENT: no such file or directory",
      ) as string,
    });
  });

  it.skipIf(process.platform !== "linux")(
    "a command works beside a temporary folder that lets nobody make one",
    async () => {
      alsoCleanUp(place.dataDir);
      const { code, stdout } = await cos({ ...place, databaseUrl: "", environment: { TMPDIR: "/proc/none" } }, "goals");
      await cleanUp();

      expect([code, JSON.parse(stdout)]).toEqual([0, []]);
    },
  );

  it("waits for a database whose connection breaks while it is looked at, and goes on", async () => {
    const { proxy, url } = await proxyBefore(database.url);
    const cut = proxy.cutAt("obj_description(to_regnamespace", "before");

    const { output } = await startWith({ DATABASE_URL: url, PORT: String(proxy.port) });

    await cut;
    expect(output).toContain("The database does not answer (");
    expect(output).toContain(`port ${proxy.port} `);
    expect(output).not.toContain("cannot be used");
    await proxy.close();
  });

  it.each([
    ["repositories are read", 'from "cos"."repositories"'],
    ["its channels are written", "cos channels"],
    ["other workers are read", '"lacks", ("ended_at"'],
    ["its queue is opened", "to_jsonb(migration)"],
  ])("[F-101] goes on when the database is back that went away while %s", async (_, statement) => {
    const { proxy, url } = await proxyBefore(database.url);
    const { target } = proxy;
    const cut = proxy.cutAt(statement, "before").then(() => {
      proxy.target = null;
      proxy.cut();
    });
    let output = "";
    const started = startBot({ ...place, databaseUrl: url }, (written) => (output += written));

    await cut;
    const waits = eventually("the start to say what it waits for", async () =>
      output.includes("The start goes on when"),
    );
    // A start that ends instead says why.
    await Promise.race([waits, started]);
    proxy.target = target;

    const bot = await started;
    expect(bot.events.map(({ msg }) => msg)).toContain("database.away");
    bot.kill("SIGTERM");
    expect((await bot.exited).code).toBe(0);
    await proxy.close();
  });

  it("says which port is taken and how to choose another", async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address();
        resolve(typeof address === "object" && address !== null ? address.port : 0);
      });
    });

    const { code, output } = await startWith({ PORT: String(port) });
    server.close();

    expect(code).toBe(1);
    expect(output).toContain(
      `port ${port} on 127.0.0.1 is in use: stop what uses it, or choose another with PORT=3001`,
    );
  });

  it.each([
    ["says nothing", ""],
    ["ends in the middle", 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"status":'],
  ])("doctor calls what %s late, and no other program", async (_, said) => {
    const server = createServer((socket) => void socket.on("error", () => undefined).write(said));
    const port = await new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
    });

    const [found] = await findConsole({ host: "127.0.0.1", port }, 100);
    server.close();

    expect(found).toMatchObject({ name: "console", ok: false });
    expect(found?.says).toBe(
      `what listens at http://127.0.0.1:${port} did not answer in time: a bot that is busy or hangs, whose log says more, or another program`,
    );
  });

  it("says that a bot runs there already", async () => {
    const bot = await startBot(place);
    const { port } = new URL(bot.url);

    const { code, output } = await startWith({ PORT: port });
    bot.kill("SIGTERM");
    await bot.exited;

    expect(code).toBe(1);
    expect(output).toContain(
      `a bot runs here already (port ${port} on 127.0.0.1), and cos status says what it does; another one needs a port of its own, such as PORT=3001`,
    );
  });

  it("the terminal refuses with a reason, the next command and its exit code", async () => {
    const nowhere = await cos(place, "repo", "add", "/no/such/folder");
    const nothing = await cos(place, "autopilot", "start");
    const unknown = await cos(place, "fly");
    const usage = await cos(place, "approve");

    expect([nowhere.code, nothing.code, unknown.code, usage.code]).toEqual([1, 1, 2, 2]);
    expect(nowhere.stderr).toContain("/no/such/folder does not exist");
    expect(nothing.stderr).toContain("next: cos repo add PATH");
    expect(unknown.stderr).toContain("unknown command: fly");
    expect(usage.stderr).toContain("usage: cos approve ID [--notes T]");
  });
});
