import { readFileSync } from "node:fs";
import type pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { appendSpend } from "../../src/db/spend.ts";
import { spentSince } from "../../src/db/standup.ts";
import { untilOneWaits } from "../fakes/database.ts";
import { type TestWorld, testWorld } from "../fakes/deps.ts";
import { wrongTotals } from "../fakes/totals.ts";

/** What the ledger comes to, kept with each of its lines, held against the ledger itself. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld();
  await world.repository();
  for (let goal = 1; goal <= 3; goal += 1) await world.command("goal", "add", `Goal ${goal}`);
  await query(
    `insert into cos.runs (run_id, goal_id, status, content_hash, settled, started_at, ended_at) select 'run-' || goal_id, goal_id, 'ended', '', '[]', now(), now() from cos.goals`,
  );
});
afterEach(() => world.close());

const query = async <Row extends object>(statement: string, values: unknown[] = []): Promise<Row[]> =>
  (await world.deps.database.pool.query<Row>(statement, values)).rows;

async function asOthers(work: (one: pg.PoolClient, another: pg.PoolClient) => Promise<void>): Promise<void> {
  const clients = [await world.deps.database.pool.connect(), await world.deps.database.pool.connect()] as const;
  try {
    await work(...clients);
  } finally {
    for (const client of clients) client.release(true);
  }
}

interface Line {
  readonly call: number;
  readonly kind: "reserved" | "reported" | "settled";
  readonly amount: number;
  readonly isEstimated: boolean;
}

const everyKind: readonly Omit<Line, "call" | "amount">[] = [
  { kind: "reserved", isEstimated: true },
  { kind: "reported", isEstimated: false },
  { kind: "settled", isEstimated: true },
  { kind: "settled", isEstimated: false },
];

/** Lines of calls as one statement: call n is of one of three goals, of one of two sessions or none, on one of two days. */
async function write(client: Pick<pg.ClientBase, "query">, lines: readonly Line[]): Promise<void> {
  await client.query(
    `insert into cos.spend (call_id, kind, amount_micro_usd, is_estimated, day, goal_id, run_id, session_id, at)
     select 'call-' || call, kind, amount, "isEstimated", date '2026-01-26' + call % 2, goal.goal_id, 'run-' || goal.goal_id,
       case when call % 3 > 0 then 'session-' || call % 3 end, now()
     from json_to_recordset($1) as line (call int, kind text, amount bigint, "isEstimated" boolean)
     join (select goal_id, row_number() over (order by content) - 1 as number from cos.goals) goal on goal.number = call % 3
     on conflict do nothing`,
    [JSON.stringify(lines)],
  );
}

/** Every order in which the four lines of a call can come. */
function orders(): (typeof everyKind)[] {
  const permuted = (left: typeof everyKind): (typeof everyKind)[] =>
    left.length === 0
      ? [[]]
      : left.flatMap((first) => permuted(left.filter((each) => each !== first)).map((rest) => [first, ...rest]));
  return permuted(everyKind);
}

describe("what goals, sessions and days cost", () => {
  it("is what their lines come to, in whatever order these are written, one by one or together", async () => {
    for (const [call, order] of orders().entries()) {
      const lines = order.map((line, index) => ({ ...line, call, amount: (call * 7 + index * 13) % 50 }));
      if (call % 2 === 0) for (const line of lines) await write(world.deps.database.pool, [line]);
      else await write(world.deps.database.pool, lines);
      expect(await wrongTotals(world.deps.database.pool)).toEqual([]);
    }
    const [sum] = await query<{ rows: number; about: number }>(
      "select count(*)::int as rows, count(distinct about)::int as about from cos.totals where committed_micro_usd > 0",
    );
    expect(sum?.rows).toBeGreaterThanOrEqual(7);
    expect(sum?.about).toBe(3);
  });

  it("is that also when one transaction reserves and settles", async () => {
    const [goal] = await query<{ id: string }>("select goal_id as id from cos.goals order by content limit 1");
    const goalId = goal?.id ?? "";
    const call = { callId: "call-9", goalId, runId: `run-${goalId}`, sessionId: null, day: "2026-01-26" };
    const at = world.deps.now();
    await world.deps.database.transaction(async (tx) => {
      await appendSpend(tx, call, { kind: "reserved", amountMicroUsd: 100, isEstimated: true, at });
      await appendSpend(tx, call, { kind: "reported", amountMicroUsd: 20, isEstimated: false, at });
      await appendSpend(tx, call, { kind: "settled", amountMicroUsd: 30, isEstimated: false, at });
    });

    expect(await query("select kind from cos.spend order by spend_id")).toHaveLength(3);
    expect(await wrongTotals(world.deps.database.pool)).toEqual([]);
  });

  it("is that also when lines of one call are written by two at once", async () => {
    await asOthers(async (one, another) => {
      const line = { call: 1, amount: 50 };
      await write(world.deps.database.pool, [{ ...line, kind: "reserved", isEstimated: true, amount: 90 }]);
      await one.query("begin");
      await write(one, [{ ...line, kind: "reported", isEstimated: false }]);
      const late = write(another, [{ ...line, kind: "settled", isEstimated: false, amount: 30 }]);
      await untilOneWaits(world);
      await one.query("commit");
      await late;
    });

    expect(await wrongTotals(world.deps.database.pool)).toEqual([]);
    const [day] = await query("select sum(committed_micro_usd)::int as sum from cos.totals where about = 'day'");
    expect(day).toEqual({ sum: 30 });
  });

  it("is that when many write at once, who do not wait for each other because of the day", async () => {
    await asOthers(async (one, another) => {
      await one.query("begin");
      // Call 0 and call 4 are of different goals and sessions, on one day.
      await write(one, [{ call: 0, kind: "settled", amount: 5, isEstimated: false }]);
      await another.query("set lock_timeout = '5s'");
      const slots = await another.query<{ mine: number }>("select pg_backend_pid() % 8 as mine");
      const theirs = await one.query<{ mine: number }>("select pg_backend_pid() % 8 as mine");
      // One in eight pairs shares a row, and would wait.
      if (slots.rows[0]?.mine !== theirs.rows[0]?.mine)
        await write(another, [{ call: 4, kind: "settled", amount: 6, isEstimated: false }]);
      await one.query("commit");
    });
    const writers = Array.from({ length: 12 }, async (_, index) => {
      for (const [place, line] of everyKind.entries())
        await write(world.deps.database.pool, [{ ...line, call: 10 + index, amount: index + place }]);
    });
    await Promise.all(writers);

    expect(await wrongTotals(world.deps.database.pool)).toEqual([]);
  });

  it("is not changed by what was taken back, and nobody's planning counts for its day", async () => {
    const taken = world.deps.database.transaction(async (tx) => {
      await write(world.deps.database.pool, [{ call: 1, kind: "settled", amount: 5, isEstimated: false }]);
      await tx.execute(
        "insert into cos.spend (call_id, kind, amount_micro_usd, is_estimated, day, at) values ('x', 'settled', 9, false, '2026-01-26', now())",
      );
      throw new Error("taken back");
    });
    await expect(taken).rejects.toThrow("taken back");
    await query(
      "insert into cos.spend (call_id, kind, amount_micro_usd, is_estimated, day, at) values ('y', 'settled', 7, true, '2026-01-26', now())",
    );

    expect(await wrongTotals(world.deps.database.pool)).toEqual([]);
    const rows = await query(
      "select id, spent_micro_usd::int as spent, estimated_calls as estimated from cos.totals where about = 'day' order by id, spent",
    );
    expect(rows).toContainEqual({ id: "2026-01-26", spent: 7, estimated: 1 });
    // A trial of an agent is of no goal and no campaign: what was spent since a moment holds it as the day does.
    expect(await spentSince(world.deps.database.db, new Date(0))).toEqual({ microUsd: 5 + 7, isEstimated: true });
  });

  it("since a moment comes to what the ledger says, whatever was assumed before an agent said it", async () => {
    for (const [call, order] of orders().entries())
      await write(
        world.deps.database.pool,
        order
          .slice(0, 1 + (call % 4))
          .map((line, index) => ({ ...line, call, amount: 1 + ((call * 7 + index * 5) % 11) })),
      );
    const [ledger] = await query<{ spent: string; estimated: boolean }>(
      "select sum(spent_micro_usd) as spent, bool_or(is_estimated) as estimated from cos.call_costs",
    );
    expect(await spentSince(world.deps.database.db, new Date(0))).toEqual({
      microUsd: Number(ledger?.spent),
      isEstimated: ledger?.estimated,
    });
  });

  it("since a moment takes back what was assumed before it", async () => {
    const line = (isEstimated: boolean, amount: number, at: string) =>
      query(
        `insert into cos.spend (call_id, kind, amount_micro_usd, is_estimated, day, at) values ('late', 'settled', ${amount}, ${isEstimated}, '2026-01-26', '${at}')`,
      );
    await line(true, 5, "2026-01-26T10:00:00Z");
    await line(false, 1, "2026-01-26T12:00:00Z");
    const since = (at: string) => spentSince(world.deps.database.db, new Date(at));

    expect(await since("2026-01-26T09:00:00Z")).toEqual({ microUsd: 1, isEstimated: false });
    expect(await since("2026-01-26T11:00:00Z")).toEqual({ microUsd: -4, isEstimated: false });
    expect(await since("2026-01-26T13:00:00Z")).toEqual({ microUsd: 0, isEstimated: false });
  });

  it("between two moments says nothing of what came later", async () => {
    for (const [call, isEstimated, at] of [
      ["first", false, "2026-01-26T10:00:00Z"],
      ["later", true, "2026-01-26T14:00:00Z"],
    ])
      await query(
        `insert into cos.spend (call_id, kind, amount_micro_usd, is_estimated, day, at) values ('${call}', 'settled', 3, ${isEstimated}, '2026-01-26', '${at}')`,
      );
    const at = (time: string) => new Date(`2026-01-26T${time}:00Z`);
    const { db } = world.deps.database;

    expect(await spentSince(db, at("09:00"), at("12:00"))).toEqual({ microUsd: 3, isEstimated: false });
    expect(await spentSince(db, at("12:00"), at("14:00"))).toEqual({ microUsd: 0, isEstimated: false });
    expect(await spentSince(db, at("12:00"), at("15:00"))).toEqual({ microUsd: 3, isEstimated: true });
  });

  it("is filled in for what an older version has written", async () => {
    for (const [call, order] of orders().entries())
      await write(
        world.deps.database.pool,
        order.slice(0, 1 + (call % 4)).map((line, index) => ({ ...line, call, amount: call + index })),
      );
    await query("delete from cos.totals");
    expect(await wrongTotals(world.deps.database.pool)).not.toEqual([]);
    const migration = readFileSync("migrations/0045_totals.sql", "utf8").split("--> statement-breakpoint").at(-1) ?? "";
    await query(migration);

    expect(await wrongTotals(world.deps.database.pool)).toEqual([]);
  });
});
