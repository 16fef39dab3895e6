import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dollars } from "../../src/core/money.ts";
import { appendSpend, openCalls } from "../../src/db/spend.ts";
import { goalTotal } from "../../src/db/totals.ts";
import { claimGoal } from "../fakes/claim.ts";
import { eventually, projectDir } from "../fakes/bot.ts";
import { keptLease, startKept, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { check, evidence, phasesOf, type Script, taskList, work, write } from "../fakes/loop.ts";
import { makeRepository } from "../fakes/repository.ts";

/** The money of tasks side by side. */

let world: TestWorld;
beforeEach(() => start());
afterEach(() => world.close());

async function start(environment: Record<string, string> = {}): Promise<void> {
  world = await testWorld({
    environment,
    policy: (policy) => ({ ...policy, triggers: { ...policy.triggers, uxFiles: [], architectureFiles: [] } }),
  });
}

interface Shown {
  status: string;
  outcome: string;
  tasks: { id: string; status: string; attempts: number }[];
}
const shown = async (goalId: string): Promise<Shown> => valueOf<Shown>(await world.command("goal", "show", goalId));
const counted = ({ tasks }: Shown) => tasks.map(({ id, status, attempts }) => `${id} ${status} ${attempts}`);

async function goalWith(ids: readonly string[], scripts: readonly Script[], { setup = "" } = {}): Promise<string> {
  const list = taskList(ids, false);
  const path = await makeRepository(join(world.dataDir, "person"), { "a.txt": "a\n", "tasks.yaml": list });
  const file = join(world.dataDir, "scripts.json");
  await writeFile(file, JSON.stringify(scripts));
  const agent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${file}"`;
  await world.command("repo", "add", path, "--setup", setup, "--check", "", "--agent", agent);
  const { goalId } = valueOf<{ goalId: string }>(
    await world.command("goal", "add", "Build it", "--tasks", "tasks.yaml", "--parallel", String(ids.length)),
  );
  await world.command("autopilot", "start");
  return goalId;
}

const ids = ["T1", "T2", "T3", "T4"];
const scriptsOf = (more: Partial<Record<string, object[]>>): Script[] => [
  ...ids.map((id) => check(id, ...(more[`check-${id}`] ?? []), evidence("PASS"))),
  ...ids.map((id) => work(id, ...(more[id] ?? []), write(`${id}.txt`, `${id}\n`))),
];
const total = (goalId: string) => goalTotal(world.deps.database.db, goalId);

describe("a wave of four", () => {
  it("of which one costs more than its share goes on with what the others leave", async () => {
    const goalId = await goalWith(ids, scriptsOf({ T1: [{ costUsd: 1.6 }], T2: [{ costUsd: 0.1 }] }));
    await world.work();

    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    expect(counted(goal)).toEqual(ids.map((id) => `${id} passed 1`));
    const { committedMicroUsd, spentMicroUsd } = await total(goalId);
    expect(committedMicroUsd).toBe(spentMicroUsd);
  });

  it("that costs more than all that was left is ended at its ceiling", async () => {
    const costs = [{ costUsd: 3 }, { run: "sleep 1", quiet: true }];
    const goalId = await goalWith(ids, scriptsOf({ T1: costs, T2: costs }));
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "failed", outcome: "Stopped at its cost ceiling" });
  });

  it("for which the money is not enough begins with fewer, and the others follow", async () => {
    const goalId = await goalWith(ids, scriptsOf({}));
    // Enough for two agents at once, not for four.
    await world.deps.database.pool.query("update cos.goals set ceiling_micro_usd = $1", [dollars(1.4)]);
    await world.work();

    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    expect(counted(goal)).toEqual(ids.map((id) => `${id} passed 1`));
    const waves = (await phasesOf(world, goalId)).filter((each) => each.from === "implement_task");
    expect(waves.map((each) => each.summary.replace(/^wave wave-\w+: /, ""))).toEqual([
      "2 tasks implemented",
      "2 tasks implemented",
    ]);
  });

  it("that begins again when the money is not enough for all of it puts the rest back, at no attempt", async () => {
    const goalId = await goalWith(ids, scriptsOf(Object.fromEntries(ids.map((id) => [id, [once(id)]]))));
    const working = world.work();
    await eventually("all four at work", async () => ids.every((id) => existsSync(join(world.dataDir, `once-${id}`))));
    valueOf(await world.command("autopilot", "pause"));
    await working;
    await world.deps.database.pool.query("update cos.goals set ceiling_micro_usd = $1", [
      (await total(goalId)).committedMicroUsd + dollars(1.4),
    ]);
    valueOf(await world.command("autopilot", "resume"));
    await world.work();

    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    expect(counted(goal)).toEqual(ids.map((id) => `${id} passed 1`));
    const waves = (await phasesOf(world, goalId)).filter((each) => each.from === "implement_task");
    expect(waves.length).toBe(2);
  });

  it("whose checks the money is not enough for makes fewer at once, and then the others", async () => {
    const goalId = await goalWith(ids, scriptsOf({ T1: [{ costUsd: 3.6 }] }));
    await world.work();

    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    const checks = (await phasesOf(world, goalId)).filter((each) => each.from === "spec_check_legacy");
    expect(checks.map((each) => each.summary)).toEqual([
      "checked: T1, T2 passed, checked again: T3, T4",
      "checked: T1, T2, T3, T4 passed",
    ]);
  });

  it("whose money other goals reserve while its places are made waits for it", async () => {
    await world.close();
    await start({ COS_BUDGET_DAY_USD: "5" });
    const [made, go] = [join(world.dataDir, "made"), join(world.dataDir, "go")];
    const setup = `touch ${made}; until test -e ${go}; do sleep 0.1; done`;
    const goalId = await goalWith(ids, scriptsOf({}), { setup });
    const other = await world.repository();
    valueOf(await world.command("repo", "add", other, "--setup", "", "--check", "", "--agent", "command:true"));
    const name = other.split("/").at(-1) ?? "";
    const working = world.work();
    await eventually("a place that is made", async () => existsSync(made));
    // Another session begins with all that the day allows.
    valueOf(await world.command("goal", "add", "other", "--repo", name));
    valueOf(await world.command("autopilot", "start", "--repo", name));
    const { database } = world.deps;
    const claim = await claimGoal(database.db, { leasedBy: "here/1/1", forMs: 600_000, now: world.deps.now() });
    if (claim === null) throw new Error("the other goal was not claimed");
    await startKept(world.deps, keptLease(world.deps, claim.lease));
    await writeFile(go, "");
    await working;

    const waiting = await shown(goalId);
    expect(waiting).toMatchObject({
      status: "in_progress",
      outcome: expect.stringContaining("Waits for money") as string,
    });
    const { rows } = await database.pool.query<{ call_id: string; run_id: string; session_id: string; day: string }>(
      "select call_id, run_id, session_id, to_char(day, 'YYYY-MM-DD') as day from cos.spend where goal_id = $1",
      [claim.lease.goalId],
    );
    const [call] = rows;
    if (call === undefined) throw new Error("the other goal has reserved nothing");
    const { call_id: callId, run_id: runId, session_id: sessionId, day } = call;
    const settled = { kind: "settled", amountMicroUsd: 0, isEstimated: false, at: world.deps.now() } as const;
    await appendSpend(database.db, { callId, goalId: claim.lease.goalId, runId, sessionId, day }, settled);
    world.advance(world.deps.policy.goals.reservedMoneyMs);
    await world.work();
    const goal = await shown(goalId);
    expect(goal.status).toBe("complete");
    expect(counted(goal)).toEqual(ids.map((id) => `${id} passed 1`));
  });

  it("that never begins, because somebody stops it as its money is reserved, costs nothing", async () => {
    const goalId = await goalWith(ids, scriptsOf({}));
    await world.deps.database.pool.query(`
      create function stop() returns trigger language plpgsql as $$
      begin
        update cos.goals set stop_requested = 'skip' where goal_id = new.goal_id;
        perform pg_notify('cos', '');
        return new;
      end $$;
      create trigger stops after insert on cos.spend for each row when (new.kind = 'reserved') execute function stop()`);
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "deferred" });
    const { rows } = await world.deps.database.pool.query<{ run_id: string }>("select run_id from cos.runs");
    expect(await openCalls(world.deps.database.db, rows[0]?.run_id ?? "")).toEqual([]);
    expect((await total(goalId)).committedMicroUsd).toBe(0);
  });
});

/** Waits the first time that a task is worked. */
function once(id: string): object {
  const file = join(world.dataDir, `once-${id}`);
  return { run: `test -e '${file}' || { touch '${file}'; sleep 600; }`, quiet: true };
}
