import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runGoals } from "../../jobs/run-goal.ts";
import { dollars } from "../../src/core/money.ts";
import { alternativeQuestion } from "../../src/core/prompts/alternative.ts";
import { getGoal } from "../../src/db/goals.ts";
import { openRunOf } from "../../src/db/runs.ts";
import { appendSpend, lockDay } from "../../src/db/spend.ts";
import { campaignTotal, dayTotal, goalTotal, nightTotal } from "../../src/db/totals.ts";
import type { Deps } from "../../src/deps.ts";
import { type ConsultationSubject, consult } from "../../src/turns/shared/consult.ts";
import { settleInterruptedCalls } from "../../src/turns/shared/money.ts";
import { eventually } from "../fakes/bot.ts";
import { campaignIn } from "../fakes/campaign.ts";
import { claimGoal } from "../fakes/claim.ts";
import { untilWaiting } from "../fakes/database.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { type FakeModel, startFakeModel } from "../fakes/model.ts";

/** Money that several reserve at once, and calls that end otherwise than they were meant to. */

const hour = 3_600_000;

let world: TestWorld;
let model: FakeModel;
let gate: pg.Client;
beforeEach(async () => {
  model = await startFakeModel();
  const environment = { COS_MODEL: "fake", COS_MODEL_URL: model.url, COS_MODEL_KEY: "key", COS_MODEL_PRICE: "3/15" };
  world = await testWorld({ environment });
  gate = new pg.Client({ connectionString: world.databaseUrl });
  await gate.connect();
});
afterEach(async () => {
  await gate.end();
  await world.close();
  await model.close();
});

const query = (text: string, values: readonly unknown[] = []) => world.deps.database.pool.query(text, [...values]);
const go = () => join(world.dataDir, "go");

const settle = () => gate.query("select pg_advisory_unlock(8)");

/** A repository whose agent fails `fails` times for each goal, then works until it is let go. */
async function repositoryWith(fails: number): Promise<string> {
  const path = await world.repository({ "a.txt": `${fails}\n`, "b.txt": String(Math.random()) });
  const tries = `${join(world.dataDir, "tries-")}$(basename "$PWD")`;
  const script = join(world.dataDir, "agent.sh");
  await writeFile(
    script,
    `echo x >> "${tries}"\n[ $(wc -l < "${tries}") -le ${fails} ] && exit 1\nwhile [ ! -e "${go()}" ]; do sleep 0.1; done\n`,
  );
  valueOf(await world.command("repo", "add", path, "--setup", "", "--check", "", "--agent", `command:sh ${script}`));
  return path.split("/").at(-1) ?? "";
}

/** The same doors a moment before and after midnight. */
function around(): { before: Deps; after: Deps } {
  const midnight = new Date("2026-01-27T00:00:00Z").getTime();
  return {
    before: { ...world.deps, now: () => new Date(midnight - 10_000) },
    after: { ...world.deps, now: () => new Date(midnight + 10_000) },
  };
}

/**
 * Holds the first who reserves between what it has read and its commit, until the second waits too: for it, or beside it.
 * Nothing is settled before `settle`.
 */
async function race(first: () => Promise<unknown>, second: () => Promise<unknown>): Promise<Promise<unknown>[]> {
  await query(`create function public.hold() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(tg_argv[0]::int); return new; end $$`);
  for (const [kind, key] of [
    ["reserved", 7],
    ["settled", 8],
  ])
    await query(`create trigger hold_${kind} before insert on cos.spend for each row
      when (new.kind = '${kind}') execute function public.hold(${key})`);
  await gate.query("select pg_advisory_lock(7), pg_advisory_lock(8)");
  const one = first();
  await untilWaiting(world, 1);
  const two = second();
  await untilWaiting(world, 2);
  await gate.query("select pg_advisory_unlock(7)");
  return [one, two];
}

const reservedSum = async () => {
  const { rows } = await query(
    "select sum(amount_micro_usd)::bigint as sum, count(*)::int as count from cos.spend where kind = 'reserved' and call_id like '%.%'",
  );
  return { sum: Number(rows[0]?.sum), count: rows[0]?.count };
};

describe("two who reserve around midnight hold different days", () => {
  /** A night of two sessions, whose goals may cost more together than it allows. */
  async function nightOf(fails: number): Promise<{ nightId: string; goalIds: string[] }> {
    const goalIds: string[] = [];
    for (const name of [await repositoryWith(fails), await repositoryWith(fails)])
      goalIds.push(valueOf<{ goalId: string }>(await world.command("goal", "add", "Work", "--repo", name)).goalId);
    world.advance(13 * hour);
    const { nightId } = valueOf<{ nightId: string }>(await world.command("night", "--budget", "6", "--until", "07:00"));
    return { nightId, goalIds };
  }

  const work = (deps: Deps, name: string) =>
    runGoals(deps, { leasedBy: `${name}/1/1`, shutdown: new AbortController().signal });

  it.each([
    ["begin", 0],
    ["go on", 1],
  ])("goals of one night that %s never pass its budget [F-122]", async (_, fails) => {
    await nightOf(fails);
    // Their first attempts fail, where they are to go on.
    if (fails > 0) await world.work();
    const spent = (await query("select coalesce(sum(committed_micro_usd), 0)::bigint as sum from cos.call_costs"))
      .rows[0];
    const before = await reservedSum();
    const { before: early, after: late } = around();

    const working = await race(
      () => work(early, "one"),
      () => work(late, "two"),
    );
    await eventually("both have reserved", async () => (await reservedSum()).count === before.count + 2);
    const after = await reservedSum();
    await appendFile(go(), "");
    await settle();
    await Promise.all(working);

    expect(after.sum - before.sum + Number(spent?.sum)).toBe(dollars(6));
  });

  it("who looks and reserves under the day's lock alone does pass it: the race is real", async () => {
    const { nightId, goalIds } = await nightOf(0);
    const reserve = async (day: string, goalId: string) =>
      await world.deps.database.transaction(async (tx) => {
        await lockDay(tx, day);
        const left = dollars(6) - (await nightTotal(tx, nightId)).committedMicroUsd;
        const { sessionId } = (await getGoal(tx, goalId)) ?? { sessionId: null };
        const run = `run-${goalId}`;
        await tx.execute(
          `insert into cos.runs (run_id, goal_id, status, content_hash, settled, started_at, ended_at) values ('${run}', '${goalId}', 'ended', 'x', '[]', now(), now())`,
        );
        const entry = {
          kind: "reserved",
          amountMicroUsd: Math.min(dollars(5), left),
          isEstimated: true,
          at: new Date(),
        } as const;
        await appendSpend(tx, { callId: `${run}.1`, goalId, runId: run, sessionId, day }, entry);
      });

    await Promise.all(
      await race(
        () => reserve("2026-01-26", goalIds[0] ?? ""),
        () => reserve("2026-01-27", goalIds[1] ?? ""),
      ),
    );

    expect((await nightTotal(world.deps.database.db, nightId)).committedMicroUsd).toBe(dollars(10));
  });

  const question = alternativeQuestion({
    content: "Work",
    kind: "work",
    error: "boom",
    criteria: [],
    tried: [],
    lessons: [],
  });
  const ask = (deps: Deps, about: ConsultationSubject) => consult(deps, about, question, new AbortController().signal);
  const idea = { says: JSON.stringify({ approach: "other", instruction: "Do it otherwise." }) };

  async function aboutGoal(goalId: string): Promise<ConsultationSubject> {
    const goal = await getGoal(world.deps.database.db, goalId);
    const run = await openRunOf(world.deps.database.db, goalId);
    if (goal === null || run === null) throw new Error("no run");
    return { goal, runId: run.runId };
  }

  /** What one question reserves at its worst. */
  async function worstOf(about: ConsultationSubject): Promise<number> {
    await ask(around().before, about);
    const { rows } = await query(
      "select max(amount_micro_usd)::bigint as worst from cos.spend where call_id like 'ask-%' and kind = 'reserved'",
    );
    return Number(rows[0]?.worst);
  }

  it("questions to the model of one night never pass its budget [F-122]", async () => {
    model.answer(idea, idea, idea);
    const { nightId, goalIds } = await nightOf(1);
    await world.work();
    const [one, two] = await Promise.all(goalIds.map(aboutGoal));
    if (one === undefined || two === undefined) throw new Error("two goals");
    const worst = await worstOf(one);
    const spent = (await nightTotal(world.deps.database.db, nightId)).committedMicroUsd;
    await query("update cos.nights set budget_micro_usd = $1", [spent + Math.round(worst * 1.5)]);
    const { before, after } = around();

    const [first, second] = await race(
      () => ask(before, one),
      () => ask(after, two),
    );

    expect(await second).toMatchObject({ type: "failed", reason: "over-budget" });
    await settle();
    expect(await first).toMatchObject({ type: "answered" });
  });

  it("a campaign's planning and a question about one of its goals never pass its budget [F-122]", async () => {
    model.answer(idea, idea, idea);
    await repositoryWith(1);
    const campaign = campaignIn(world);
    const campaignId = await campaign.create("# Work\n\n## All\n- write a\n  - day: 1\n");
    valueOf(await world.command("campaign", "start", campaignId));
    for (const { checkpointId, options } of await campaign.questions())
      valueOf(await world.command("answer", checkpointId, options[0]?.label ?? ""));
    await world.tick();
    for (const { checkpointId, options } of await campaign.questions())
      valueOf(await world.command("answer", checkpointId, options[0]?.label ?? ""));
    await world.tick();
    await world.work();
    const goal = await aboutGoal(String((await query("select goal_id from cos.goals")).rows[0]?.goal_id));
    const worst = await worstOf(goal);
    const spent = (await campaignTotal(world.deps.database.db, campaignId)).committedMicroUsd;
    await query("update cos.campaigns set total_budget_micro_usd = $1", [spent + Math.round(worst * 1.5)]);
    const { before, after } = around();

    const [first, second] = await race(
      () => ask(before, goal),
      () => ask(after, { campaign: { campaignId } }),
    );

    expect(await second).toMatchObject({ type: "failed", reason: "over-budget" });
    await settle();
    expect(await first).toMatchObject({ type: "answered" });
  });
});

describe("a call", () => {
  it("that ends after midnight counts once, on the day that was asked [F-122]", async () => {
    await repositoryWith(0);
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Work"));
    world.advance(14.9 * hour);
    valueOf(await world.command("autopilot", "start"));
    const working = world.work();
    await eventually("it has reserved", async () => (await reservedSum()).count === 1);
    world.advance(hour);
    await appendFile(go(), "");
    await working;

    const { db } = world.deps.database;
    const cost = (await goalTotal(db, goalId)).spentMicroUsd;
    expect((await goalTotal(db, goalId)).committedMicroUsd).toBe(cost);
    expect(await dayTotal(db, "2026-01-26")).toMatchObject({ spentMicroUsd: cost, committedMicroUsd: cost });
    expect(await dayTotal(db, "2026-01-27")).toMatchObject({ spentMicroUsd: 0, committedMicroUsd: 0 });
  });

  it("of a machine that was off over night costs the minutes before that, not the night", async () => {
    await repositoryWith(1);
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Work"));
    valueOf(await world.command("autopilot", "start"));
    await world.work();
    const { db } = world.deps.database;
    const run = await openRunOf(db, goalId);
    if (run === null) throw new Error("no run");
    const before = (await goalTotal(db, goalId)).committedMicroUsd;
    const call = { callId: `${run.runId}.99`, goalId, runId: run.runId, sessionId: null, day: "2026-01-26" };
    await appendSpend(db, call, {
      kind: "reserved",
      amountMicroUsd: dollars(5),
      isEstimated: true,
      at: world.deps.now(),
    });
    // Its worker had it for three minutes more; then nobody, until it is claimed by who was started in the morning.
    world.advance(15 * hour + 3 * 60_000);
    await query(
      "update cos.goals set leased_by = 'gone/1/1', leased_until = clock_timestamp() - interval '15 hours' where goal_id = $1",
      [goalId],
    );
    const claim = await claimGoal(db, { leasedBy: "here/1/1", forMs: 60_000, now: world.deps.now() });
    expect(claim?.interrupted).toBe(true);
    await world.deps.database.transaction((tx) =>
      settleInterruptedCalls(tx, world.deps, run.runId, claim?.lease.unheldMs),
    );

    const cost = (await goalTotal(db, goalId)).committedMicroUsd - before;
    expect(cost).toBeGreaterThan(dollars(0.14));
    expect(cost).toBeLessThan(dollars(0.16));
  });

  it("of a turn that was cut costs what its agent says in the end, also when that comes after the assumption [F-102]", async () => {
    await repositoryWith(1);
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Work"));
    valueOf(await world.command("autopilot", "start"));
    await world.work();
    const { db } = world.deps.database;
    const run = await openRunOf(db, goalId);
    if (run === null) throw new Error("no run");
    const before = (await goalTotal(db, goalId)).committedMicroUsd;
    const call = { callId: `${run.runId}.99`, goalId, runId: run.runId, sessionId: null, day: "2026-01-26" };
    const add = (kind: "reserved" | "reported" | "settled", usd: number, isEstimated = false) =>
      appendSpend(db, call, { kind, amountMicroUsd: dollars(usd), isEstimated, at: world.deps.now() });
    const cost = async () => {
      const { committedMicroUsd, isEstimated } = await goalTotal(db, goalId);
      return [committedMicroUsd - before, isEstimated];
    };

    await add("reserved", 5, true);
    await add("reported", 0.4);
    expect(await cost()).toEqual([dollars(5), true]);
    // The next turn closes it, twice as well as once; its agent lives a little longer.
    for (const _ of [1, 2])
      await world.deps.database.transaction((tx) => settleInterruptedCalls(tx, world.deps, run.runId));
    expect(await cost()).toEqual([dollars(0.4), true]);
    await add("reported", 0.7);
    expect(await cost()).toEqual([dollars(0.7), true]);
    await add("settled", 0.6);
    await add("settled", 9);
    expect((await cost())[0]).toBe(dollars(0.6));
  });
});
