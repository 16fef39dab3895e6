import { type Week, weekOf } from "../core/reports/week.ts";
import { addDays, localDate } from "../core/time.ts";
import type { Db } from "../db/client.ts";
import { evidenceOf } from "../db/evidence.ts";
import { listGoals } from "../db/goals.ts";
import { eventsOfLastDays } from "../db/timeline.ts";
import { endedBetween, settledBetween, spentByDay } from "../db/week.ts";
import type { Deps } from "../deps.ts";
import { standingOf } from "./standing.ts";

/** A week (or any days, both included) out of the rows, in the configured zone. */
export async function gatherWeek(
  db: Db,
  deps: Pick<Deps, "config" | "policy">,
  from: string,
  to: string,
): Promise<Week> {
  const { timezone: zone } = deps.config;
  // A little more on both sides: which local date a moment belongs to is decided by the rule.
  const [start, end] = [new Date(`${addDays(from, -1)}T00:00:00Z`), new Date(`${addDays(to, 2)}T00:00:00Z`)];
  const ended = await endedBetween(db, start, end);
  const goals = (await listGoals(db, {})).filter((goal) => ended.some((each) => each.goalId === goal.goalId));
  const kept = await evidenceOf(
    db,
    ended.map((each) => each.goalId),
  );
  const tagOf = (goalId: string) => {
    const goal = goals.find((each) => each.goalId === goalId);
    const mine = kept.filter((each) => each.goalId === goalId);
    return goal === undefined ? "not checked" : standingOf(goal, mine).tag;
  };
  const earlier = (await endedBetween(db, new Date(`${addDays(from, -29)}T00:00:00Z`), start)).filter(
    ({ at }) => localDate(at, zone) < from && localDate(at, zone) >= addDays(from, -28),
  );
  return weekOf({
    from,
    to,
    zone,
    ended: ended.map((each) => ({ ...each, tag: tagOf(each.goalId) })),
    escalated: await eventsOfLastDays(db, "recovery.escalated", end, 400),
    decisions: await settledBetween(db, start, end),
    spent: await spentByDay(db, from, to),
    before: { complete: earlier.filter((each) => each.isComplete).length, ended: earlier.length },
    dayCeilingMicroUsd: deps.policy.ceilings.dayMicroUsd,
  });
}
