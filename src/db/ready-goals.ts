import { eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import { leavesNothing, type LeftToOthers } from "../core/lacks.ts";
import type { Db } from "./connection/client.ts";
import { goals, sessions } from "./schema/index.ts";

/** Which goals a worker may claim (`claimNext` in `leases.ts` claims one of them). */

/** `at-work`: when there is too little space, no goal begins and no interrupted goal continues. Only goals at work do. */
export interface Claimable {
  readonly only: "any" | "at-work";
  /** The labels of this worker. It takes goals of repositories that require no other labels. */
  readonly labels: readonly string[];
  /** What it leaves to workers of other machines, while there are any. */
  readonly left: LeftToOthers;
  readonly machine: string;
}

/** For which moment and which worker goals are ready. */
export interface Ready {
  /** The caller's clock, for due times. Leases use the database's clock (D4). */
  readonly now: Date;
  /** Goals that a loop of this process still works, even if they have lost their leases. */
  readonly held?: readonly string[];
  /** Absent: any goal. */
  readonly which?: Claimable;
}

const anything: Claimable = { only: "any", labels: [], left: leavesNothing, machine: "" };

/** The values of the condition, as a statement takes them. */
export interface ReadyValues extends Record<string, unknown> {
  readonly now: Date;
  readonly held: readonly string[];
  readonly labels: string;
  readonly repositories: readonly string[];
  readonly ofAgents: readonly string[];
  readonly machine: string;
}

/** The values that are sent with a statement about ready goals. */
export function valuesOf({ now, held = [], which = anything }: Ready): ReadyValues {
  const { labels, left, machine } = which;
  return { now, held, labels: JSON.stringify(labels), ...left, machine };
}

/** The variants of the condition. Each is a prepared statement of its own. */
export interface ReadyKind {
  readonly only: Claimable["only"];
  readonly leavesSome: boolean;
}

/** Chooses the text of a statement about ready goals. Each variant is prepared once. */
export function kindOf({ which: { only, left } = anything }: Ready): ReadyKind {
  return { only, leavesSome: left.repositories.length + left.ofAgents.length > 0 };
}

/**
 * True when the session is running and its night's end time has not passed. The next tick ends such a night, and no goal begins or
 * continues until then. An ended night leaves its sessions to the day.
 */
export function isSessionOpen(now: Placeholder | Date): SQL {
  return sql`sessions.status = 'running' and (sessions.night_id is null or exists (
    select from cos.nights where nights.night_id = sessions.night_id and (nights.ended_at is not null or nights.until_at > ${now})))`;
}

type PlaceOf = (name: keyof ReadyValues & string) => Placeholder;

/** True when its lease has expired by the database's clock: the turn was cut short, and nobody works the goal. False without a lease. */
export const isCut = sql<boolean>`(${goals.leasedUntil} <= clock_timestamp()) is true`;

const isAtWork = sql`goals.phase <> 'start' and goals.interruptions = 0`;

/**
 * True when a goal is due, has no live lease, and no other goal of its session is being worked: only one at a time, also when a retry
 * comes due meanwhile. A goal that was cut short comes first, so that the worker that continues it can clean up what it left.
 */
export function isReady(place: PlaceOf, { only, leavesSome }: ReadyKind): SQL {
  const ours = sql`any(${place("held")}::text[])`;
  return sql`goals.wake_at <= ${place("now")} and (goals.leased_until is null or goals.leased_until <= clock_timestamp())
    and not goals.goal_id = ${ours} and ${only === "any" ? sql`true` : isAtWork}
    and (select labels from cos.repositories where repositories.repository_id = goals.repository_id) <@ ${place("labels")}::jsonb
    and ${leavesSome ? isForThis(place) : sql`true`}
    and not exists (
      select 1 from cos.goals other
      where other.session_id = goals.session_id and other.goal_id <> goals.goal_id and (
        other.leased_until > clock_timestamp() or other.goal_id = ${ours}
        or goals.leased_by is null and other.leased_by is not null and other.wake_at <= ${place("now")}))`;
}

function isForThis(place: PlaceOf): SQL {
  const isOne = (of: "repositories" | "ofAgents") => sql`goals.repository_id = any(${place(of)}::text[])`;
  return sql`(not (${isOne("repositories")} or goals.run_command is null and ${isOne("ofAgents")})
    or not exists (select 1 from cos.workers where machine <> ${place("machine")}))`;
}

/** Number of due goals of open sessions without a live lease. Does not check whether another goal of the session is being worked. */
export async function countReady(db: Db, now: Date): Promise<number> {
  const found = await db
    .select({ ready: sql<number>`count(*)::int` })
    .from(goals)
    .innerJoin(sessions, eq(sessions.sessionId, goals.sessionId))
    .where(
      sql`${goals.wakeAt} <= ${now} and (${goals.leasedUntil} is null or ${goals.leasedUntil} < now()) and ${isSessionOpen(now)}`,
    );
  return found[0]?.ready ?? 0;
}
