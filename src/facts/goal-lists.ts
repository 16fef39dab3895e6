import { stateWords } from "../core/cards/goal-card.ts";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { whoIs } from "../core/checkpoints/quorum.ts";
import { type Goal, stateOf } from "../core/goals/goal.ts";
import { type Ground, unmetOf } from "../core/goals/ground.ts";
import type { SessionGoal } from "../core/goals/next.ts";
import { heldGoals, openQuestions, waitingFor } from "../core/reports/open-questions.ts";
import { type ReportPart, reportPartOf } from "../core/reports/parts.ts";
import type { ReportLine } from "../core/reports/report-facts.ts";
import type { DoneLine, StandupNeeds, PlannedLine, UnmergedLine, WorkingLine } from "../core/reports/standup-facts.ts";
import type { Db } from "../db/connection/client.ts";
import { type EvidenceByGoal, evidenceOf } from "../db/evidence.ts";
import { cutGoals } from "../db/goal-lists.ts";
import { groundsOf, openBuilders } from "../db/grounds.ts";
import { removedRepositories } from "../db/repositories.ts";
import type { Deps } from "../deps.ts";
import { type FinishedBranches, finishedOf } from "./finished.ts";
import { backingOf } from "./criteria-status.ts";
import { repositoriesOf } from "./repository-names.ts";
import type { OpenSession } from "./standup-plan.ts";

export type ReportDeps = Pick<Deps, "now" | "config" | "policy">;

/** The goals to sort, each once, and the facts that decide where they belong. */
export interface GoalsToSort {
  readonly goals: readonly Goal[];
  readonly pending: readonly Checkpoint[];
  readonly sessions: readonly OpenSession[];
  /** Campaigns that are not over. */
  readonly campaigns: ReadonlySet<string>;
  readonly states: FinishedBranches["states"];
  readonly isNews: (goal: Goal) => boolean;
  /** Maximum number of lines that are tagged by their evidence. Branches that wait longest for a merge come first. */
  readonly mostBacked: number;
}

export interface Sorted {
  readonly parts: ReadonlyMap<string, ReportPart>;
  readonly lists: Omit<StandupNeeds, "campaigns" | "news" | "troubles" | "noSpace">;
  /** Goals that wait for a day of their campaign. */
  readonly ofCampaigns: readonly Goal[];
}

/** Sorts goals into the parts of a report. Goals that must be merged before one of them are added. */
export async function goalLists(db: Db, deps: ReportDeps, given: GoalsToSort): Promise<Sorted> {
  const { pending, sessions } = given;
  const cut = await cutGoals(db, given.goals);
  const finished = { ...(await finishedOf(db, deps, given.goals, given.states)), cut };
  const goals = [...given.goals, ...finished.below];
  const parts = partsOf(goals, given, finished);
  const of = (part: ReportPart): Goal[] => goals.filter((goal) => parts.get(goal.goalId) === part);

  const undecided = of("unmerged").toSorted((one, other) => sinceMs(finished, other) - sinceMs(finished, one));
  const backed = [undecided, of("done"), of("failed"), of("deferred"), of("parked"), of("manual")].flat();
  const kept = await evidenceOf(db, backed.map((goal) => goal.goalId).slice(0, given.mostBacked));
  const away = new Set((await removedRepositories(db)).map((each) => each.repositoryId));
  const line = (goal: Goal): ReportLine => ({
    ...lineOf(goal, kept),
    ...(away.has(goal.repositoryId) ? { isAway: true } : {}),
  });
  const builders = await openBuilders(db, null);
  const grounds = await groundsOf(
    db,
    builders.flatMap((goal) => goal.after),
  );
  const views = sessions.map(({ view }) => view);
  const rules = { ...rulesOf(deps), builders: builders.map((goal) => builder(goal, grounds)) };
  const repositories = await repositoriesOf(db, of("waits"));
  return {
    parts,
    ofCampaigns: of("campaign"),
    lists: {
      done: of("done").map((goal) => doneLine(line(goal), finished)),
      failed: of("failed").map(line),
      deferred: of("deferred").map(line),
      parked: newestFirst(of("parked")).map(line),
      manual: of("manual").map(line),
      questions: openQuestions(pending, views, of("waits"), rules).map((question) => {
        const repositoryName = repositories.get(question.goalId ?? "");
        return repositoryName === undefined ? question : { ...question, repositoryName };
      }),
      unmerged: undecided.map((goal) => unmergedLine(line(goal), sinceMs(finished, goal), finished)),
      older: null,
      working: of("working").map((goal) => workingLine(goal, finished, deps.now())),
      merging: goals.filter((goal) => finished.underWay.has(goal.goalId)).length,
      planned: plannedLines(of("planned"), { sessions, grounds, held: heldGoals(pending, views) }),
      sessions: views,
    },
  };
}

/** What is known about the goals beyond their rows. */
interface Known extends FinishedBranches {
  /** Ids of goals whose lease has expired. */
  readonly cut: ReadonlySet<string>;
}

/** The part of the report for each goal. Goals that belong to no part are missing. */
function partsOf(
  goals: readonly Goal[],
  { pending, sessions, campaigns, isNews }: GoalsToSort,
  { states, underWay, cut }: Known,
): Map<string, ReportPart> {
  const waits = waitingFor(pending, goals);
  const inSessions = new Set(sessions.flatMap(({ view }) => view.goals.map((goal) => goal.goalId)));
  return new Map(
    goals.flatMap((goal): [string, ReportPart][] => {
      const { goalId, status, leasedBy, campaignId } = goal;
      const part = reportPartOf({
        status,
        isLeased: leasedBy !== null && !cut.has(goalId),
        isAsked: waits.has(goalId),
        isNews: isNews(goal),
        isUndecided: states.get(goalId)?.type === "not-merged",
        isMerging: underWay.has(goalId),
        isInSession: inSessions.has(goalId),
        isInCampaign: campaignId !== null && campaigns.has(campaignId),
      });
      return part === null ? [] : [[goalId, part]];
    }),
  );
}

function rulesOf({ now, config, policy }: ReportDeps) {
  return {
    now: now(),
    zone: config.timezone,
    quietHours: config.quietHours,
    second: config.second === null ? null : whoIs(config.second, config.people),
    remindAfterMs: policy.checkpoints.remindAfterMs,
  };
}

/** A goal in the form in which questions look for goals that wait. It does not matter which of them a question is about. */
function builder({ goalId, status, leasedBy, after }: Goal, grounds: ReadonlyMap<string, Ground>): SessionGoal {
  return { goalId, status, isLeased: leasedBy !== null, question: "none", unmet: unmetOf(after, grounds) };
}

function sinceMs({ states }: FinishedBranches, { goalId }: Goal): number {
  const state = states.get(goalId);
  return state?.type === "not-merged" ? state.sinceMs : 0;
}

function lineOf(goal: Goal, kept: EvidenceByGoal): ReportLine {
  const { goalId, content, outcome } = goal;
  return { goalId, content, outcome, ...backingOf(goal, kept) };
}

function doneLine(line: ReportLine, { states, underWay, mergeFirst }: FinishedBranches): DoneLine {
  const branch = underWay.has(line.goalId) ? "merging" : (states.get(line.goalId)?.type ?? null);
  const first = mergeFirst.get(line.goalId);
  return { ...line, branch, ...(first === undefined ? {} : { mergeFirst: first }) };
}

function unmergedLine(line: ReportLine, since: number, { mergeFirst }: FinishedBranches): UnmergedLine {
  const { outcome: _outcome, ...told } = line;
  const first = mergeFirst.get(line.goalId);
  return { ...told, sinceMs: since, ...(first === undefined ? {} : { mergeFirst: first }) };
}

function workingLine(goal: Goal, { underWay, cut }: Known, now: Date): WorkingLine {
  const { goalId, content } = goal;
  const merge = underWay.get(goalId);
  if (merge !== undefined) {
    const words = merge === "merging" ? "is being merged" : "in the merge queue";
    return { goalId, content, state: words, isMerging: true, until: null };
  }
  const state = stateOf(goal, { isAsked: false, isCut: cut.has(goalId) }, now);
  const until = state === "retrying" ? goal.wakeAt : null;
  return { goalId, content, state: stateWords({ goal, state }), isMerging: false, until };
}

function newestFirst(goals: readonly Goal[]): Goal[] {
  return goals.toSorted((one, other) => other.updatedAt.getTime() - one.updatedAt.getTime());
}

interface PlanContext {
  readonly sessions: readonly OpenSession[];
  readonly grounds: ReadonlyMap<string, Ground>;
  /** Ids of goals that wait for a person in their session. */
  readonly held: ReadonlySet<string>;
}

/** Lines of planned goals: those of sessions in the sessions' order, then the others in the given order. */
function plannedLines(goals: readonly Goal[], { sessions, grounds, held }: PlanContext): PlannedLine[] {
  const order = sessions.flatMap(({ goals: mine }) => mine.map((goal) => goal.goalId));
  const place = new Map(order.map((goalId, index) => [goalId, index]));
  const at = (goal: Goal): number => place.get(goal.goalId) ?? order.length;
  return goals
    .toSorted((one, other) => at(one) - at(other))
    .map(({ goalId, content, after }): PlannedLine => {
      const unmet = unmetOf(after, grounds);
      return {
        goalId,
        content,
        state: place.has(goalId) ? "in the session" : "pending",
        ...(held.has(goalId) ? { isHeld: true } : {}),
        ...(unmet.length === 0 ? {} : { waitsFor: unmet }),
      };
    });
}
