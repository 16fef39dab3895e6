import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sqlState } from "../../src/db/connection/failures.ts";
import { claimGoal } from "../fakes/claim.ts";
import { renewLease } from "../../src/db/leases.ts";
import { appendSpend } from "../../src/db/spend.ts";
import { dayTotal, goalTotal } from "../../src/db/totals.ts";
import { recordTurn } from "../../src/db/transitions.ts";
import { keptLease, startKept, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

describe("what the database itself refuses", () => {
  let world: TestWorld;
  let goalId: string;

  beforeAll(async () => {
    world = await testWorld();
    await world.repository();
    goalId = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Ask", "--run", "true", "--tag", "ui"),
    ).goalId;
    await world.command("autopilot", "start");
    const [question] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    await world.command("answer", question?.checkpointId ?? "", "Pause");
  });
  afterAll(() => world.close());

  async function stateOf(sql: string): Promise<string | null> {
    return await world.deps.database.pool.query(sql).then(
      () => null,
      (error: unknown) => sqlState(error),
    );
  }

  const copy = (table: string, columns: string, rest: string) =>
    `insert into cos.${table} select (jsonb_populate_record(t, '{${columns}}')).* from cos.${table} t ${rest}`;

  it.each([
    ["a second open question about a goal", copy("checkpoints", '"checkpoint_id": "cp-00000001"', "limit 1"), "23505"],
    ["a second open run of a goal", copy("runs", '"run_id": "run-00000001"', "limit 1"), "23505"],
    ["a second open session of a repository", copy("sessions", '"session_id": "session-00000001"', "limit 1"), "23505"],
    [
      "a settled question without who answered",
      "update cos.checkpoints set status = 'approved', resolved_at = now()",
      "23514",
    ],
    ["an answer taken back", "update cos.decisions set choice = 'Proceed'", "23001"],
    ["a timeline rewritten", "delete from cos.timeline", "23001"],
    ["a turn that goes back", "update cos.goals set turn = turn - 1", "23001"],
    ["an unknown status", "update cos.goals set status = 'done'", "23514"],
    ["a lease without an end", "update cos.goals set leased_by = 'me'", "23514"],
    [
      "a negative amount",
      "insert into cos.spend (call_id, kind, amount_micro_usd, is_estimated, day, goal_id, run_id, at) select 'c', 'reserved', -1, false, '2026-01-26', goal_id, run_id, now() from cos.runs",
      "23514",
    ],
  ])("%s", async (_, sql, state) => {
    expect(await stateOf(sql)).toBe(state);
  });

  it("a second settling answer", async () => {
    const insert = (settles: boolean) =>
      `insert into cos.decisions (checkpoint_id, version, choice, effect, settles, actor, via, waited_ms, at) select checkpoint_id, 1, 'Skip', 'skip', ${settles}, 'x', 'y', 1, now() from cos.checkpoints`;

    expect([await stateOf(insert(true)), await stateOf(insert(true)), await stateOf(insert(false))]).toEqual([
      null,
      "23505",
      null,
    ]);
    expect(goalId).toMatch(/^goal-[0-9a-f]{8}$/);
  });
});

describe("leases and money under contention", () => {
  let world: TestWorld;
  beforeAll(async () => {
    world = await testWorld();
    await world.repository();
  });
  afterAll(() => world.close());

  it("one of many claimers gets a goal; who lost it records nothing", async () => {
    await world.command("goal", "add", "One", "--run", "true");
    await world.command("autopilot", "start");
    const { db, pool } = world.deps.database;

    const claims = await Promise.all(
      Array.from({ length: 10 }, (_, number) =>
        claimGoal(db, { leasedBy: `w/${number}/1`, forMs: 20_000, now: world.deps.now() }),
      ),
    );
    const [claim] = claims.filter((each) => each !== null);
    await pool.query("update cos.goals set leased_until = now() - interval '1 second'");
    const second = await claimGoal(db, { leasedBy: "other/1/1", forMs: 20_000, now: world.deps.now() });
    const renewed = claim === undefined || claim === null ? null : await renewLease(db, claim.lease);
    const recorded =
      claim === undefined || claim === null
        ? null
        : await recordTurn(
            db,
            { lease: claim.lease, goal: claim.goal },
            { type: "isCut", at: null, interruptions: 0, outcome: "late" },
            world.deps.now(),
          );

    expect(claims.filter((each) => each !== null).length).toBe(1);
    expect(second).toMatchObject({ interrupted: true, lease: { turn: 2 } });
    expect(renewed).toEqual({ type: "lost" });
    expect(recorded).toBe(false);
    await world.command("autopilot", "stop", "--now");
  });

  it("reservations made at the same time never pass a ceiling of the day", async () => {
    const { db, pool } = world.deps.database;
    await world.command("repo", "add", await world.repository(), "--setup", "", "--agent", "command:true");
    for (const index of [1, 2, 3, 4, 5]) {
      const path = await world.repository({ "a.txt": String(index) });
      await world.command("repo", "add", path, "--setup", "", "--agent", "command:true");
      await world.command("goal", "add", `Goal ${index}`, "--repo", path, "--cost", "4");
    }
    await pool.query("update cos.goals set estimate_micro_usd = 4000000");
    const dear = {
      ...world.deps,
      policy: { ...world.deps.policy, ceilings: { ...world.deps.policy.ceilings, dayMicroUsd: 12_000_000 } },
    };
    await world.command("autopilot", "start");
    const claims = await Promise.all(
      [1, 2, 3, 4, 5].map((number) =>
        claimGoal(db, { leasedBy: `w/${number}/1`, forMs: 20_000, now: world.deps.now() }),
      ),
    );

    await Promise.all(
      claims.flatMap((claim) => (claim === null ? [] : [startKept(dear, keptLease(dear, claim.lease))])),
    );

    const today = await dayTotal(db, "2026-01-26");
    expect(claims.filter((claim) => claim !== null).length).toBe(5);
    expect(today.committedMicroUsd).toBeLessThanOrEqual(12_000_000);
    expect(today.committedMicroUsd).toBeGreaterThan(5_000_000);
  });

  it("a call costs what it settled at, before that the most that was reported or reserved", async () => {
    const { db, pool } = world.deps.database;
    const { rows } = await pool.query<{ goal_id: string; run_id: string }>(
      "select goal_id, run_id from cos.runs limit 1",
    );
    const [run] = rows;
    const call = {
      callId: "call-x",
      goalId: run?.goal_id ?? "",
      runId: run?.run_id ?? "",
      sessionId: null,
      day: "2025-12-31",
    };
    const add = (kind: "reserved" | "reported" | "settled", amountMicroUsd: number) =>
      appendSpend(db, call, { kind, amountMicroUsd, isEstimated: false, at: world.deps.now() });

    await add("reserved", 5_000_000);
    await add("reported", 1_000_000);
    await add("reported", 700_000);
    const running = await dayTotal(db, "2025-12-31");
    await add("settled", 1_200_000);
    await add("settled", 9_000_000);
    const settled = await dayTotal(db, "2025-12-31");

    expect(running).toMatchObject({ committedMicroUsd: 5_000_000, spentMicroUsd: 1_000_000 });
    expect(settled).toMatchObject({ committedMicroUsd: 1_200_000, spentMicroUsd: 1_200_000 });
    expect((await goalTotal(db, "goal-none")).spentMicroUsd).toBe(0);
  });
});
