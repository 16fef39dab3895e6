import type { ReportPart } from "../core/reports/parts.ts";
import { isAboutFinished, recommend } from "../core/reports/recommendation.ts";
import { type GoalEnd, type StandupNeeds, standupSince } from "../core/reports/standup-facts.ts";
import { localDate } from "../core/time.ts";
import { openCampaigns } from "../db/campaigns.ts";
import { listPending } from "../db/checkpoints.ts";
import type { Db } from "../db/connection/client.ts";
import { goalsById } from "../db/goals.ts";
import { listRepositories } from "../db/repositories.ts";
import { lastRunAt } from "../db/schedules.ts";
import {
  branchesUnderWay,
  countManualBefore,
  endedGoals,
  endsSince,
  manualSince,
  openGoals,
  undecidedBranches,
} from "../db/standup.ts";
import { type FinishedBranches, undecidedStates } from "./finished.ts";
import type { Deps } from "../deps.ts";
import { gatherGit, type GitFacts } from "./git-state.ts";
import { goalLists, type ReportDeps, type GoalsToSort } from "./goal-lists.ts";
import { spaceLackingNow, spaceThatIsLacking } from "./space.ts";
import { campaignLines, sessionViews } from "./standup-plan.ts";

/** Since when ended goals are news, and the state of finished branches. */
interface Wanted extends Pick<GitFacts, "news" | "troubles"> {
  readonly since: Date;
  /** How goals have ended since then, if the caller has read that. */
  readonly ends?: readonly GoalEnd[] | undefined;
  readonly states: FinishedBranches["states"];
  readonly mostBacked: number;
}

/** Every goal in its part of the report, and everything else that may need a person, by the rows and by git. */
export async function gatherNeeds(
  db: Db,
  deps: ReportDeps,
  { since, git, ends }: Pick<Wanted, "since" | "ends"> & { readonly git: GitFacts },
): Promise<StandupNeeds> {
  const states = new Map(git.branches.map(({ branch, state }) => [branch.goalId, state]));
  return await gather(db, deps, { since, ends, states, ...git, mostBacked: Number.POSITIVE_INFINITY });
}

/** Maximum number of lines that are tagged by their evidence when only the most urgent thing is wanted. */
const mostBackedNow = 200;

/**
 * What is needed now, by the rows alone: for callers that count, or cannot wait for git. Ended goals are news if they ended since the last
 * standup, or in the last day.
 */
export async function needsNow(db: Db, deps: ReportDeps): Promise<StandupNeeds> {
  const now = deps.now();
  const since = standupSince(await lastRunAt(db, "standup", now), now, "a day");
  const endedSince = new Date(now.getTime() - deps.policy.standup.lookBackMs);
  const states = await undecidedStates(db, deps, { endedSince });
  return await gather(db, deps, { since, states, news: [], troubles: [], mostBacked: mostBackedNow });
}

/**
 * What is needed now, for advice to a person. If finished work would come first, git is also read, as for a standup: nobody should merge
 * what a person has merged by hand. Do not call it in a transaction.
 */
export async function needsToAdvise(deps: ReportDeps & Pick<Deps, "database" | "space">): Promise<StandupNeeds> {
  const { db } = deps.database;
  const byRows = { ...(await needsNow(db, deps)), noSpace: await spaceLackingNow(deps) };
  if (!isAboutFinished(recommend(byRows))) return byRows;
  const now = deps.now();
  const since = standupSince(await lastRunAt(db, "standup", now), now, "a day");
  return await gatherNeeds(db, deps, { since, git: await gatherGit(deps, since) });
}

/** Sorts every goal into its part of the report. */
async function gather(
  db: Db,
  deps: ReportDeps,
  { since, states, news: found, ...wanted }: Wanted,
): Promise<StandupNeeds> {
  const { lookBackMs } = deps.policy.standup;
  const now = deps.now();
  const lookBack = new Date(now.getTime() - lookBackMs);
  const news = await endedGoals(db, wanted.ends ?? (await endsSince(db, since)));
  const isNews = new Set(news.map((goal) => goal.goalId));
  const undecided = [...states].flatMap(([goalId, { type }]) =>
    type === "not-merged" && !isNews.has(goalId) ? [goalId] : [],
  );
  const underWay = [...(await branchesUnderWay(db)).keys()];
  const finished = await goalsById(db, [...new Set([...undecided, ...underWay])]);
  const earlier = [...(await manualSince(db, lookBack)), ...finished];
  const goals = [...news, ...earlier.filter((goal) => !isNews.has(goal.goalId)), ...(await openGoals(db))];
  const needs = await goalLists(db, deps, {
    goals,
    pending: await listPending(db),
    sessions: await sessionViews(db),
    campaigns: new Set((await openCampaigns(db)).map((each) => each.campaignId)),
    states,
    isNews: (goal) => isNews.has(goal.goalId),
    mostBacked: wanted.mostBacked,
  });
  const whole: StandupNeeds = {
    ...needs.lists,
    campaigns: await campaignLines(db, {
      since,
      today: localDate(now, deps.config.timezone),
      waiting: needs.ofCampaigns,
    }),
    news: found,
    troubles: wanted.troubles,
    noSpace: await spaceThatIsLacking(db),
  };
  const { type } = recommend(whole);
  if (type !== "wait" && type !== "add") return whole;
  const isFirst = type === "add" && (await listRepositories(db)).length === 0;
  const older = await olderThan(db, lookBack, lookBackMs);
  return { ...whole, older, ...(isFirst ? { isWithoutRepository: true } : {}) };
}

/** Older branches and goals left to a person, which no list contains. They are counted before a report says that nothing is left. */
async function olderThan(db: Db, before: Date, olderThanMs: number): Promise<StandupNeeds["older"]> {
  const branches = (await undecidedBranches(db, { endedBefore: before })).length;
  return { branches, manual: await countManualBefore(db, before), olderThanMs };
}

/**
 * Like needsNow, for some goals alone, such as those of a night or a campaign. `pending`: the open questions about them, their sessions and
 * what they belong to.
 */
export async function needsOf(
  db: Db,
  deps: ReportDeps,
  of: Pick<GoalsToSort, "goals" | "pending" | "isNews">,
): Promise<{ readonly parts: ReadonlyMap<string, ReportPart>; readonly needs: StandupNeeds }> {
  const goalIds = of.goals.map((goal) => goal.goalId);
  const { parts, lists } = await goalLists(db, deps, {
    ...of,
    sessions: (await sessionViews(db)).filter(({ goals }) => goals.some((goal) => goalIds.includes(goal.goalId))),
    campaigns: new Set((await openCampaigns(db)).map((each) => each.campaignId)),
    states: await undecidedStates(db, deps, { goalIds }),
    mostBacked: Number.POSITIVE_INFINITY,
  });
  return { parts, needs: { ...lists, campaigns: [], news: [], troubles: [], noSpace: null } };
}
