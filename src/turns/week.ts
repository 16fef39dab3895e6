import { type CampaignFacts, summaryOf } from "../core/reports/summary.ts";
import type { WeeklyFacts } from "../core/reports/standup.ts";
import { type Week, weekOf } from "../core/reports/week.ts";
import { addDays, startOfDate, weekHolding } from "../core/time.ts";
import type { Db } from "../db/client.ts";
import { evidenceOf } from "../db/evidence.ts";
import { goalsById } from "../db/goals.ts";
import { periodTotal } from "../db/spend.ts";
import { eventsBetween } from "../db/timeline.ts";
import { endedBetween, listCampaignFacts, settledBetween, spentByDay } from "../db/week.ts";
import type { Deps } from "../deps.ts";
import { gatherReport } from "./reports.ts";
import { tagOf } from "./standing.ts";

type Gathering = Pick<Deps, "config" | "policy" | "now">;

/** Everything that a weekly says of the week that holds a local date, in the configured zone. */
export async function gatherWeekly(db: Db, deps: Gathering, date: string): Promise<WeeklyFacts> {
  const { from, to } = weekHolding(date);
  const campaigns = await listCampaignFacts(db);
  const week = await gatherWeek(db, deps, { from, to, campaigns });
  return {
    report: await gatherReport(db, deps, from, to),
    week,
    summary: summaryOf(week, campaigns, deps.config.timezone),
  };
}

/** Local dates, both included. */
interface Period {
  readonly from: string;
  readonly to: string;
}

/** The numbers of a period. */
async function gatherWeek(
  db: Db,
  deps: Gathering,
  { from, to, campaigns }: Period & { readonly campaigns: readonly CampaignFacts[] },
): Promise<Week> {
  const { timezone: zone } = deps.config;
  const [start, end] = [startOfDate(from, zone), startOfDate(addDays(to, 1), zone)];
  const ended = await endedBetween(db, start, end);
  const goalIds = ended.map((each) => each.goalId);
  const goals = await goalsById(db, goalIds);
  const kept = await evidenceOf(db, goalIds);
  const tags = new Map(goals.map((goal) => [goal.goalId, tagOf(goal, kept)]));
  const earlier = await endedBetween(db, startOfDate(addDays(from, -28), zone), start);
  const spentEarlier = await periodTotal(db, addDays(from, -28), addDays(from, -1));
  const total = await periodTotal(db, from, to);
  return weekOf({
    from,
    to,
    zone,
    ended: ended.map((each) => ({ ...each, tag: tags.get(each.goalId) ?? "not checked" })),
    escalated: await eventsBetween(db, "recovery.escalated", start, end),
    decisions: await settledBetween(db, start, end),
    spent: await spentByDay(db, from, to),
    spentIsEstimated: total.isEstimated,
    campaignsEnded: campaigns.flatMap(({ campaign: { state, endedAt } }) =>
      endedAt === null ? [] : [{ at: endedAt, isComplete: state === "completed" }],
    ),
    before: {
      complete: earlier.filter((each) => each.isComplete).length,
      ended: earlier.length,
      spentMicroUsd: spentEarlier.spentMicroUsd,
    },
    dayCeilingMicroUsd: deps.policy.ceilings.dayMicroUsd,
  });
}
