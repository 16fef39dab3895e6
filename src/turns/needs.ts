import { type Goal, stateOf } from "../core/goals/goal.ts";
import { stateWords } from "../core/cards/goal-card.ts";
import type { BranchState } from "../core/reports/branches.ts";
import { openQuestions, waitingFor } from "../core/reports/open-questions.ts";
import { type Part, partOf } from "../core/reports/parts.ts";
import { recommend } from "../core/reports/recommendation.ts";
import type { ReportLine } from "../core/reports/standup.ts";
import {
  type Needs,
  type PlannedLine,
  standupSince,
  type UnmergedLine,
  type WorkingLine,
} from "../core/reports/standup-facts.ts";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { localDate } from "../core/time.ts";
import { listPending } from "../db/checkpoints.ts";
import type { Db } from "../db/client.ts";
import { evidenceOf } from "../db/evidence.ts";
import { goalsById } from "../db/goals.ts";
import { openCampaigns } from "../db/campaigns.ts";
import { countManualBefore, endedSince, lastRunAt, manualSince, openGoals, undecidedBranches } from "../db/standup.ts";
import type { Deps } from "../deps.ts";
import type { GitFacts } from "./git-state.ts";
import { tagOf } from "./standing.ts";
import { campaignLines, type OpenSession, sessionViews } from "./standup-plan.ts";

export type Reporting = Pick<Deps, "now" | "config" | "policy">;

/** From when what ended is news, and where finished branches stand. */
interface Wanted extends Pick<GitFacts, "news" | "troubles"> {
  readonly since: Date;
  readonly states: Standing["states"];
  readonly mostBacked: number;
}

/** Every goal in its part, and whatever else may need a person, by our rows and by git. */
export async function gatherNeeds(
  db: Db,
  deps: Reporting,
  { since, git }: { readonly since: Date; readonly git: GitFacts },
): Promise<Needs> {
  const states = new Map(git.branches.map(({ branch, state }) => [branch.goalId, state]));
  return await gather(db, deps, { since, states, ...git, mostBacked: Number.POSITIVE_INFINITY });
}

/** Of more lines it is not looked up what backs them, where only the first thing to do is wanted. */
const mostBackedNow = 200;

/** What is needed now, by our rows alone: for who cannot wait for git. What ended counts as the next standup would have it. */
export async function needsNow(db: Db, deps: Reporting): Promise<Needs> {
  const now = deps.now();
  const since = standupSince(await lastRunAt(db, "standup"), now, "a day");
  const endedSince = new Date(now.getTime() - deps.policy.standup.lookBackMs);
  const states = await undecidedStates(db, deps, { endedSince });
  return await gather(db, deps, { since, states, news: [], troubles: [], mostBacked: mostBackedNow });
}

/** Every goal in its part. */
async function gather(db: Db, deps: Reporting, { since, states, news: found, ...wanted }: Wanted): Promise<Needs> {
  const { lookBackMs } = deps.policy.standup;
  const now = deps.now();
  const lookBack = new Date(now.getTime() - lookBackMs);
  const news = await endedSince(db, since);
  const isNews = new Set(news.map((goal) => goal.goalId));
  const undecided = [...states].flatMap(([goalId, { type }]) =>
    type === "not-merged" && !isNews.has(goalId) ? [goalId] : [],
  );
  const earlier = [...(await manualSince(db, lookBack)), ...(await goalsById(db, undecided))];
  const goals = [...news, ...earlier.filter((goal) => !isNews.has(goal.goalId)), ...(await openGoals(db))];
  const needs = await sorted(db, deps, {
    goals,
    pending: await listPending(db),
    sessions: await sessionViews(db),
    campaigns: new Set((await openCampaigns(db)).map((each) => each.campaignId)),
    states,
    isNews: (goal) => isNews.has(goal.goalId),
    mostBacked: wanted.mostBacked,
  });
  const whole: Needs = {
    ...needs.lists,
    campaigns: await campaignLines(db, {
      since,
      today: localDate(now, deps.config.timezone),
      waiting: needs.ofCampaigns,
    }),
    news: found,
    troubles: wanted.troubles,
  };
  const { type } = recommend(whole);
  return type === "wait" || type === "add" ? { ...whole, older: await olderThan(db, lookBack, lookBackMs) } : whole;
}

/** What stands in no list any more, looked at before anybody says that nothing is left. */
async function olderThan(db: Db, before: Date, olderThanMs: number): Promise<Needs["older"]> {
  const branches = (await undecidedBranches(db, { endedBefore: before })).length;
  return { branches, manual: await countManualBefore(db, before), olderThanMs };
}

/** Finished branches about which nobody has decided, as far as our rows know. */
async function undecidedStates(
  db: Db,
  deps: Reporting,
  which: Parameters<typeof undecidedBranches>[1],
): Promise<Map<string, BranchState>> {
  const now = deps.now().getTime();
  const undecided = await undecidedBranches(db, which);
  return new Map(
    undecided.map(({ goalId, endedAt }) => [
      goalId,
      { type: "not-merged", sinceMs: Math.max(0, now - endedAt.getTime()) },
    ]),
  );
}

/**
 * The same of some goals alone, by our rows: those of a night, of a campaign. `pending` are the questions about them, their
 * sessions and what they belong to.
 */
export async function needsOf(
  db: Db,
  deps: Reporting,
  of: Pick<Standing, "goals" | "pending" | "isNews">,
): Promise<{ readonly parts: ReadonlyMap<string, Part>; readonly needs: Needs }> {
  const goalIds = of.goals.map((goal) => goal.goalId);
  const { parts, lists } = await sorted(db, deps, {
    ...of,
    sessions: (await sessionViews(db)).filter(({ goals }) => goals.some((goal) => goalIds.includes(goal.goalId))),
    campaigns: new Set((await openCampaigns(db)).map((each) => each.campaignId)),
    states: await undecidedStates(db, deps, { goalIds }),
    mostBacked: Number.POSITIVE_INFINITY,
  });
  return { parts, needs: { ...lists, campaigns: [], news: [], troubles: [] } };
}

/** The goals that are looked at, each once, with what says where they stand. */
interface Standing {
  readonly goals: readonly Goal[];
  readonly pending: readonly Checkpoint[];
  readonly sessions: readonly OpenSession[];
  /** Campaigns that are not over. */
  readonly campaigns: ReadonlySet<string>;
  readonly states: ReadonlyMap<string, BranchState>;
  readonly isNews: (goal: Goal) => boolean;
  /** How many lines are tagged by their evidence, those of what waits longest for a merge first. */
  readonly mostBacked: number;
}

type GoalLists = Omit<Needs, "campaigns" | "news" | "troubles">;

/** Sorts goals into their parts. `ofCampaigns` wait for a day of theirs. */
async function sorted(
  db: Db,
  deps: Reporting,
  standing: Standing,
): Promise<{
  readonly lists: GoalLists;
  readonly ofCampaigns: readonly Goal[];
  readonly parts: ReadonlyMap<string, Part>;
}> {
  const { goals, pending, sessions, campaigns, states, isNews } = standing;
  const now = deps.now();
  const waits = waitingFor(pending, goals);
  const held = new Set(sessions.flatMap(({ view }) => view.goals.map((goal) => goal.goalId)));
  const parts = new Map(
    goals.flatMap((goal): [string, Part][] => {
      const part = partOf({
        status: goal.status,
        isLeased: goal.leasedBy !== null,
        isAsked: waits.has(goal.goalId),
        isNews: isNews(goal),
        isUndecided: states.get(goal.goalId)?.type === "not-merged",
        isInSession: held.has(goal.goalId),
        isInCampaign: goal.campaignId !== null && campaigns.has(goal.campaignId),
      });
      return part === null ? [] : [[goal.goalId, part]];
    }),
  );
  const of = (part: Part): Goal[] => goals.filter((goal) => parts.get(goal.goalId) === part);
  const sinceMs = ({ goalId }: Goal): number => {
    const state = states.get(goalId);
    return state?.type === "not-merged" ? state.sinceMs : 0;
  };
  const undecided = of("unmerged").toSorted((one, other) => sinceMs(other) - sinceMs(one));
  const backed = [undecided, of("done"), of("failed"), of("deferred"), of("parked"), of("manual")].flat();
  const kept = await evidenceOf(db, backed.map((goal) => goal.goalId).slice(0, standing.mostBacked));
  const line = (goal: Goal): ReportLine => {
    const { goalId, content, outcome } = goal;
    return { goalId, content, outcome, tag: tagOf(goal, kept) };
  };
  const views = sessions.map(({ view }) => view);
  return {
    parts,
    ofCampaigns: of("campaign"),
    lists: {
      done: of("done").map((goal) => ({ ...line(goal), branch: states.get(goal.goalId)?.type ?? null })),
      failed: of("failed").map(line),
      deferred: of("deferred").map(line),
      parked: newestFirst(of("parked")).map(line),
      manual: of("manual").map(line),
      questions: openQuestions(pending, views, of("waits"), rulesOf(deps)),
      unmerged: undecided.map((goal): UnmergedLine => ({ ...line(goal), sinceMs: sinceMs(goal) })),
      older: null,
      working: of("working").map((goal) => workingLine(goal, now)),
      planned: inTheirOrder(of("planned"), sessions).map(
        ({ goalId, content }): PlannedLine => ({
          goalId,
          content,
          state: held.has(goalId) ? "in the session" : "pending",
        }),
      ),
      sessions: views,
    },
  };
}

function rulesOf({ now, config, policy }: Reporting) {
  return {
    now: now(),
    zone: config.timezone,
    quietHours: config.quietHours,
    second: config.second,
    remindAfterMs: policy.checkpoints.remindAfterMs,
  };
}

function workingLine(goal: Goal, now: Date): WorkingLine {
  const state = stateOf(goal, false, now);
  const until = state === "retrying" ? goal.wakeAt : null;
  return { goalId: goal.goalId, content: goal.content, state: stateWords({ goal, state }), until };
}

function newestFirst(goals: readonly Goal[]): Goal[] {
  return goals.toSorted((one, other) => other.updatedAt.getTime() - one.updatedAt.getTime());
}

/** Those of sessions as their sessions work them, then the others as they come. */
function inTheirOrder(goals: readonly Goal[], sessions: readonly OpenSession[]): Goal[] {
  const order = sessions.flatMap(({ goals: mine }) => mine.map((goal) => goal.goalId));
  const place = new Map(order.map((goalId, index) => [goalId, index]));
  const at = (goal: Goal): number => place.get(goal.goalId) ?? order.length;
  return goals.toSorted((one, other) => at(one) - at(other));
}
