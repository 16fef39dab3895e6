import { ofPlatforms } from "../../core/chat-platforms.ts";
import type { SpendFacts, StandupFacts } from "../../core/reports/standup-facts.ts";
import { localDate } from "../../core/time.ts";
import type { Db } from "../../db/connection/client.ts";
import { dayTotal } from "../../db/totals.ts";
import { openReservations, spentSince } from "../../db/standup.ts";
import type { GitFacts } from "../../facts/git-state.ts";
import type { Reporting } from "../../facts/goal-lists.ts";
import { gatherNeeds } from "../../facts/needs.ts";
import { limitedIn } from "./reports.ts";

/** Which standup: the local date that it is for, what it reports from, and what git said before. */
export interface Standup {
  readonly date: string;
  readonly since: Date;
  readonly git: GitFacts;
}

/** The facts of a standup, out of the rows and what git said. */
export async function gatherStandup(db: Db, deps: Reporting, standup: Standup): Promise<StandupFacts> {
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
  };
}

async function spendOf(db: Db, deps: Reporting, since: Date): Promise<SpendFacts> {
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
