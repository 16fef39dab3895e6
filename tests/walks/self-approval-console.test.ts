import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { processEntry } from "../../src/agent/process/processes.ts";
import { getCheckpoint } from "../../src/db/checkpoints.ts";
import { findMessage } from "../../src/db/messages.ts";
import { readGoalEvents } from "../../src/db/timeline.ts";
import { eventually, projectDir } from "../fakes/bot.ts";
import { type ConsoleWorld, consoleWorld, token } from "../fakes/console.ts";
import { oneAttempt, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";

const isRoot = process.getuid?.() === 0;

/** A command that posts an answer to the console in one of the ways of tests/fakes/post.mjs. */
type Poster = (way: string) => string;

interface LiarsPlace {
  /** The file of the console's token. */
  readonly token: string;
  /** A script that answers with curl and that token. */
  readonly curl: string;
}

/** In a session of its own, without an environment, and without a parent. */
const escaped = (command: string) => `(env -i setsid sh -c '(env -i setsid ${command} &) &') &`;

/** Both are of util-linux. */
const hasTools = ["script", "prlimit"].every(
  (name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0,
);
const hasCurl = spawnSync("curl", ["--version"], { stdio: "ignore" }).status === 0;

/** Each a shell script of a goal that knows the console's address and token, and ends when its result is there. */
const lies: readonly [string, (post: Poster, place: LiarsPlace) => string][] = [
  ["posts and exits", (post) => post("exit")],
  ["posts through a grandchild that exits at once", (post) => `sh -c '(${post("exit")} &)'`],
  ["posts and exits, twice forked and without an environment", (post) => escaped(post("exit"))],
  ["is twice forked and has no environment", (post) => escaped(post("bearer"))],
  ["hands the connection to a child in a session of its own and exits", (post) => post("handed")],
  ["hands it on after it was twice forked", (post) => escaped(post("handed"))],
  [
    "waits until its parent has gone",
    (post) => `sh -c 'p=$$; (while kill -0 $p 2>/dev/null; do sleep 0.1; done; ${post("bearer")}) & sleep 0.2'`,
  ],
  ["uses the token of the data directory", (post, place) => post("bearer").replace(token, `$(cat ${place.token})`)],
  ["calls curl with the token of the data directory", (_post, place) => `sh ${place.curl}`],
  ["calls curl so, twice forked and without an environment", (_post, place) => escaped(`sh ${place.curl}`)],
  ["fills the form as a browser does", (post) => post("form")],
  ["fills the form as a browser does, twice forked", (post) => escaped(post("form"))],
  ["adds Authorization: Basic to a cookie", (post) => post("basic")],
  ["takes the mark off its environment", (post) => `env -u COS_RUN -u COS_CHILD -u COS_CALLS ${post("bearer")}`],
];

describe("a goal's process that answers at the console", () => {
  let world: ConsoleWorld;
  let folder: string;
  beforeEach(async () => {
    // Where something isolates, none of them reaches the console at all.
    world = await consoleWorld({ policy: oneAttempt, environment: { COS_ISOLATION: "off" } });
    folder = await mkdtemp(join(tmpdir(), "cos-lies-"));
  });
  afterEach(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** The address of an open question, as forms name it. */
  async function openQuestion(): Promise<{ checkpointId: string; address: string }> {
    await world.repository();
    await world.command("goal", "add", "Ask me", "--run", "true", "--tag", "ui");
    await world.command("autopilot", "start");
    const [question] = valueOf<{ checkpointId: string; version: number }[]>(await world.command("checkpoints"));
    const checkpointId = question?.checkpointId ?? "";
    return { checkpointId, address: `${checkpointId}.${question?.version}` };
  }

  function posterTo(address: string): Poster {
    const program = join(projectDir, "tests/fakes/post.mjs");
    return (way) => `${process.execPath} ${program} ${way} ${world.url} ${token} ${address} ${join(folder, "result")}`;
  }

  /** Works a goal whose command is `script`, which is given until its result is there. */
  async function workLiar(script: string): Promise<string> {
    const repository = await makeRepository(join(world.dataDir, "liars"), { "a.txt": "a" });
    await world.command("repo", "add", repository, "--name", "liars", "--setup", "");
    const until = `n=0; while [ ! -s ${join(folder, "result")} ] && [ $n -lt 600 ]; do n=$((n+1)); sleep 0.1; done`;
    await writeFile(join(folder, "lie.sh"), `${script}\n${until}\nsleep 0.3\n`);
    const { goalId } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Approve it", "--repo", "liars", "--run", `sh ${join(folder, "lie.sh")}`),
    );
    await world.command("autopilot", "start", "--repo", "liars");
    await world.work();
    return goalId;
  }

  async function decisions(): Promise<number> {
    const { rows } = await world.deps.database.pool.query("select 1 from cos.decisions");
    return rows.length;
  }

  /** The goal's own events and the notices of the channel that say that somebody was refused. */
  async function refusals(goalId: string): Promise<number> {
    const { db, pool } = world.deps.database;
    const { rows } = await pool.query("select 1 from cos.messages where subject like 'refused.%'");
    return rows.length + (await readGoalEvents(db, goalId, "agent.refused")).length;
  }

  it.each(lies.filter(([name]) => hasCurl || !name.includes("curl")))(
    "[F-103] [F-104] that %s is refused",
    async (_name, script) => {
      const { checkpointId, address } = await openQuestion();
      const place = { token: join(world.dataDir, "console-token"), curl: join(folder, "curl.sh") };
      await writeFile(place.token, token);
      const answer = `--data id=${address} --data choice=proceed --data back=/ ${world.url}/answer`;
      await writeFile(
        place.curl,
        `curl -s -H "Authorization: Bearer $(cat ${place.token})" -o /dev/null -w '%{redirect_url}' ${answer} > ${folder}/result`,
      );

      const goalId = await workLiar(script(posterTo(address), place));

      const result = (await readFile(join(folder, "result"), "utf8")).trim();
      // A form without its token is refused before it is asked who sent it.
      if (result !== "403") await eventually("a refusal", async () => (await refusals(goalId)) > 0);
      expect((await getCheckpoint(world.deps.database.db, checkpointId))?.status).toBe("pending");
      expect(await decisions()).toBe(0);
    },
  );

  it.skipIf(!isRoot)("[F-103] that changes its user is refused, however short it lives", async (context) => {
    if (!existsSync("/usr/bin/setpriv")) return context.skip("setpriv is not installed");
    const { checkpointId, address } = await openQuestion();
    await writeFile(join(folder, "result"), "", { mode: 0o666 });
    const post = posterTo(address);
    const other = "setpriv --reuid 65534 --regid 65534 --clear-groups";

    const goalId = await workLiar(
      `chmod 777 ${folder}; ${other} ${post("bearer")}; ${escaped(`${other} ${post("exit")}`)}`,
    );

    await eventually("a refusal", async () => (await refusals(goalId)) > 0);
    expect((await getCheckpoint(world.deps.database.db, checkpointId))?.status).toBe("pending");
    expect(await decisions()).toBe(0);
  });

  it("[F-104] that is twice forked and has no environment does not outlive its goal", async () => {
    const pidFile = join(folder, "pid");
    await workLiar(
      `${escaped(`sh -c "echo \\$\\$ > ${pidFile}; exec sleep 1000"`)} while [ ! -s ${pidFile} ]; do sleep 0.05; done; echo ready > ${join(folder, "result")}`,
    );

    const pid = Number(await readFile(pidFile, "utf8"));
    expect(pid).toBeGreaterThan(1);
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });

  it("[F-103] a person's script with the token answers, and the audit says that it was one", async () => {
    const { checkpointId, address } = await openQuestion();

    const said = await runPost(posterTo(address)("bearer"));

    expect(said).toContain(`Proceed: ${checkpointId} is answered`);
    const { rows } = await world.deps.database.pool.query("select actor, via from cos.decisions");
    expect(rows).toEqual([{ actor: expect.stringMatching(/^\S.* \(script\)$/), via: "console" }]);
  });

  it.skipIf(!isRoot)("[F-103] a script of another user, whom we see as root, is that user", async (context) => {
    if (!existsSync("/usr/bin/setpriv") || !hasCurl) return context.skip("setpriv or curl is not installed");
    const { checkpointId, address } = await openQuestion();
    await chmod(folder, 0o777);

    const script = join(folder, "answer.sh");
    const answer = `--data id=${address} --data choice=proceed --data back=/ ${world.url}/answer`;
    await writeFile(script, `curl -s -H "Authorization: Bearer ${token}" -o ${folder}/result ${answer}`);
    await runPost(`setpriv --reuid 65534 --regid 65534 --clear-groups sh ${script}; echo sent >> ${folder}/result`);

    expect((await getCheckpoint(world.deps.database.db, checkpointId))?.status).toBe("approved");
    const { rows } = await world.deps.database.pool.query("select actor, via from cos.decisions");
    expect(rows).toEqual([{ actor: "nobody (script)", via: "console" }]);
  });

  it("[F-103] a person's script in a session of its own answers too, where goals' processes are followed", async () => {
    const { checkpointId, address } = await openQuestion();

    const said = await runPost(posterTo(address)("form"), true);

    expect(said).toContain(`Proceed: ${checkpointId} is answered`);
  });

  it.skipIf(!hasTools).each([
    ["", "env -i setsid"],
    [" and makes a terminal of its own", `env -i PATH="$PATH" setsid script -qec`],
  ])(
    "[F-103] [F-104] that ends its guard%s is refused however late it comes, and its card says so",
    async (_, escapes) => {
      const { checkpointId, address } = await openQuestion();
      const late = join(folder, "late.sh");
      const waits = `while kill -0 $1 2>/dev/null; do sleep 0.1; done`;
      await writeFile(late, `touch ${folder}/began; ${waits}; ${posterTo(address)("bearer")}`);
      const command = escapes.includes("script") ? `"sh ${late} $guard" /dev/null` : `sh ${late} $guard`;

      // Nobody finds it to end it: it has changed what it is known by.
      const goalId = await workLiar(
        `guard=$(ps -o sid= -p $$); (prlimit --locks=7:7 ${escapes} ${command} </dev/null >/dev/null 2>&1 &); while [ ! -e ${folder}/began ]; do sleep 0.05; done; kill -9 $guard`,
      );
      await eventually("its result", async () => existsSync(join(folder, "result")));

      expect(await readFile(join(folder, "result"), "utf8")).toContain("own process cannot decide");
      expect((await getCheckpoint(world.deps.database.db, checkpointId))?.status).toBe("pending");
      expect(await decisions()).toBe(0);
      const card = await findMessage(world.deps.database.db, "console", "main", goalId);
      expect(JSON.stringify(card?.card)).toContain("not isolated: the guard of its processes was ended");
    },
  );

  it("[F-104] that ends its guard first does not outlive its goal", async () => {
    const pidFile = join(folder, "pid");
    await workLiar(
      `${escaped(`sh -c "echo \\$\\$ > ${pidFile}; exec sleep 1000"`)} while [ ! -s ${pidFile} ]; do sleep 0.05; done; kill -9 $(ps -o sid= -p $$)`,
    );

    const pid = Number(await readFile(pidFile, "utf8"));
    expect(pid).toBeGreaterThan(1);
    // Whoever has it now may not have buried it yet.
    expect(processEntry(pid)?.state ?? "Z").toBe("Z");
  });

  async function runPost(command: string, detached = false): Promise<string> {
    const child = spawn("sh", ["-c", command], { detached, stdio: "ignore" });
    await new Promise((resolve) => child.once("exit", resolve));
    return await readFile(join(folder, "result"), "utf8");
  }
});
