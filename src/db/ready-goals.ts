import { eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import { leavesNothing, type LeftToOthers } from "../core/lacks.ts";
import type { Db } from "./connection/client.ts";
import { goals, sessions } from "./schema/index.ts";

/** Which goals a worker may claim (`claimNext` of `leases.ts` takes one of them). */

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

/** The values of what is ready, as a statement takes them. */
export interface ReadyValues extends Record<string, unknown> {
  readonly now: Date;
  readonly held: readonly string[];
  readonly labels: string;
  readonly repositories: readonly string[];
  readonly ofAgents: readonly string[];
  readonly machine: string;
}

/** The values that a statement on ready goals is sent with. */
export function valuesOf({ now, held = [], which = anything }: Ready): ReadyValues {
  const { labels, left, machine } = which;
  return { now, held, labels: JSON.stringify(labels), ...left, machine };
}

/** What of it is asked at all: each is a statement of its own. */
export interface ReadyKind {
  readonly only: Claimable["only"];
  readonly leavesSome: boolean;
}

/** What decides the text of a statement on ready goals: each kind is prepared once. */
export function kindOf({ which: { only, left } = anything }: Ready): ReadyKind {
  return { only, leavesSome: left.repositories.length + left.ofAgents.length > 0 };
}

/**
 * Its session is open, and the hour of its night has not come: a night is ended by the next tick, and nothing begins or goes on
 * until then. One that has ended leaves its sessions to the day.
 */
export function isSessionOpen(now: Placeholder | Date): SQL {
  return sql`sessions.status = 'running' and (sessions.night_id is null or exists (
    select from cos.nights where nights.night_id = sessions.night_id and (nights.ended_at is not null or nights.until_at > ${now})))`;
}

type PlaceOf = (name: keyof ReadyValues & string) => Placeholder;

/** Its lease is over, by the database's clock: the turn was cut, and nobody works it. Not true of goals without a lease. */
export const isCut = sql<boolean>`(${goals.leasedUntil} <= clock_timestamp()) is true`;

const isAtWork = sql`goals.phase <> 'start' and goals.interruptions = 0`;

/**
 * Due, without a live lease, and no other goal of its session is being worked: one at a time, also when a retry comes due
 * meanwhile. What was cut short comes first, so that whoever goes on with it ends what it left behind.
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

/** How many goals could be claimed now, and the earliest later time at which one can. */
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
