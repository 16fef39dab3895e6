import { daysBehind, paceOf, shownDate } from "../core/campaigns/campaign.ts";
import { askedWhetherDone, doneQuestion } from "../core/campaigns/done-question.ts";
import type { AskedWhetherDone, CampaignFacts, DaySession } from "../core/campaigns/step.ts";
import { fairShare } from "../core/campaigns/step.ts";
import { isOverdue, milestoneWork, type WorkedGoal } from "../core/campaigns/work.ts";
import { aboutCampaign, type CampaignCheckpoint } from "../core/checkpoints/checkpoint.ts";
import { endedStatuses, type Goal } from "../core/goals/goal.ts";
import { dueRuns, type Schedule } from "../core/schedules/schedule.ts";
import { addDays, localDate } from "../core/time.ts";
import {
  type CampaignRow,
  type DayRow,
  daysOf,
  goalsOfCampaign,
  type MilestoneRow,
  milestonesOf,
  openCampaigns,
  sessionsOfDay,
} from "../db/campaigns.ts";
import { checkpointsOfCampaign, openSubjects } from "../db/checkpoints.ts";
import { type Db, readTogether } from "../db/connection/client.ts";
import { type EvidenceByGoal, evidenceOf } from "../db/evidence.ts";
import { endedAtCeiling } from "../db/timeline.ts";
import { lastRunFor, type ScheduleRow } from "../db/schedules.ts";
import { findOpenSession, type Session } from "../db/sessions.ts";
import { campaignDayTotal, campaignTotal, dayTotal, promisedElsewhere, type Total } from "../db/totals.ts";
import type { Deps } from "../deps.ts";
import { ensureSchedules } from "./ensure-schedules.ts";
import { backingOf } from "./criteria-status.ts";

type CampaignDeps = Pick<Deps, "now" | "policy" | "config">;

/** A campaign with its current milestones, days, goals, questions and costs. */
export interface CampaignView {
  readonly campaign: CampaignRow;
  readonly milestones: readonly MilestoneRow[];
  readonly days: readonly DayRow[];
  readonly goals: readonly (Goal & WorkedGoal)[];
  /** All checkpoints about it, oldest first. */
  readonly questions: readonly CampaignCheckpoint[];
  readonly spent: Total;
  /** Number of days behind that is reported: 0 while nothing that was due is missing. */
  readonly daysLate: number;
  /** The newest session of its current day. */
  readonly session: Session | null;
}

/** Everything that a campaign's card and page show. One query. */
export async function viewCampaign(db: Db, campaign: CampaignRow): Promise<CampaignView> {
  const { campaignId } = campaign;
  const [milestones, days, [goals, kept], asked, [session], spent] = await readTogether(db, (reads) =>
    Promise.all([
      milestonesOf(reads, campaignId),
      daysOf(reads, campaignId),
      goalsWithEvidence(reads, campaignId),
      checkpointsOfCampaign(reads, campaignId),
      sessionsOfDay(reads, campaignId, campaign.currentDay),
      campaignTotal(reads, campaignId),
    ]),
  );
  const questions = asked.flatMap((each) => aboutCampaign(each) ?? []);
  const standing = goals.map((goal) => ({ ...goal, ...backingOf(goal, kept) }));
  const pace = paceOf(campaign, milestones, days);
  const isLate = isOverdue(milestoneWork(milestones, days, standing, new Map()), pace.elapsedDays);
  return {
    campaign,
    milestones,
    days,
    goals: standing,
    questions,
    spent,
    daysLate: isLate ? daysBehind(pace) : 0,
    session: session ?? null,
  };
}

async function goalsWithEvidence(db: Db, campaignId: string): Promise<[Goal[], EvidenceByGoal]> {
  const goals = await goalsOfCampaign(db, campaignId);
  const ids = goals.map((goal) => goal.goalId);
  return [goals, await evidenceOf(db, ids)];
}

/** The day that is worked now or comes next. Null when the plan has no such day. */
export function workedDay({ campaign, days }: Pick<CampaignView, "campaign" | "days">): DayRow | null {
  return days.find((each) => each.dayNumber === campaign.currentDay) ?? null;
}

/** The days of a campaign with the dates that people are shown. */
export function shownDays(
  { now, config }: Pick<Deps, "now" | "config">,
  { days }: Pick<CampaignView, "days">,
): DayRow[] {
  const today = localDate(now(), config.timezone);
  return days.map((day) => ({ ...day, date: shownDate(day, today) }));
}

/** The facts that decide the campaign's next step. `runNow`: a person wants its day now, whatever the time. */
export async function gatherFacts(
  tx: Db,
  deps: CampaignDeps,
  view: CampaignView,
  runNow: boolean,
): Promise<CampaignFacts> {
  const { campaign, days, goals, milestones, questions } = view;
  const day = workedDay(view);
  const pending = questions.filter((each) => each.status === "pending");
  const holding = pending.find((each) => each.kind !== "confirm");
  const today = localDate(deps.now(), deps.config.timezone);
  const open = await findOpenSession(tx, campaign.repositoryId);
  const ofDay = goals.filter((goal) => day !== null && day.goals.some((each) => each.goalId === goal.goalId));
  return {
    campaign,
    spentMicroUsd: view.spent.spentMicroUsd,
    wantsPlan: campaign.wanted !== null,
    question: holding === undefined || holding.kind === "confirm" ? null : holding.kind,
    confirming: pending.some((each) => each.kind === "confirm"),
    day,
    session: await sessionFacts(tx, view.session, ofDay),
    unworked: ofDay.filter((goal) => goal.status === "pending" || goal.status === "in_progress").length,
    milestones: milestoneWork(milestones, days, goals, askedOf(view)),
    daySpentMicroUsd: (await campaignDayTotal(tx, campaign.campaignId, campaign.currentDay)).spentMicroUsd,
    goesOn: campaign.goesOn || runNow,
    today,
    isScheduled: (await campaignSchedule(tx, deps)).isOn,
    dueDate: runNow ? today : await dueDateOf(tx, deps, campaign),
    busyWith: open === null || open.campaignId === campaign.campaignId ? null : open.sessionId,
    shareMicroUsd: fairShare({
      ceilingMicroUsd: deps.policy.ceilings.dayMicroUsd,
      committedMicroUsd: (await dayTotal(tx, today)).committedMicroUsd,
      promisedMicroUsd: await promisedElsewhere(tx, campaign.campaignId),
      toBegin: await countToBegin(tx, deps, campaign),
    }),
  };
}

/** For each milestone, whether a person was asked if it is done. */
function askedOf({ campaign, milestones, goals, questions }: CampaignView): Map<string, AskedWhetherDone> {
  return new Map(
    milestones.map((milestone) => {
      const { milestoneId } = milestone;
      const subject = milestoneSubject(campaign, milestoneId);
      const newest = questions.findLast((each) => each.kind === "confirm" && each.subject === subject);
      const mine = goals.filter((goal) => goal.milestoneId === milestoneId);
      return [milestoneId, askedWhetherDone(newest, doneQuestion(milestone, mine))];
    }),
  );
}

/** The subject of checkpoints about a milestone. At most one checkpoint is open about each (C-83). */
export function milestoneSubject({ campaignId }: Pick<CampaignRow, "campaignId">, milestoneId: string): string {
  return `milestone-${campaignId}-${milestoneId}`;
}

async function sessionFacts(tx: Db, session: Session | null, goals: readonly Goal[]): Promise<DaySession | null> {
  if (session === null) return null;
  const mine = goals.filter((goal) => goal.sessionId === session.sessionId);
  const open = await openSubjects(
    tx,
    mine.map((goal) => goal.goalId),
  );
  // Parked goals are skipped: nobody waits for them.
  const going = mine.filter(
    (goal) => !endedStatuses.includes(goal.status) && (goal.status !== "blocked" || open.has(goal.goalId)),
  );
  return {
    status: session.status,
    isOnlyWaiting: going.length > 0 && going.every((goal) => goal.leasedBy === null && open.has(goal.goalId)),
    endedBy: session.endedBy,
    isOutOfDay: await endedAtCeiling(tx, session.sessionId, "day"),
    worked: mine.filter((goal) => endedStatuses.includes(goal.status) || goal.status === "blocked").length,
  };
}

/** The local date for which the campaign's next day is due now (D7). A missed day is made up for once. Null when none is due. */
async function dueDateOf(tx: Db, deps: CampaignDeps, campaign: CampaignRow): Promise<string | null> {
  const schedule = await campaignSchedule(tx, deps);
  if (!schedule.isOn || campaign.startedAt === null) return null;
  const { timezone: zone } = deps.config;
  // A campaign that starts after the scheduled hour has its first day today.
  const now = deps.now();
  // A start in the future was recorded by a clock that was ahead: it counts as now.
  const startedAt = campaign.startedAt > now ? now : campaign.startedAt;
  const started = localDate(startedAt, zone);
  const { campaignId } = campaign;
  const today = localDate(now, zone);
  const begun = (await lastRunFor(tx, campaignId, today)) ?? addDays(started, -1);
  // A day that found no money until its date was over is not made up for. It begins at the next scheduled time.
  const missed = (await lastRunFor(tx, withoutMoneyOf(campaignId), addDays(today, -1))) ?? begun;
  const lastFor = missed > begun ? missed : begun;
  // A schedule that was set during the campaign counts from the moment it was set.
  const wasSet = schedule.createdAt > startedAt;
  const createdAt = wasSet ? schedule.createdAt : new Date(startedAt.getTime() - 26 * 60 * 60_000);
  const since: Schedule = { ...schedule, createdAt };
  const [run] = dueRuns(since, lastFor, { now, zone, graceMs: deps.policy.schedules.graceMs });
  return run?.runFor ?? null;
}

/** The schedule name for the dates on which the campaign's day was due and the calendar day's ceiling had no money for it. */
export function withoutMoneyOf(campaignId: string): string {
  return `${campaignId} without money`;
}

/** The last date for which the campaign's next day found no money. Null when there is none, or when a day has begun since. */
export async function withoutMoneyOn(db: Db, deps: CampaignDeps, { campaignId }: CampaignRow): Promise<string | null> {
  const today = localDate(deps.now(), deps.config.timezone);
  const [missed, begun] = await Promise.all([
    lastRunFor(db, withoutMoneyOf(campaignId), today),
    lastRunFor(db, campaignId, today),
  ]);
  return missed !== null && (begun === null || missed > begun) ? missed : null;
}

/** The schedule by which days of campaigns begin. */
export async function campaignSchedule(db: Db, deps: CampaignDeps): Promise<ScheduleRow> {
  const found = (await ensureSchedules(db, deps)).find((each) => each.name === "campaigns");
  if (found === undefined) throw new Error("the schedule of campaigns vanished");
  return found;
}

/** Number of active campaigns whose day is due and has not begun, including this one. */
async function countToBegin(tx: Db, deps: CampaignDeps, campaign: CampaignRow): Promise<number> {
  let count = 1;
  for (const other of await openCampaigns(tx)) {
    if (other.campaignId === campaign.campaignId || other.state !== "active") continue;
    const day = (await daysOf(tx, other.campaignId)).find((each) => each.dayNumber === other.currentDay);
    if (day?.status === "pending" && (await dueDateOf(tx, deps, other)) !== null) count += 1;
  }
  return count;
}
