import type { Goal } from "../core/goals/goal.ts";
import { openQuestions } from "../core/reports/open-questions.ts";
import type { LimitedLine, ReportLine } from "../core/reports/standup.ts";
import type { SpendFacts, StandupFacts, UnmergedLine } from "../core/reports/standup-facts.ts";
import { localDate } from "../core/time.ts";
import { listPending } from "../db/checkpoints.ts";
import type { Db } from "../db/client.ts";
import { evidenceOf } from "../db/evidence.ts";
import { getGoal } from "../db/goals.ts";
import { dayTotal } from "../db/spend.ts";
import { completeGoals, goalsToReport, openReservations, spentSince } from "../db/standup.ts";
import { eventsBetween } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import type { GitFacts } from "./git-state.ts";
import { tagOf } from "./standing.ts";
import { campaignLines, plannedGoals, sessionViews } from "./standup-plan.ts";

type Reporting = Pick<Deps, "now" | "config" | "policy">;

/** Which standup: the local date that it is for, what it reports from, and what git said before. */
export interface Standup {
  readonly date: string;
  readonly since: Date;
  readonly git: GitFacts;
}

/** The facts of a standup, out of the rows and what git said. */
export async function gatherStandup(db: Db, deps: Reporting, standup: Standup): Promise<StandupFacts> {
  const { date, since, git } = standup;
  const { config, policy } = deps;
  const now = deps.now();
  const pending = await listPending(db);
  const asked = new Set(pending.flatMap((each) => [each.subject, each.goalId ?? each.subject]));
  const sessions = await sessionViews(db);
  const views = sessions.map((each) => each.view);
  const rules = {
    now,
    zone: config.timezone,
    quietHours: config.quietHours,
    second: config.second,
    remindAfterMs: policy.checkpoints.remindAfterMs,
  };
  return {
    date,
    since,
    ...(await pastGoals(db, deps, standup, asked)),
    askedOf: config.slack === null ? [] : config.approvers.filter((each) => each.startsWith("slack:")),
    questions: openQuestions(pending, views, rules),
    sessions: views,
    planned: await plannedGoals(db, sessions, asked),
    campaigns: await campaignLines(db, since, localDate(now, config.timezone)),
    limited: await limitedSince(db, now, since),
    spend: await spendOf(db, deps, since),
    news: git.news,
    troubles: git.troubles,
  };
}

type PastGoals = Pick<StandupFacts, "done" | "failed" | "parked" | "manual" | "unmerged" | "lateMerges">;

/** What ended or stopped, with the tag that its evidence gives (D27). `asked`: what questions are open about. */
async function pastGoals(
  db: Db,
  deps: Reporting,
  { since, git }: Standup,
  asked: ReadonlySet<string>,
): Promise<PastGoals> {
  const { lookBackMs, lateMergeMs: afterMs } = deps.policy.standup;
  const states = new Map(git.branches.map(({ branch, state }) => [branch.goalId, state]));
  const ended = await goalsToReport(db, since, new Date(deps.now().getTime() - lookBackMs));
  const isNew = new Set(ended.map((goal) => goal.goalId));
  const undecided = [...states].flatMap(([goalId, state]) =>
    state.type === "not-merged" && !isNew.has(goalId) ? [goalId] : [],
  );
  const older = await completeGoals(db, undecided);
  const kept = await evidenceOf(
    db,
    [...ended, ...older].map((goal) => goal.goalId),
  );
  const line = (goal: Goal): ReportLine => {
    const { goalId, content, outcome } = goal;
    return { goalId, content, outcome, tag: tagOf(goal, kept) };
  };
  const of = (status: Goal["status"]): Goal[] => ended.filter((goal) => goal.status === status);
  const unmerged = older.map((goal): UnmergedLine => {
    const state = states.get(goal.goalId);
    return { ...line(goal), sinceMs: state?.type === "not-merged" ? state.sinceMs : 0 };
  });
  return {
    done: of("complete").map((goal) => ({ ...line(goal), branch: states.get(goal.goalId)?.type ?? null })),
    failed: of("failed").map(line),
    parked: of("blocked")
      .filter((goal) => !asked.has(goal.goalId))
      .map(line),
    manual: of("manual_followup").map(line),
    unmerged: unmerged.toSorted((one, other) => other.sinceMs - one.sinceMs),
    lateMerges: { number: unmerged.filter((each) => each.sinceMs > afterMs).length, afterMs },
  };
}

async function limitedSince(db: Db, now: Date, since: Date): Promise<LimitedLine[]> {
  const until = new Date(now.getTime() + 1);
  const found: LimitedLine[] = [];
  for (const { goalId, at, detail } of await eventsBetween(db, "recovery.limited", since, until)) {
    const { until: resetAt } = detail;
    if (goalId === null || typeof resetAt !== "string") continue;
    const goal = await getGoal(db, goalId);
    if (goal !== null) found.push({ goalId, content: goal.content, from: at, until: resetAt });
  }
  return found;
}

async function spendOf(db: Db, deps: Reporting, since: Date): Promise<SpendFacts> {
  const spent = await spentSince(db, since);
  const today = await dayTotal(db, localDate(deps.now(), deps.config.timezone));
  return {
    sinceMicroUsd: spent.microUsd,
    todayMicroUsd: today.spentMicroUsd,
    isEstimated: spent.isEstimated || today.isEstimated,
    dayCeilingMicroUsd: deps.policy.ceilings.dayMicroUsd,
    reserved: await openReservations(db),
  };
}
