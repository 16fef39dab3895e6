import { endedStatuses, type Goal } from "../core/goals/goal.ts";
import type { SessionView } from "../core/reports/open-questions.ts";
import type { CampaignLine, PlannedLine } from "../core/reports/standup-facts.ts";
import { unmetOf } from "../core/goals/ground.ts";
import type { Db } from "../db/client.ts";
import { groundsOf } from "../db/grounds.ts";
import { sessionGoals, waitingGoals } from "../db/goals.ts";
import { listRepositories } from "../db/repositories.ts";
import { listOpenSessions } from "../db/sessions.ts";
import { campaignsSince } from "../db/campaigns.ts";
import { type CampaignView, viewCampaign } from "./campaigns/gather.ts";

/** What comes next: the part of a standup that looks ahead. */

export interface OpenSession {
  readonly view: SessionView;
  readonly goals: readonly Goal[];
}

/** Open sessions' goals in their order, then what the next session of each repository would take. */
export async function plannedGoals(
  db: Db,
  sessions: readonly OpenSession[],
  asked: ReadonlySet<string>,
): Promise<PlannedLine[]> {
  return [...sessions.flatMap((each) => plannedIn(each.goals, asked)), ...(await plannedNext(db))];
}

/** Campaigns that are not over, and those that ended since a moment. `today` is the local date. */
export async function campaignLines(db: Db, since: Date, today: string): Promise<CampaignLine[]> {
  const lines: CampaignLine[] = [];
  for (const campaign of await campaignsSince(db, since))
    lines.push(campaignLine(await viewCampaign(db, campaign), today));
  return lines;
}

/** The open sessions, for who waits on whom, with their goals. */
export async function sessionViews(db: Db): Promise<OpenSession[]> {
  const repositories = await listRepositories(db);
  const views = [];
  for (const { sessionId, repositoryId, kind, inOrder, status, pausedBy } of await listOpenSessions(db)) {
    const goals = await sessionGoals(db, sessionId);
    const repositoryName = repositories.find((each) => each.repositoryId === repositoryId)?.name ?? repositoryId;
    const view = { sessionId, repositoryName, kind, inOrder, isPaused: status === "paused", pausedBy, goals };
    const grounds = await groundsOf(
      db,
      goals.flatMap((goal) => goal.after),
    );
    const standing = goals.map(({ goalId, status: at, after }) => {
      return { goalId, status: at, unmet: unmetOf(after, grounds) };
    });
    views.push({ view: { ...view, goals: standing }, goals });
  }
  return views;
}

/** What a session has still to do; what is parked stands elsewhere. */
function plannedIn(goals: readonly Goal[], asked: ReadonlySet<string>): PlannedLine[] {
  return goals.flatMap(({ goalId, content, status, leasedBy }): PlannedLine[] => {
    if (endedStatuses.includes(status)) return [];
    if (asked.has(goalId)) return [{ goalId, content, state: "waits for an answer" }];
    if (status === "blocked") return [];
    return [{ goalId, content, state: leasedBy === null ? "in the session" : "working" }];
  });
}

/** What the next session of each repository would take. */
async function plannedNext(db: Db): Promise<PlannedLine[]> {
  const free: Goal[] = [];
  for (const { repositoryId } of await listRepositories(db)) free.push(...(await waitingGoals(db, repositoryId)));
  return free.map(({ goalId, content }) => ({ goalId, content, state: "pending" }));
}

function campaignLine(view: CampaignView, today: string): CampaignLine {
  const { campaign, milestones, days, spent } = view;
  const { campaignId, name, state, currentDay, totalBudgetMicroUsd, pausedBy } = campaign;
  const day = days.find((each) => each.date === today) ?? days.find((each) => each.dayNumber === currentDay);
  return {
    campaignId,
    name,
    state,
    day: currentDay,
    days: days.length,
    milestonesDone: milestones.filter((each) => each.status === "done").length,
    milestones: milestones.length,
    daysBehind: view.isOverdue ? view.daysBehind : 0,
    spentMicroUsd: spent.spentMicroUsd,
    budgetMicroUsd: totalBudgetMicroUsd,
    today: day === undefined || day.status === "done" ? [] : day.goals.map((goal) => goal.request.content),
    pausedBy: state === "paused" ? pausedBy : null,
  };
}
