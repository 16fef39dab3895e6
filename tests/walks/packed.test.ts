import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, projectDir } from "../fakes/bot.ts";
import { alsoCleanUp, cleanUp } from "../fakes/embedded.ts";
import { makeRepository } from "../fakes/repository.ts";

/**
 * The package as people get it: packed, installed from its own tarball into a fresh prefix, started with a fresh HOME. It has no
 * TypeScript in it. Packages come from the registry: `COS_TEST_FULL=1` only.
 */

const isWhole = process.env["COS_TEST_FULL"] === "1";
const walk = it.skipIf(!isWhole);
const call = promisify(execFile);

/** CPU in seconds that a command may take: twice what is promised (F-504), since a busy machine makes the same work dearer. */
const most = { help: 1, status: 1, hook: 0.5 };
/** On a slow machine more, but no more than so many times what Node takes to do nothing. */
const mostTimes = 16;

let folder: string;
let home: string;
let cos: string;
let port = 0;
let bot: ChildProcess | null = null;
let before: Left;

/** What a person finds on the machine when it is there no more. */
interface Left {
  /** Of the home folder; what npm keeps for itself is npm's. */
  readonly home: readonly string[];
  readonly temporary: readonly string[];
  /** Of the repository that was worked on: its refs, its settings and hooks, and what is not committed. */
  readonly repository: readonly string[];
}

async function leftBehind(): Promise<Left> {
  const shop = join(home, "shop");
  const inside = await readdir(join(shop, ".git"), { recursive: true });
  return {
    home: (await readdir(home)).filter((name) => name !== ".npm").toSorted(),
    temporary: await readdir(join(folder, "tmp")),
    repository: [
      await run("git", ["for-each-ref"], shop),
      await run("git", ["status", "--porcelain"], shop),
      await readFile(join(shop, ".git", "config"), "utf8"),
      // Deleting a branch leaves its objects to git's own housekeeping, and a list of refs that has none.
      ...inside.filter((name) => !name.startsWith("objects") && name !== "packed-refs").toSorted(),
    ],
  };
}

/** Command lines of processes that run from there, or on what lies there. */
async function stillRunning(): Promise<string[]> {
  const all = await readdir("/proc");
  const lines = await Promise.all(
    all
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return lines.filter((line) => line.includes(folder)).map((line) => line.replaceAll("\0", " "));
}

/** What stands beside the machine's own way to its registry. */
const environment = (): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  TMPDIR: join(folder, "tmp"),
  PORT: String(port),
  COS_ISOLATION: "off",
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && /^npm_config_registry$|_proxy$|^NODE_EXTRA_CA_CERTS$|^SSL_CERT_/i.test(name)
        ? [[name, value]]
        : [],
    ),
  ),
});

async function run(program: string, args: readonly string[], cwd = home): Promise<string> {
  return (await call(program, [...args], { cwd, env: environment(), maxBuffer: 1e8 })).stdout;
}

/** CPU of a program and of what it started, in seconds: the least of three runs. */
async function cpuOf(program: string, ...args: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const line = `"$@" </dev/null >/dev/null 2>&1; times`;
    const { stdout } = await call("sh", ["-c", line, "sh", program, ...args], { cwd: home, env: environment() });
    const children = stdout.trim().split("\n").at(-1) ?? "";
    const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(
      ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
    );
    times.push(parts.reduce((all, each) => all + each, 0));
  }
  return Math.min(...times);
}

beforeAll(async () => {
  if (!isWhole) return;
  folder = await realpath(await mkdtemp(join(tmpdir(), "cos-packed-")));
  home = join(folder, "home");
  await mkdir(home);
  await mkdir(join(folder, "tmp"));
  await makeRepository(join(home, "shop"), { "a.txt": "a\n" });
  before = await leftBehind();
  port = await new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
  // Of a copy: others may be packing this folder, or running from it.
  const source = join(folder, "source");
  await mkdir(source);
  await run("sh", ["-c", `git ls-files -co --exclude-standard -z | xargs -0 cp --parents -t "${source}"`], projectDir);
  await run("ln", ["-s", join(projectDir, "node_modules"), join(source, "node_modules")]);
  // The packages are this folder's: nothing may install them anew.
  const packing = { cwd: source, env: { ...environment(), COS_INSTALLED: "1" } };
  await call("npm", ["pack", "--pack-destination", folder], packing);
  const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz")) ?? "";
  await run("npm", ["install", "--global", "--prefix", join(folder, "prefix"), join(folder, tarball)]);
  cos = join(folder, "prefix", "bin", "cos");
});

afterAll(async () => {
  if (!isWhole) return;
  bot?.kill("SIGKILL");
  const state = join(home, ".chief-of-staff", ".data");
  if (existsSync(state)) alsoCleanUp(state);
  await cleanUp();
  await rm(folder, { recursive: true, force: true });
});

walk("has no TypeScript in it, and answers --help", async () => {
  const installed = join(folder, "prefix/lib/node_modules/chief-of-staff");
  const own = (await readdir(installed, { recursive: true })).filter((name) => !name.startsWith("node_modules"));

  expect(own.filter((name) => name.endsWith(".ts"))).toEqual([]);
  for (const name of ["CHANGELOG.md", "SECURITY.md", "LICENSE", "README.md"]) expect(own).toContain(name);
  expect(await run(cos, ["--help"])).toContain("Usage: cos <command>");
});

walk("starts from there, works the sample, and keeps what is the person's in the home folder", async () => {
  bot = spawn(cos, ["start"], { cwd: home, env: environment(), stdio: ["ignore", "pipe", "pipe"] });
  const child = bot;
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await eventually("the console", async () => {
    if (child.exitCode !== null) throw new Error(output);
    return output.includes("Console: ");
  });

  await run(cos, ["sample"]);
  const goals = await eventually("the sample's end", async () => {
    for (const { checkpointId } of JSON.parse(await run(cos, ["checkpoints", "--json"])) as { checkpointId: string }[])
      await run(cos, ["approve", checkpointId]);
    const all = JSON.parse(await run(cos, ["goals", "--repo", "sample", "--json"])) as {
      status: string;
      costUsd: number;
    }[];
    return all.every(({ status }) => status === "complete") ? all : null;
  });

  // What is only tried is no spend.
  expect(goals.map(({ costUsd }) => costUsd)).toEqual([0, 0, 0]);
  expect(existsSync(join(home, ".chief-of-staff/.data/console-token"))).toBe(true);
});

walk("works a repository of the person's", async () => {
  await run(cos, ["repo", "add", join(home, "shop"), "--setup", ""]);
  await run(cos, ["goal", "add", "Write b", "--repo", "shop", "--run", "echo b > b.txt"]);
  await run(cos, ["autopilot", "start", "--repo", "shop"]);

  await eventually("the goal's end", async () => {
    const [goal] = JSON.parse(await run(cos, ["goals", "--repo", "shop", "--json"])) as { status: string }[];
    return goal?.status === "complete" ? goal : null;
  });
});

walk("writes its settings there", async () => {
  await call(cos, ["init", "--yes", "COS_BUDGET_DAY_USD"], { env: { ...environment(), COS_BUDGET_DAY_USD: "20" } });

  expect(await readFile(join(home, ".chief-of-staff/.env"), "utf8")).toBe("COS_BUDGET_DAY_USD=20\n");
});

walk("[F-504] commands cost little CPU, beside node itself", async () => {
  const costs = {
    node: await cpuOf(process.execPath, "-e", "0"),
    help: await cpuOf(cos, "--help"),
    status: await cpuOf(cos, "status"),
    hook: await cpuOf(cos, "stop-hook"),
  };
  process.stdout.write(
    `CPU in seconds: ${Object.entries(costs)
      .map(([name, cost]) => `${name} ${cost}`)
      .join(", ")}\n`,
  );

  const slowMost = costs.node * mostTimes;
  expect(costs.help).toBeLessThan(Math.max(most.help, slowMost));
  expect(costs.status).toBeLessThan(Math.max(most.status, slowMost));
  expect(costs.hook).toBeLessThan(Math.max(most.hook, slowMost / 2));
});

walk("ends on Ctrl-C", async () => {
  const child = bot;
  const ended = new Promise((resolve) => child?.once("exit", resolve));
  child?.kill("SIGINT");

  expect(await ended).toBe(0);
});

walk(
  "[F-606] removed as docs/operating.md says, nothing is left of it",
  async () => {
    const shop = join(home, "shop");
    const branches = (await run("git", ["branch", "--list", "cos/*", "--format=%(refname:short)"], shop))
      .trim()
      .split("\n");
    expect(branches).toEqual([expect.stringMatching(/^cos\/goal-/)]);

    await run("npm", ["uninstall", "--global", "--prefix", join(folder, "prefix"), "chief-of-staff"]);
    await run("git", ["branch", "--quiet", "-D", ...branches], shop);
    await eventually("the last process's end", async () => ((await stillRunning()).length === 0 ? true : null));
    // Of root's folder only what is this test's: others use theirs.
    alsoCleanUp(join(home, ".chief-of-staff", ".data"));
    await cleanUp();
    await rm(join(home, ".chief-of-staff"), { recursive: true });

    expect(await leftBehind()).toEqual(before);
    for (const part of ["bin", "lib/node_modules"]) expect(await readdir(join(folder, "prefix", part))).toEqual([]);
  },
  120_000,
);
