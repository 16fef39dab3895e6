import { ofPlatforms } from "../../core/chat-platforms.ts";
import { preferenceLevel } from "../../core/memory/preferences.ts";
import {
  endsLateMs,
  type GoalEnd,
  type LearntLine,
  newEnds,
  type SpendFacts,
  type StandupFacts,
} from "../../core/reports/standup-facts.ts";
import { localDate } from "../../core/time.ts";
import type { Db } from "../../db/connection/client.ts";
import { listPreferences, type PreferenceRow } from "../../db/preferences.ts";
import { dayTotal } from "../../db/totals.ts";
import { endsSince, openReservations, spentSince } from "../../db/standup.ts";
import { eventsBetween } from "../../db/timeline.ts";
import type { GitFacts } from "../../facts/git-state.ts";
import type { ReportDeps } from "../../facts/goal-lists.ts";
import { gatherNeeds } from "../../facts/needs.ts";
import { limitedIn } from "./reports.ts";

/** A standup: its local date, the start of the time it reports, and what git shows. */
export interface Standup {
  readonly date: string;
  readonly since: Date;
  readonly git: GitFacts;
  /** How goals have ended since then. Absent: it is read from the database. */
  readonly ends?: readonly GoalEnd[];
}

/** The ends of goals that no standup has reported. The last standup was posted at `since`. */
export async function endsUnsaid(db: Db, since: Date): Promise<GoalEnd[]> {
  const [last] = await eventsBetween(db, "standup.posted", since, new Date(since.getTime() + 1));
  const ends = await endsSince(db, new Date(since.getTime() - endsLateMs));
  return newEnds(ends, { since, said: last?.detail.said ?? null });
}

/** The facts of a standup, from the rows and from git. */
export async function gatherStandup(db: Db, deps: ReportDeps, standup: Standup): Promise<StandupFacts> {
  const { date, since } = standup;
  const { config, policy } = deps;
  const needs = await gatherNeeds(db, deps, standup);
  const { lateMergeMs: afterMs } = policy.standup;
  return {
    ...needs,
    date,
    since,
    askedOf: ofPlatforms(config.approvers, config.platforms),
    lateMerges: { number: needs.unmerged.filter((each) => each.sinceMs > afterMs).length, afterMs },
    limited: await limitedIn(db, { from: since, to: new Date(deps.now().getTime() + 1) }),
    spend: await spendOf(db, deps, since),
    learnt: learntOf(await listPreferences(db), since),
  };
}

function learntOf(weights: readonly PreferenceRow[], since: Date): LearntLine[] {
  return weights.flatMap((weight) => {
    const reading = preferenceLevel(weight);
    return reading === null ? [] : [{ key: weight.key, reading, isNew: weight.updatedAt >= since }];
  });
}

async function spendOf(db: Db, deps: ReportDeps, since: Date): Promise<SpendFacts> {
  const spent = await spentSince(db, since);
  const today = await dayTotal(db, localDate(deps.now(), deps.config.timezone));
  return {
    sinceMicroUsd: spent.microUsd,
    todayMicroUsd: today.spentMicroUsd,
    isEstimated: spent.isEstimated || today.isEstimated,
    dayCeilingMicroUsd: deps.policy.ceilings.dayMicroUsd,
    reserved: await openReservations(db, since),
  };
}
