import { randomBytes } from "node:crypto";
import pg from "pg";

/**
 * The least that a goal can cost: what every cycle has to write at the six moments at which it may not be lost, each as one
 * prepared statement and one transaction, 12 rows in all, on the same PostgreSQL with `synchronous_commit` on. No rule is
 * asked and nothing is shown: how near the engine comes to it is what is measured.
 */
export const floorTables = `
create schema if not exists floor;
create table if not exists floor.goals (goal_id text primary key, content text not null, status text not null,
  turn integer not null default 0, leased_until timestamptz, updated_at timestamptz not null);
create table if not exists floor.questions (question_id text primary key, goal_id text not null references floor.goals,
  status text not null, answered_by text, asked_at timestamptz not null, answered_at timestamptz);
create table if not exists floor.costs (goal_id text primary key references floor.goals, micro_usd bigint not null);
create table if not exists floor.evidence (goal_id text primary key references floor.goals, detail jsonb not null);
create table if not exists floor.episodes (goal_id text primary key references floor.goals, summary text not null);
create table if not exists floor.log (log_id bigserial primary key, goal_id text not null, event text not null,
  at timestamptz not null)`;

/** The six transactions in their order. `$1` is the goal; the question has its name. */
export const floorTransactions = [
  {
    name: "goal",
    text: "insert into floor.goals (goal_id, content, status, updated_at) values ($1, 'Make it blue', 'pending', now())",
  },
  {
    name: "picked-up",
    text: `update floor.goals set status = 'in_progress', turn = turn + 1, leased_until = now() + interval '1 minute',
      updated_at = now() where goal_id = $1 and status = 'pending'`,
  },
  {
    name: "question",
    text: `with asked as (insert into floor.questions (question_id, goal_id, status, asked_at) values ($1, $1, 'pending', now()))
      update floor.goals set status = 'blocked', leased_until = null, updated_at = now() where goal_id = $1`,
  },
  {
    name: "answer",
    text: `with answered as (update floor.questions set status = 'approved', answered_by = 'ana', answered_at = now()
        where question_id = $1 and status = 'pending' returning goal_id)
      update floor.goals set status = 'pending', updated_at = now() from answered where goals.goal_id = answered.goal_id`,
  },
  {
    name: "resumed",
    text: `update floor.goals set status = 'in_progress', turn = turn + 1, leased_until = now() + interval '1 minute',
      updated_at = now() where goal_id = $1 and status = 'pending'`,
  },
  {
    name: "result",
    text: `with cost as (insert into floor.costs (goal_id, micro_usd) values ($1, 0)),
      evidence as (insert into floor.evidence (goal_id, detail) values ($1, '{"exitCode": 0, "durationMs": 1}')),
      episode as (insert into floor.episodes (goal_id, summary) values ($1, 'It is blue.')),
      line as (insert into floor.log (goal_id, event, at) values ($1, 'goal.completed', now()))
      update floor.goals set status = 'complete', leased_until = null, updated_at = now() where goal_id = $1`,
  },
] as const;

export interface Floor {
  /** One goal; the milliseconds from its answer to its result. */
  cycle(): Promise<number>;
  close(): Promise<void>;
}

/** A pool as large as the concurrency, each connection with its statements prepared at their first use. */
export async function openFloor(url: string, concurrency: number): Promise<Floor> {
  const pool = new pg.Pool({ connectionString: url, max: concurrency, options: "-c synchronous_commit=on" });
  pool.on("error", () => undefined);
  await pool.query(floorTables);
  return {
    async cycle() {
      const goalId = `floor-${randomBytes(8).toString("hex")}`;
      let decidedMs = 0;
      for (const { name, text } of floorTransactions) {
        if (name === "answer") decidedMs = performance.now();
        await pool.query({ name, text, values: [goalId] });
      }
      return performance.now() - decidedMs;
    },
    close: () => pool.end(),
  };
}
