import { z } from "zod";
import { failureKinds } from "../recovery/failure.ts";
import { text, number, flag, texts, orNull, noDetails } from "./shapes.ts";
import { goalEvents, branchEvents, workEvents, ownCommand } from "./goal-events.ts";

const failure = { kind: z.enum(failureKinds), error: text, ...ownCommand };

const recoveryEvents = {
  /** An attempt failed; the next one is due, on this rung. */
  "recovery.retry": z.object({ ...failure, rung: number, attempt: number, ladder: number, dueAt: text }),
  /** Another approach was found, or none. */
  "recovery.alternative": z.object({ approach: text, source: text }),
  "recovery.no-alternative": noDetails,
  /** A provider's limit is waited for, or a place that does not answer a push. `isHeld`: nothing of its session goes on by itself. */
  "recovery.limited": z.object({
    ...failure,
    until: text,
    isKnown: flag,
    isOutage: flag.optional(),
    isHeld: flag.optional(),
  }),
  /** Nobody can go on until a person has done something, such as a login. */
  "recovery.paused": z.object(failure),
  /** The ladder has ended: a person is asked. */
  "recovery.escalated": z.object({ ...failure, ladder: number }),
  /** A person's Retry: one more ladder. `isPushed`: its work is done, and only pushed again. */
  "recovery.again": z.object({ ladder: number, ...ownCommand, isPushed: flag.optional() }),
  /** The agent wanted to give up without what a person needs to decide. */
  "recovery.sent-back": z.object({ missing: texts }),
};

const sessionEvents = {
  /** A session began, or goals joined it. */
  "session.started": z.object({ goals: texts, budgetMicroUsd: number, inOrder: flag.optional() }),
  "session.joined": z.object({ goals: texts }),
  /** A person paused it, let it go on, or let it end after its current goal. */
  "session.paused": noDetails,
  "session.running": noDetails,
  "session.stopping": noDetails,
  /** Goals failed in a row, or money ran away: it paused by itself. */
  "session.tripped": z.object({ reason: text }),
  /** It is over. */
  "session.ended": z.object({ reason: orNull(text) }),
  /** A night contract began, or is over. */
  "night.began": z.object({ nightId: text, goals: texts }),
  "night.ended": z.object({ nightId: text, reason: text }),
};

/** What an answer brought along beside its choice; rows of before say nothing of it. */
const brought = {
  notes: text.optional(),
  instructions: text.optional(),
  hasCriteria: z.boolean().optional(),
  ceilingMicroUsd: number.optional(),
};
const answer = z.object({ choice: text, version: number, waitedMs: number, ...brought });
const said = z.object({ text, by: orNull(text) });

const questionEvents = {
  /** A question was asked, or changed while it was open. */
  "checkpoint.asked": z.object({ triggers: texts, kind: text }),
  "checkpoint.changed": z.object({ version: number, changed: text }),
  /** A person answered it; or saw it, or paused from its card, which settles nothing. */
  "checkpoint.answered": answer,
  "checkpoint.acknowledged": answer,
  "checkpoint.paused": answer,
  /** Others have to agree as well, or it changed what they have to agree to. */
  "checkpoint.voted": answer,
  /** Nobody has answered for a while; nobody did in time; it was not needed any more. */
  "checkpoint.reminded": noDetails,
  "checkpoint.expired": noDetails,
  "checkpoint.withdrawn": noDetails,
  /** Somebody wrote in a card's thread, changed or deleted what they wrote; `by` is their id on the platform. */
  "reply.said": said,
  "reply.edited": said,
  "reply.deleted": said,
  /** How a reply was understood; a person confirmed that, or put it aside. */
  "reply.read": z.object({ replyId: text, type: text, words: text }),
  "reply.confirmed": z.object({ replyId: text }),
  "reply.dismissed": z.object({ replyId: text }),
  /** A person asked that these questions are answered with one choice; took that back in time; or it was done, but for some. */
  "batch.held": z.object({ batchId: text, choice: text, checkpoints: texts }),
  "batch.undone": z.object({ batchId: text }),
  "batch.settled": z.object({ batchId: text, answered: number, leftOut: texts }),
  /** The card of a goal or question was shown for the first time. */
  "message.posted": z.object({ platform: text, channel: text }),
};

const campaignEvents = {
  /** A person asked for it, its plan was made, a person approved that. */
  "campaign.created": noDetails,
  "campaign.planned": z.object({ by: text, days: number, milestones: number }),
  "campaign.started": noDetails,
  /** A day began, or is over; progress from 0 to 1. */
  "campaign.day-begun": z.object({ day: number, date: text, goals: texts, budgetMicroUsd: number }),
  "campaign.day-over": z.object({
    campaignId: text,
    day: number,
    goalsCompleted: number,
    goals: number,
    costMicroUsd: number,
    costIsEstimated: flag,
    progress: number,
    carried: number,
  }),
  /** Its goals are verified, or a person said that it is done. */
  "campaign.milestone-done": z.object({ milestoneId: text }),
  /** It waits for an answer, for the person who stopped its day, or for what is wrong with its repository (`reason`). */
  "campaign.held": z.object({ reason: text.optional() }),
  "campaign.goes-on": noDetails,
  /** A person asked for its day now, paused it, let it go on, or wants another plan. */
  "campaign.run": noDetails,
  "campaign.paused": noDetails,
  "campaign.resumed": noDetails,
  "campaign.replan-asked": noDetails,
  /** The days that remain were planned anew. */
  "campaign.replanned": z.object({ by: text, replanCount: number, isAutomatic: flag, days: number }),
  /** It is over. */
  "campaign.completed": z.object({ reason: text }),
  "campaign.failed": z.object({ reason: text }),
};

const otherEvents = {
  /** A report was posted, for this day. `said`: which ends of goals from just before it are in it (`saidAlong`). */
  "standup.posted": z.object({ runFor: text, said: z.array(number).optional() }),
  "weekly.posted": z.object({ runFor: text }),
  /** A person approved a proposed threshold, or took an approved one back. Micro-dollars. */
  "policy.changed": z.object({ key: text, wasMicroUsd: number, nowMicroUsd: number }),
  /** A person changed when something happens by itself. */
  "schedule.set": z.object({
    name: text,
    cron: text.optional(),
    onMissing: text.optional(),
    isOn: flag.optional(),
  }),
  /** A person made a repository known. */
  "repository.added": z.object({ repositoryId: text, name: text }),
  /** A person changed its settings: which ones. */
  "repository.changed": z.object({ repositoryId: text, name: text, settings: texts }),
  /** A person removed it: what was done in it stays. */
  "repository.removed": z.object({ repositoryId: text, name: text }),
  /** A person made a link with which somebody opens the console under this name. */
  "console.link-made": z.object({ consoleSessionId: text, name: text }),
  /** Somebody opened the console, with such a link or (null) with its token. */
  "console.opened": z.object({ consoleSessionId: text, name: orNull(text) }),
  /** A person took it back: it lets nobody in any more. */
  "console.ended": z.object({ consoleSessionId: text, name: orNull(text) }),
};

/**
 * Everything that the timeline can say: each event by its name, with its details, which are facts and never prose. Who writes
 * another name or detail, or reads one, does not compile. An event that a row has kept may be older than this list: what was
 * added to an event later is optional, and a name or shape that is not here is read as another event (`read.ts`).
 *
 * Amounts are micro-dollars, times ISO 8601, durations milliseconds, commits full hashes.
 *
 * What each event's details are; `read.ts` holds rows against it.
 */
export const eventShapes = {
  ...goalEvents,
  ...branchEvents,
  ...workEvents,
  ...recoveryEvents,
  ...sessionEvents,
  ...questionEvents,
  ...campaignEvents,
  ...otherEvents,
};

export type EventName = keyof typeof eventShapes;

/** The details of each event, by its name. */
export type EventDetails = { readonly [Name in EventName]: Readonly<z.output<(typeof eventShapes)[Name]>> };
