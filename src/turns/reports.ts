import type { Goal } from "../core/goals/goal.ts";
import type { ReportFacts, ReportLine } from "../core/reports/standup.ts";
import { addDays, startOfDate } from "../core/time.ts";
import { listPending } from "../db/checkpoints.ts";
import type { Db } from "../db/client.ts";
import { evidenceOf } from "../db/evidence.ts";
import { goalsById, listGoals } from "../db/goals.ts";
import { periodTotal } from "../db/spend.ts";
import { eventsBetween } from "../db/timeline.ts";
import { endedBetween } from "../db/week.ts";
import type { Deps } from "../deps.ts";
import { tagOf } from "./standing.ts";

/** The facts of a report over local dates, both included: for whoever asks, and for what is posted by itself. */
export async function gatherReport(
  db: Db,
  deps: Pick<Deps, "now" | "config">,
  from: string,
  to: string,
): Promise<ReportFacts> {
  const { timezone: zone } = deps.config;
  // What is done is what ended in these days: a goal is touched later too, when its branch is merged.
  const ended = await endedBetween(db, startOfDate(from, zone), startOfDate(addDays(to, 1), zone));
  const endedGoals = await goalsById(
    db,
    ended.map((each) => each.goalId),
  );
  const blocked = await listGoals(db, { status: "blocked" });
  const planned = await listGoals(db, { status: "pending" });
  const pending = await listPending(db);
  const waitingFor = new Set(pending.map((each) => each.goalId));
  const kept = await evidenceOf(
    db,
    [...endedGoals, ...blocked, ...planned].map((goal) => goal.goalId),
  );
  const line = (goal: Goal): ReportLine => ({
    goalId: goal.goalId,
    content: goal.content,
    outcome: goal.outcome,
    tag: tagOf(goal, kept),
  });
  const spent = await periodTotal(db, from, to);
  const waits = await eventsBetween(db, "recovery.limited", startOfDate(from, zone), startOfDate(addDays(to, 1), zone));
  const waiters = await goalsById(
    db,
    waits.flatMap(({ goalId }) => goalId ?? []),
  );
  const limited = waits.flatMap(({ goalId, at, detail: { until } }) => {
    const goal = waiters.find((each) => each.goalId === goalId);
    if (goal === undefined || typeof until !== "string") return [];
    return [{ goalId: goal.goalId, content: goal.content, from: at, until }];
  });
  return {
    limited,
    from,
    to,
    done: endedGoals.filter((goal) => goal.status === "complete").map(line),
    failed: endedGoals.filter((goal) => goal.status === "failed").map(line),
    parked: blocked.filter((goal) => !waitingFor.has(goal.goalId)).map(line),
    waiting: pending.map((each) => ({
      checkpointId: each.checkpointId,
      content: each.context,
      sinceMs: deps.now().getTime() - each.createdAt.getTime(),
    })),
    planned: planned.map(line),
    spentMicroUsd: spent.spentMicroUsd,
    spentIsEstimated: spent.isEstimated,
  };
}
