import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { logTo } from "../../src/log.ts";
import { eventually, projectDir } from "../fakes/bot.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { type Proxy, proxyBefore } from "../fakes/proxy.ts";

/** An agent at work while the database is away (D8): what it does is neither lost nor held against it. */

let world: TestWorld;
let proxy: Proxy;
let control: pg.Client;
let logged: string[];

const log = logTo((level, event) => {
  if (level === "warn" || level === "error") logged.push(event);
});

beforeEach(async () => {
  logged = [];
  world = await testWorld({
    log,
    policy: (policy) => ({
      ...policy,
      // This machine may be slow; the lease is not what is tried here.
      lease: { forMs: 3_600_000, renewEveryMs: 600_000, giveUpAfterMs: 3_000_000 },
      checkpoints: { ...policy.checkpoints, permissionWaitMs: 0 },
    }),
    async through(databaseUrl) {
      const before = await proxyBefore(databaseUrl);
      proxy = before.proxy;
      control = new pg.Client({ connectionString: databaseUrl });
      await control.connect();
      return before.url;
    },
  });
});
afterEach(async () => {
  await control.end();
  await world.close();
  await proxy.close();
});

const file = (name: string) => join(world.dataDir, name);

/** A step in which the agent says that it has come so far, and waits until it may go on. */
const gate = (name: string) => ({
  run: `touch ${file(name)}; while [ ! -e ${file(`${name}.go`)} ]; do sleep 0.05; done`,
  quiet: true,
});

async function startWith(steps: readonly object[]): Promise<string> {
  await writeFile(file("script.json"), JSON.stringify(steps));
  const script = `"${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${file("script.json")}"`;
  const path = await world.repository();
  const account = file("account.jsonl");
  const agent = `acp:"${process.execPath}" ${script} --account "${account}"`;
  await world.command("repo", "add", path, "--setup", "", "--agent", agent);
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Do it"));
  await world.command("autopilot", "start");
  return goalId;
}

async function reached(name: string): Promise<void> {
  await eventually(name, async () => existsSync(file(name)));
}

async function mayGoOn(name: string): Promise<void> {
  await writeFile(file(`${name}.go`), "");
}

function goAway(): () => void {
  const { target } = proxy;
  proxy.target = null;
  proxy.cut();
  return () => {
    proxy.target = target;
  };
}

async function count(statement: string): Promise<number> {
  return (await control.query(statement)).rowCount ?? 0;
}

describe("an agent at work while the database is away", () => {
  it("[F-101] goes on, and what it did and cost is recorded when the database is back", async () => {
    const goalId = await startWith([
      gate("first"),
      { costUsd: 0.5 },
      gate("second"),
      { write: { path: "a.txt", content: "a\n" } },
    ]);

    const working = world.work();
    await reached("first");
    const comeBack = goAway();
    await mayGoOn("first");
    await reached("second");
    await eventually("the cost not to be recorded", async () => logged.includes("agent.not-recorded"));
    comeBack();
    await mayGoOn("second");
    await working;

    expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ status: "complete", costUsd: 0.5 });
    expect(await count("select 1 from cos.attempts where rung > 1")).toBe(0);
    expect(await count("select 1 from cos.timeline where event = 'run.executed'")).toBe(1);
  });

  it("[F-101] that wants to ask a person is cut, which is an interruption, and asks when it works again", async () => {
    const goalId = await startWith([
      gate("first"),
      { permission: { title: "Clean up", command: "rm -rf build && touch cleaned.txt" } },
      { write: { path: "a.txt", content: "a\n" } },
    ]);

    const working = world.work().catch(() => "the turn ended");
    await reached("first");
    const comeBack = goAway();
    await mayGoOn("first");
    await eventually("the question not to be asked", async () => logged.includes("agent.not-asked"));
    comeBack();
    await working;
    await control.query("update cos.goals set leased_until = now() - interval '1 second' where leased_by is not null");
    await world.work();

    const questions = valueOf<{ checkpointId: string; kind: string }[]>(await world.command("checkpoints"));
    expect(questions.map((question) => question.kind)).toEqual(["permission"]);
    expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ status: "blocked", errorCount: 0 });
    expect(await count("select 1 from cos.attempts")).toBe(0);
  });
});
