import { z } from "zod";
import { failureKinds } from "../recovery/failure.ts";
import { text, number, flag, texts, orNull, noDetails } from "./shapes.ts";
import { goalEvents, branchEvents, workEvents, ownCommand } from "./goal-events.ts";

const failure = { kind: z.enum(failureKinds), error: text, ...ownCommand };

const recoveryEvents = {
  /** An attempt failed; the next one is due, on this rung. */
  "recovery.retry": z.object({ ...failure, rung: number, attempt: number, ladder: number, dueAt: text }),
  /** The search for another approach found one, or none. */
  "recovery.alternative": z.object({ approach: text, source: text }),
  "recovery.no-alternative": noDetails,
  /** The goal waits for a provider's limit, or for a push target that does not answer. `isHeld`: its whole session waits. */
  "recovery.limited": z.object({
    ...failure,
    until: text,
    isKnown: flag,
    isOutage: flag.optional(),
    isHeld: flag.optional(),
  }),
  /** No goal can continue until a person has done something, such as a login. */
  "recovery.paused": z.object(failure),
  /** The ladder has ended: a person is asked. */
  "recovery.escalated": z.object({ ...failure, ladder: number }),
  /** A person's Retry started another ladder. `isPushed`: the work is done and is only pushed again. */
  "recovery.again": z.object({ ladder: number, ...ownCommand, isPushed: flag.optional() }),
  /** The agent wanted to give up without the evidence that a person needs. */
  "recovery.sent-back": z.object({ missing: texts }),
};

const sessionEvents = {
  /** A session began, or goals joined it. */
  "session.started": z.object({ goals: texts, budgetMicroUsd: number, inOrder: flag.optional() }),
  "session.joined": z.object({ goals: texts }),
  /** A person paused the session, resumed it, or asked it to end after its current goal. */
  "session.paused": noDetails,
  "session.running": noDetails,
  "session.stopping": noDetails,
  /** Goals failed in a row, or costs ran away, so the session paused itself. */
  "session.tripped": z.object({ reason: text }),
  /** The session is over. */
  "session.ended": z.object({ reason: orNull(text) }),
  /** A night contract began, or is over. */
  "night.began": z.object({ nightId: text, goals: texts }),
  "night.ended": z.object({ nightId: text, reason: text }),
};

/** What an answer contained besides its choice. Older rows do not have these fields. */
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
  /** A person answered; or acknowledged, or paused from the card, which settles nothing. */
  "checkpoint.answered": answer,
  "checkpoint.acknowledged": answer,
  "checkpoint.paused": answer,
  /** One vote of several that are needed, or an answer that changed what the others have to agree to. */
  "checkpoint.voted": answer,
  /** A reminder was sent; the deadline passed; the question was no longer needed. */
  "checkpoint.reminded": noDetails,
  "checkpoint.expired": noDetails,
  "checkpoint.withdrawn": noDetails,
  /** A person wrote in a card's thread, or edited or deleted a message there. `by` is their id on the platform. */
  "reply.said": said,
  "reply.edited": said,
  "reply.deleted": said,
  /** How a reply was understood; a person confirmed or dismissed that reading. */
  "reply.read": z.object({ replyId: text, type: text, words: text }),
  "reply.confirmed": z.object({ replyId: text }),
  "reply.dismissed": z.object({ replyId: text }),
  /** A person answered these questions with one choice; undid that in time; or the answers were recorded, except some. */
  "batch.held": z.object({ batchId: text, choice: text, checkpoints: texts }),
  "batch.undone": z.object({ batchId: text }),
  "batch.settled": z.object({ batchId: text, answered: number, leftOut: texts }),
  /** The card of a goal or question was shown for the first time. */
  "message.posted": z.object({ platform: text, channel: text }),
};

const campaignEvents = {
  /** A person asked for the campaign, its plan was made, a person approved the plan. */
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
  /** Its goals are verified, or a person declared it done. */
  "campaign.milestone-done": z.object({ milestoneId: text }),
  /** The campaign waits for an answer, for the person who stopped its day, or for a repository problem (`reason`). */
  "campaign.held": z.object({ reason: text.optional() }),
  "campaign.goes-on": noDetails,
  /** A person asked for a day now, paused the campaign, resumed it, or asked for another plan. */
  "campaign.run": noDetails,
  "campaign.paused": noDetails,
  "campaign.resumed": noDetails,
  "campaign.replan-asked": noDetails,
  /** The remaining days were replanned. */
  "campaign.replanned": z.object({ by: text, replanCount: number, isAutomatic: flag, days: number }),
  /** The campaign is over. */
  "campaign.completed": z.object({ reason: text }),
  "campaign.failed": z.object({ reason: text }),
};

const otherEvents = {
  /** A report was posted for this day. `said`: ends of goals from just before that day which it includes (`saidAlong`). */
  "standup.posted": z.object({ runFor: text, said: z.array(number).optional() }),
  "weekly.posted": z.object({ runFor: text }),
  /** A person approved a proposed threshold, or reverted an approved one. Micro-dollars. */
  "policy.changed": z.object({ key: text, wasMicroUsd: number, nowMicroUsd: number }),
  /** A person changed a schedule. */
  "schedule.set": z.object({
    name: text,
    cron: text.optional(),
    onMissing: text.optional(),
    isOn: flag.optional(),
  }),
  /** A person added a repository. */
  "repository.added": z.object({ repositoryId: text, name: text }),
  /** A person changed settings of a repository. */
  "repository.changed": z.object({ repositoryId: text, name: text, settings: texts }),
  /** A person removed a repository. Work done in it is kept. */
  "repository.removed": z.object({ repositoryId: text, name: text }),
  /** A person made a link that opens the console under this name. */
  "console.link-made": z.object({ consoleSessionId: text, name: text }),
  /** A person opened the console, with such a link, or with its token (null). */
  "console.opened": z.object({ consoleSessionId: text, name: orNull(text) }),
  /** A person revoked a console session: it no longer gives access. */
  "console.ended": z.object({ consoleSessionId: text, name: orNull(text) }),
};

/**
 * All events of the timeline, by name, with the shapes of their details. Details are facts, never prose. Writing or reading an
 * unknown name or detail does not compile. A stored row may be older than this list, so a field that was added later is
 * optional. A row with an unknown name or shape is read as another event (`read.ts`, which checks rows against these shapes).
 *
 * Amounts are micro-dollars, times ISO 8601, durations milliseconds, commits full hashes.
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
