import { eq, type SQL, sql } from "drizzle-orm";
import { leavesNothing, type LeftToOthers } from "../core/lacks.ts";
import type { Db } from "./connection/client.ts";
import { goals, sessions } from "./schema/index.ts";

/** Which goals a worker may claim (`claimGoal` of `leases.ts` takes one of them). */

/** Where there is too little space nothing begins, and what was interrupted does not go on: only goals at work do. */
export interface Claimable {
  readonly only: "any" | "at-work";
  /** What this worker can do: it takes goals of repositories that ask for nothing else. */
  readonly labels: readonly string[];
  /** What it leaves to workers of other machines, while there are any. */
  readonly left: LeftToOthers;
  readonly machine: string;
}

/** What is ready is asked of a moment and for a worker. */
export interface Ready {
  /** The caller's clock, for due times; leases use the database's (D4). */
  readonly now: Date;
  /** Goals that a loop of this process still works, whatever became of their leases. */
  readonly held?: readonly string[];
  /** Any goal where it is left away. */
  readonly which?: Claimable;
}

const anything: Claimable = { only: "any", labels: [], left: leavesNothing, machine: "" };

const isAtWork = sql`goals.phase <> 'start' and goals.interruptions = 0`;

/** Whether a goal could be claimed that the same claimer did not get: its row or its session's was locked just then (D6). */
export async function isReadyLeft(db: Db, ready: Ready): Promise<boolean> {
  const found = await db.execute<{ is_left: boolean }>(sql`
    select exists (
      select 1 from cos.goals join cos.sessions on sessions.session_id = goals.session_id
      where sessions.status = 'running' and ${isReady(ready)}) as is_left`);
  return found.rows[0]?.is_left === true;
}

/**
 * Due, without a live lease, and no other goal of its session is being worked: one at a time, also when a retry comes due
 * meanwhile. What was cut short comes first, so that whoever goes on with it ends what it left behind.
 */
export function isReady({ now, held = [], which = anything }: Ready): SQL {
  const ours = sql`any(${sql.param([...held])}::text[])`;
  return sql`goals.wake_at <= ${now} and (goals.leased_until is null or goals.leased_until <= clock_timestamp())
    and not goals.goal_id = ${ours} and ${which.only === "any" ? sql`true` : isAtWork}
    and (select labels from cos.repositories where repositories.repository_id = goals.repository_id) <@ ${JSON.stringify(which.labels)}::jsonb
    and ${isForThis(which)}
    and not exists (
      select 1 from cos.goals other
      where other.session_id = goals.session_id and other.goal_id <> goals.goal_id and (
        other.leased_until > clock_timestamp() or other.goal_id = ${ours}
        or goals.leased_by is null and other.leased_by is not null and other.wake_at <= ${now}))`;
}

/** Nothing of it is asked where nothing is left to others. */
function isForThis({ left: { repositories, ofAgents }, machine }: Claimable): SQL {
  if (repositories.length + ofAgents.length === 0) return sql`true`;
  const isOne = (of: readonly string[]) => sql`goals.repository_id = any(${sql.param([...of])}::text[])`;
  return sql`(not (${isOne(repositories)} or goals.run_command is null and ${isOne(ofAgents)})
    or not exists (select 1 from cos.workers where machine <> ${machine}))`;
}

/** How many goals could be claimed now, and the earliest later time at which one can. */
export async function countReady(db: Db, now: Date): Promise<number> {
  const found = await db
    .select({ ready: sql<number>`count(*)::int` })
    .from(goals)
    .innerJoin(sessions, eq(sessions.sessionId, goals.sessionId))
    .where(
      sql`${goals.wakeAt} <= ${now} and (${goals.leasedUntil} is null or ${goals.leasedUntil} < now()) and ${sessions.status} = 'running'`,
    );
  return found[0]?.ready ?? 0;
}
