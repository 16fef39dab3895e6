import type { Goal } from "../core/goals/goal.ts";
import type { ReportFacts, ReportLine } from "../core/reports/standup.ts";
import { localDate } from "../core/time.ts";
import { listPending } from "../db/checkpoints.ts";
import type { Db } from "../db/client.ts";
import { evidenceOf } from "../db/evidence.ts";
import { listGoals } from "../db/goals.ts";
import { periodTotal } from "../db/spend.ts";
import { eventsOfLastDays } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { standingOf } from "./standing.ts";

/** The facts of a report over local dates, both included: for whoever asks, and for what is posted by itself. */
export async function gatherReport(
  db: Db,
  deps: Pick<Deps, "now" | "config">,
  from: string,
  to: string,
): Promise<ReportFacts> {
  const goals = await listGoals(db, {});
  const inPeriod = goals.filter((goal) => {
    const day = localDate(goal.updatedAt, deps.config.timezone);
    return day >= from && day <= to;
  });
  const pending = await listPending(db);
  const waitingFor = new Set(pending.map((each) => each.goalId));
  const kept = await evidenceOf(
    db,
    inPeriod.map((goal) => goal.goalId),
  );
  const line = (goal: Goal): ReportLine => ({
    goalId: goal.goalId,
    content: goal.content,
    outcome: goal.outcome,
    tag: standingOf(
      goal,
      kept.filter((each) => each.goalId === goal.goalId),
    ).tag,
  });
  const spent = await periodTotal(db, from, to);
  const limited = (await eventsOfLastDays(db, "recovery.limited", deps.now(), 8)).flatMap(({ goalId, at, detail }) => {
    const goal = goals.find((each) => each.goalId === goalId);
    const { until } = detail;
    const day = localDate(at, deps.config.timezone);
    if (goal === undefined || typeof until !== "string" || day < from || day > to) return [];
    return [{ goalId: goal.goalId, content: goal.content, from: at, until }];
  });
  return {
    limited,
    from,
    to,
    done: inPeriod.filter((goal) => goal.status === "complete").map(line),
    failed: inPeriod.filter((goal) => goal.status === "failed").map(line),
    parked: goals.filter((goal) => goal.status === "blocked" && !waitingFor.has(goal.goalId)).map(line),
    waiting: pending.map((each) => ({
      checkpointId: each.checkpointId,
      content: each.context,
      sinceMs: deps.now().getTime() - each.createdAt.getTime(),
    })),
    planned: goals.filter((goal) => goal.status === "pending").map(line),
    spentMicroUsd: spent.spentMicroUsd,
    spentIsEstimated: spent.isEstimated,
  };
}
