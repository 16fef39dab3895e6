import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { whatIsolates } from "../../src/agent/place/isolation.ts";
import { cos, projectDir, eventually } from "../fakes/bot.ts";
import { type LiveWorld, liveWorld } from "../fakes/live.ts";

const isRoot = process.getuid?.() === 0;
const stranger = 54_321;

const secrets = {
  COS_CONSOLE_TOKEN: "console-token-that-nobody-may-see",
  COS_MODEL_KEY: "model-key-that-nobody-may-see",
  COS_MODEL: "gpt-none",
  COS_MODEL_URL: "http://127.0.0.1:9/v1",
  SOME_BOT_TOKEN: "bot-token-that-nobody-may-see",
  OTHER_API_KEY: "other-key-that-nobody-may-see",
};

/** What a goal's process finds out about secrets by reading what it may, with real processes of every kind. */
describe.skipIf(!existsSync("/proc/self/environ"))("secrets", () => {
  let world: LiveWorld;
  let folder: string;
  let environment: Record<string, string>;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "cos-secrets-"));
    // A compiler that has compiled nothing yet: it starts a program of its own.
    environment = { ...secrets, TMPDIR: folder, HOME: folder };
  });
  afterEach(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Works a goal that writes what `line` prints into a file, and reads that. */
  async function asGoal(line: string): Promise<string> {
    const out = join(folder, "found.txt");
    await writeFile(join(folder, "look.sh"), `{ ${line}; } > ${out}.part 2>/dev/null; mv ${out}.part ${out}\n`);
    await world.run(`sh ${join(folder, "look.sh")}`);
    await eventually("what it found", async () => existsSync(out));
    return readFileSync(out, "utf8");
  }

  /** Names each process whose environment shows a secret. */
  function lookEverywhere(): string {
    const shows = `grep -q -e nobody-may-see -e 'DATABASE_URL=.*${new URL(world.databaseUrl).pathname.slice(1)}'`;
    const each = `tr '\\0' '\\n' < $p/environ | ${shows} && tr '\\0' ' ' < $p/cmdline && echo`;
    return `for p in /proc/[0-9]*; do ${each}; done`;
  }

  it("[F-105] are in no environment that a goal can read: not the bot's, its compiler's or a terminal's", async () => {
    world = await liveWorld();
    const bot = await world.start({ environment });
    const watching = spawn(process.execPath, [join(projectDir, "bin/cos.mjs"), "watch"], {
      env: { PATH: process.env["PATH"], DATABASE_URL: world.databaseUrl, COS_DATA_DIR: world.dataDir, ...environment },
      stdio: ["ignore", "pipe", "ignore"],
    });
    await world.ask();
    await new Promise((resolve) => watching.stdout.once("data", resolve));

    const found = await asGoal(lookEverywhere());

    watching.kill("SIGTERM");
    expect(found).toBe("");
    expect(bot.output()).not.toContain("Warning");
  });

  it("[F-105] that a parent of the bot was given are warned of at the start, and by doctor, where agents are in no rooms", async () => {
    world = await liveWorld();
    // As npm does: a process that stays, with everything that it was given.
    const shell = spawn("sh", ["-c", `"${process.execPath}" "${join(projectDir, "bin/start.mjs")}"; true`], {
      detached: true,
      env: {
        PATH: process.env["PATH"],
        ...environment,
        DATABASE_URL: world.databaseUrl,
        COS_DATA_DIR: world.dataDir,
        COS_ISOLATION: "off",
        PORT: "0",
      },
      stdio: ["ignore", "pipe", "ignore"],
    });
    let said = "";
    shell.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });

    await eventually("a warning", async () => said.includes("Warning: "));
    const ran = await cos({ ...world.place, environment: { ...environment, COS_ISOLATION: "off" } }, "doctor");
    const inRooms = await cos({ ...world.place, environment: { ...environment, COS_ISOLATION: "auto" } }, "doctor");

    process.kill(-(shell.pid ?? 0), "SIGTERM");
    await new Promise((resolve) => shell.once("close", resolve));
    expect(said).toMatch(
      /Warning: \w+ can be read by agents in the environment of sh \(process \d+\): set it in \.env/,
    );
    const doctor = ran.json<{ name: string; ok: boolean; says: string }[]>();
    expect(doctor.find((each) => each.name === "secrets")).toMatchObject({
      ok: false,
      says: expect.stringContaining(`environment of sh (process ${shell.pid}`),
    });
    // In rooms no process but their own is seen.
    const isShut = (await whatIsolates("auto")).ofAgents.shown.includes("processes");
    const told = inRooms.json<{ name: string; ok: boolean }[]>().find((each) => each.name === "secrets");
    expect(told?.ok).toBe(isShut);
  });

  it.skipIf(!isRoot || !mayRead(stranger))(
    "[F-105] [F-103] of a bot with a user of its own are beyond its goals, and another user is a person",
    async () => {
      world = await liveWorld({ uid: stranger });
      await writeFile(join(folder, "settings"), "only-its-owner-may-read-this\n", { mode: 0o600 });
      await chmod(folder, 0o777);
      const bot = await world.start({ environment });
      const { checkpointId, address } = await world.ask();

      const program = join(projectDir, "tests/fakes/post.mjs");
      const words = [program, "bearer", bot.url, secrets.COS_CONSOLE_TOKEN, address, join(folder, "posted")];
      spawnSync(process.execPath, words, { stdio: "ignore" });

      expect(readFileSync(join(folder, "posted"), "utf8")).toContain(`Proceed: ${checkpointId} is answered`);
      expect(await world.decisions()).toEqual([{ actor: `${userInfo().username} (script)`, via: "console" }]);
      expect(await asGoal(`id -u; ${lookEverywhere()}; cat ${folder}/settings`)).toBe(`${stranger}\n`);
    },
  );
});

/** Whether a user without any rights may read this project and run node. */
function mayRead(uid: number): boolean {
  if (!isRoot) return false;
  const program = JSON.stringify(join(projectDir, "bin/cos.mjs"));
  const asked = spawnSync(process.execPath, ["-e", `require("fs").readFileSync(${program})`], {
    uid,
    gid: uid,
    cwd: "/",
    stdio: "ignore",
  });
  return asked.status === 0;
}
