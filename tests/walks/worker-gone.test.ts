import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { openDatabase } from "../../src/db/connection/client.ts";
import { servingUrl } from "../../src/db/serving.ts";
import type { Deps } from "../../src/deps.ts";
import { beginWorking, endWorking } from "../../src/turns/shared/working.ts";
import { claimGoal, expireLeases, makeDueGoals } from "../fakes/claim.ts";
import { type ConsoleWorld, consoleWorld } from "../fakes/console.ts";
import { valueOf } from "../fakes/deps.ts";
import { readExposition } from "../fakes/exposition.ts";

/** A worker dies in the middle of a goal, and no other one runs: what people are told. */

let world: ConsoleWorld;
beforeEach(async () => {
  world = await consoleWorld();
  await world.repository();
});
afterEach(() => world.close());

/** One goal is being worked, another one of its session is due behind it. */
async function beginOne(): Promise<string> {
  await makeDueGoals(world, 2);
  const { db } = world.deps.database;
  const claim = await claimGoal(db, { leasedBy: "elsewhere/1/1", forMs: 20_000, now: world.deps.now() });
  if (claim === null) throw new Error("nothing was claimed");
  return claim.goal.goalId;
}

async function printed(...words: string[]): Promise<string> {
  const result = await world.command(...words);
  if (result.type === "refused") throw new Error(result.reason);
  return terminalLines(result.card, "UTC").join("\n");
}

const why = async (goalId: string) => valueOf<{ state: string; waitsFor: string }>(await world.command("why", goalId));

async function inLists(goalId: string): Promise<{ state: unknown; running: unknown; page: unknown }> {
  const goals = valueOf<{ goalId: string; state: string }[]>(await world.command("goals"));
  const page = await (await world.get("/goals")).text();
  const [, shown] = new RegExp(`/goals/${goalId}".*?class="state">([^<]*)<`, "s").exec(page) ?? [];
  return {
    state: goals.find((each) => each.goalId === goalId)?.state,
    running: valueOf<{ running: string[] }>(await world.command("status")).running,
    page: shown,
  };
}

async function gauges(): Promise<Readonly<Record<string, number | undefined>>> {
  const families = readExposition(await (await fetch(`${world.url}/metrics`)).text());
  const of = (name: string) => families.get(name)?.samples.get(name);
  const [running, queued] = [of("cos_goals_running"), of("cos_goals_queued")];
  return { running, queued, oldestSeconds: of("cos_goals_queued_oldest_seconds") };
}

describe("a goal whose worker is gone", () => {
  it("is being worked as long as its lease lasts", async () => {
    const goalId = await beginOne();

    expect(await why(goalId)).toMatchObject({ state: "running", waitsFor: "is being worked now" });
    expect(await inLists(goalId)).toEqual({ state: "running", running: [goalId], page: "starting" });
    expect(await gauges()).toMatchObject({ running: 1, queued: 1 });
  });

  it("is what the next one waits for, until its lease is over", async () => {
    const goalId = await beginOne();
    const others = valueOf<{ goalId: string }[]>(await world.command("goals")).filter((each) => each.goalId !== goalId);
    const [other] = others.map((each) => each.goalId);

    const waiting = `is ready and begins when a worker is free; ${goalId} is being worked: cos status`;
    expect(await why(other ?? "")).toMatchObject({ state: "ready", waitsFor: waiting });
    await expireLeases(world);
    expect(await why(other ?? "")).toMatchObject({
      waitsFor: "is ready and waits for a worker: is one running? cos doctor",
    });
  });

  it("is nobody's once its lease is over, wherever people look", async () => {
    const goalId = await beginOne();
    await expireLeases(world);

    expect(await why(goalId)).toMatchObject({
      state: "ready",
      waitsFor: "was interrupted: its worker is gone; waits for a worker: is one running? cos doctor",
    });
    expect(await inLists(goalId)).toEqual({ state: "ready", running: [], page: "interrupted" });
    expect(await printed("goals")).toContain("interrupted");
    expect(await printed("goal", "show", goalId)).toContain("interrupted");
    expect(await printed("standup")).not.toContain("starting");
    expect(await gauges()).toMatchObject({ running: 0, queued: 2 });
  });

  it("is what the alert NobodyWorks can see: it has waited since its lease was over, not since it was due", async () => {
    await beginOne();
    await world.deps.database.pool.query("update cos.goals set wake_at = wake_at - interval '2 hours'");
    world.advance(1_000_000);
    const over = new Date(world.deps.now().getTime() - 901_000);
    const set = "update cos.goals set leased_until = $1 where leased_by is not null";
    await world.deps.database.pool.query(set, [over]);
    await world.deps.database.pool.query("update cos.goals set wake_at = null where leased_by is null");

    expect(await gauges()).toEqual({ running: 0, queued: 1, oldestSeconds: 901 });
  });

  it("is left alone by commands that work it otherwise, with the reason", async () => {
    const goalId = await beginOne();
    await expireLeases(world);

    for (const words of [
      ["goal", "resume", goalId],
      ["replay", "--goal", goalId],
    ])
      expect(await world.command(...words)).toMatchObject({
        type: "refused",
        reason: `${goalId} was interrupted: its worker is gone, and none has gone on with it yet`,
        next: "cos doctor",
      });
  });

  it("waits for the labels of its repository like any other goal", async () => {
    const goalId = await beginOne();
    await world.deps.database.pool.query(`update cos.repositories set labels = '["gpu"]'`);
    expect((await why(goalId)).waitsFor).not.toContain("gpu");
    await expireLeases(world);

    expect((await why(goalId)).waitsFor).toContain("gpu");
    expect(await printed("goal", "show", goalId)).toContain("gpu");
  });
});

describe("the doctor's line of workers", () => {
  const others: Deps[] = [];
  afterEach(async () => {
    for (const { database } of others.splice(0)) await database.close();
  });

  /** A process that works goals, with connections of its own. */
  async function worker(machine: string): Promise<Deps> {
    const serving = { pid: others.length + 1, namespace: null, allowsUnknown: false };
    const database = openDatabase(servingUrl(world.databaseUrl, machine, serving), () => undefined);
    const deps: Deps = { ...world.deps, database, config: { ...world.deps.config, machine } };
    others.push(deps);
    await beginWorking(deps);
    return deps;
  }

  async function workers(): Promise<unknown> {
    const findings = valueOf<{ name: string }[]>(await world.command("doctor"));
    return findings.find(({ name }) => name === "workers");
  }

  it("says that none runs, and since when goals wait for one", async () => {
    expect(await workers()).toEqual({
      name: "workers",
      ok: true,
      isUnset: true,
      says: "none runs, and no goal waits for one",
    });
    await makeDueGoals(world, 2);

    expect(await workers()).toMatchObject({
      ok: false,
      says: expect.stringMatching(/^none runs; 2 goals wait since .*\d\d:\d\d.*\. What to do: start one \(/),
    });
    expect(await printed("doctor")).toContain("to look at");
  });

  it("the start of a session and the status say so too, as long as it is so", async () => {
    await world.command("goal", "add", "Wait", "--run", "true");

    const started = await printed("autopilot", "start");
    expect(started).toMatch(/No worker runs: 1 goal waits since .*\. What to do: start one \(npm start/);
    expect(await printed("status")).toMatch(/no worker runs: 1 goal waits since /);
    await worker("build-1");

    expect(await printed("status")).not.toContain("no worker runs");
  });

  it("the start of a session says nothing of workers while one runs", async () => {
    await worker("build-1");
    await world.command("goal", "add", "Go", "--run", "true");

    expect(await printed("autopilot", "start")).not.toContain("No worker runs");
  });

  it("names the machines of those that run, and no others", async () => {
    await makeDueGoals(world, 1);
    const first = await worker("build-1");
    await worker("build-2");
    expect(await workers()).toEqual({ name: "workers", ok: true, says: "2 run (build-1, build-2)" });
    await endWorking(first);

    expect(await workers()).toEqual({ name: "workers", ok: true, says: "1 runs (build-2)" });
  });

  it("counts one that was killed no more: its connections are gone", async () => {
    await makeDueGoals(world, 1);
    const { database } = await worker("build-1");
    await database.close();
    others.splice(0);

    await expect.poll(workers).toMatchObject({ ok: false, says: expect.stringMatching(/^none runs; 1 goal waits/) });
  });
});
