import { type ReportFacts, type ReportLine, standupCard, recommendation, weeklyCard } from "../core/reports/standup.ts";
import type { Goal } from "../core/goals/goal.ts";
import { toUsd } from "../core/money.ts";
import { addDays, localDate, mondayOf } from "../core/time.ts";
import { listPending } from "../db/checkpoints.ts";
import { evidenceOf } from "../db/evidence.ts";
import { listGoals } from "../db/goals.ts";
import { periodTotal } from "../db/spend.ts";
import { eventsOfLastDays } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { standingOf } from "../turns/standing.ts";
import { type Caller, type Command, type CommandResult, done, type Given } from "./command.ts";

export const standup: Command = {
  name: "standup",
  summary: "Yesterday and today: done, failed, parked, waiting on whom, spend, what next.",
  access: "read",
  positionals: [],
  options: {},
  run: showStandup,
};

export const weekly: Command = {
  name: "weekly",
  summary: "The week's summary.",
  access: "read",
  positionals: [],
  options: {},
  run: showWeekly,
};

async function showStandup(deps: Deps, _caller: Caller, _given: Given): Promise<CommandResult> {
  const today = localDate(deps.now(), deps.config.timezone);
  const facts = await gather(deps, addDays(today, -1), today);
  return done({ date: today, ...valueOf(facts), recommendation: recommendation(facts) }, standupCard(facts, today));
}

async function showWeekly(deps: Deps, _caller: Caller, _given: Given): Promise<CommandResult> {
  const monday = mondayOf(localDate(deps.now(), deps.config.timezone));
  const facts = await gather(deps, monday, addDays(monday, 6));
  return done({ weekStart: facts.from, weekEnd: facts.to, ...valueOf(facts) }, weeklyCard(facts));
}

function valueOf(facts: ReportFacts) {
  return { ...facts, spentUsd: toUsd(facts.spentMicroUsd) };
}

async function gather(deps: Deps, from: string, to: string): Promise<ReportFacts> {
  const { db } = deps.database;
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
