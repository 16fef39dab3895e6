import { z } from "zod";
import { failureKinds } from "../recovery/failure.ts";

/**
 * Everything that the timeline can say: each event by its name, with its details, which are facts and never prose. Who writes
 * another name or detail, or reads one, does not compile. An event that a row has kept may be older than this list: what was
 * added to an event later is optional, and a name or shape that is not here is read as another event (`read.ts`).
 *
 * Amounts are micro-dollars, times ISO 8601, durations milliseconds, commits full hashes.
 */
const [text, number, flag] = [z.string(), z.number(), z.boolean()];
const texts = z.array(text).readonly();
const orNull = <Shape extends z.ZodType>(shape: Shape) => shape.nullable();
const nothing = z.object({});
const ceiling = z.enum(["goal", "night", "session", "campaign", "day"]);

const goalEvents = {
  /** A person or a campaign's day made the goal. */
  "goal.added": nothing,
  /** A person changed these of its fields; `was` and `now` when its own command is among them. */
  "goal.edited": z.object({ fields: texts, was: orNull(text).optional(), now: orNull(text).optional() }),
  /** Its session gave it the next turn. */
  "goal.queued": nothing,
  /** A turn was cut short: a crash, or no space (`reason`), and the goal goes on at this phase. */
  "goal.interrupted": z.object({
    turn: number,
    interruptions: number,
    phase: text,
    by: z.enum(["space", "agent"]).optional(),
    reason: text.optional(),
  }),
  /** Not enough is left under a ceiling for its run to begin. */
  "goal.refused": z.object({ type: text, ceiling, leftMicroUsd: number, needMicroUsd: number }),
  /** A person put it aside for good. */
  "goal.skipped": nothing,
  /** A person parked it. */
  "goal.paused": nothing,
  /** A person, or a day of its campaign, took it up again. */
  "goal.resumed": z.object({ day: number.optional() }),
  /** A replan left it out. */
  "goal.dropped": nothing,
  /** It ended, and why. */
  "goal.complete": z.object({ outcome: text }),
  "goal.failed": z.object({ outcome: text }),
  "goal.deferred": z.object({ outcome: text }),
  "goal.manual_followup": z.object({ outcome: text }),
  /** A person checked a criterion that only a person can. */
  "goal.checked": z.object({ criterion: text, status: z.enum(["pass", "fail"]) }),
  /** A hook or a rule refused its finished branch; the agent repairs it in this round. */
  "goal.push-refused": z.object({ round: number, reason: text }),
  /** A recorded task was checked once more by `cos replay`. */
  "goal.replayed": z.object({
    taskId: text,
    mode: text,
    verdict: text,
    shellFirstSearches: orNull(number),
    unverifiableClaims: number,
    criteria: number,
    withEvidence: number,
    costMicroUsd: number,
    costIsEstimated: flag,
    durationMs: number,
  }),
};

const branchEvents = {
  /** Somebody, or a merge queue, asked for the merge; it can still be undone. */
  "goal.merge-requested": z.object({ into: text }),
  /** A merge that had not happened was taken back. */
  "goal.merge-undone": nothing,
  /** The branch is merged, or why it was not. */
  "goal.merged": z.object({ into: text, commit: orNull(text), outcome: orNull(text) }),
  "goal.merge-refused": z.object({ into: text, commit: orNull(text), outcome: orNull(text) }),
  /** A person threw the branch away; it is kept as `ref`. */
  "goal.discarded": z.object({ ref: text }),
  /** What we did about its pull request, or what was found done there; `by`: who, as the forge names them. */
  "goal.pull-request": z.object({
    did: z.enum(["opened", "ready", "draft", "merged", "closed"]),
    number,
    url: text,
    by: orNull(text),
  }),
  /** People said something new about its pull request; `last`: the newest of it, one line. */
  "goal.pull-remarks": z.object({ count: number, last: text }),
  /** The checks of its pull request ended, or began anew. */
  "goal.pull-checks": z.object({
    state: z.enum(["none", "pending", "passed", "failed"]),
    commit: text,
    failed: z.array(text),
  }),
  /** A complete goal is worked again for what came back from its pull request. */
  "goal.reworked": z.object({ why: z.enum(["remarks", "checks"]), count: number }),
  /** A merge queue put it on a base that has moved. */
  "goal.rebased": z.object({ into: text, tip: text, commit: orNull(text), why: text }),
  /** A posted standup told what git says became of the branch; `key` says so once. */
  "goal.found-in-git": z.object({ news: text, commit: orNull(text), key: text }),
  /** What it had recorded is neither on this machine, nor at the remote, nor in the store: it begins again. */
  "goal.work-lost": z.object({ commit: text }),
  /** The goal that it is on top of was lost, came back, is worked again, or has another commit now. */
  "goal.ground-lost": z.object({ ground: text, how: text }),
  "goal.ground-back": z.object({ ground: text }),
  "goal.ground-changed": z.object({ ground: text }),
  "goal.regrounded": z.object({ on: texts, commit: orNull(text) }),
};

const workEvents = {
  /** Money is reserved and the run begins. */
  "run.started": z.object({ capMicroUsd: number }),
  /** An execution ended, and what was decided then. */
  "run.executed": z.object({ end: text, files: number, commit: orNull(text), decision: text }),
  /** What its agent was told that past runs taught. */
  "run.told": z.object({ lessons: z.array(z.object({ episodeId: text, goalId: text, words: text })).readonly() }),
  /** Critics looked at it: what they said together, what must change or was said besides, who answered, and what was decided. */
  "run.reviewed": z.object({
    artifact: z.enum(["spec", "code", "test"]),
    commit: text,
    isApproved: flag,
    summary: text,
    issues: texts,
    decision: text,
    by: texts,
  }),
  /** The critics' model could not be asked: the phase begins again. */
  "run.not-reviewed": z.object({ reason: text, interruptions: number, of: z.enum(["model", "work"]).optional() }),
  /** A commit was verified: the criteria that pass and fail, and what was decided. */
  "run.verified": z.object({
    round: number,
    commit: text,
    decision: text,
    pass: texts,
    fail: texts,
    /** Of lines, from 0 to 1, by the report that the repository's own checks left. */
    coverage: number.optional(),
  }),
  /** The agent did something for the first time in a turn. */
  "agent.first-action": z.object({ text, turn: number }),
  /** The goal's own process called a command that it may not. */
  "agent.refused": z.object({ what: text }),
  /** It says nothing of a model or a tool; `limit`: what it wrote of its provider's, and when that is over. */
  "agent.silent": z.object({ minutes: number, limit: text.optional(), until: text.optional() }),
  /** It was silent and goes on. */
  "agent.heard": nothing,
  /** Its processes cannot be told from a person's. */
  "agent.not-followed": z.object({ why: z.enum(["no-processes", "no-means", "guard-ended"]) }),
  /** It changed refs that are not its own; they were put back. */
  "agent.tampered": z.object({ refs: texts }),
  /** A goal with tasks goes from one phase to the next. */
  "loop.phase": z.object({
    from: text,
    to: text,
    reason: text,
    summary: text,
    iteration: number.optional(),
    /** Paths that its tasks changed. */
    files: texts.optional(),
  }),
  /** A phase was found unfinished after a crash. */
  "loop.recovered": z.object({ found: text, orphans: texts, corrected: flag }),
};

const ownCommand = { isOwnCommand: flag.optional() };
const failure = { kind: z.enum(failureKinds), error: text, ...ownCommand };

const recoveryEvents = {
  /** An attempt failed; the next one is due, on this rung. */
  "recovery.retry": z.object({ ...failure, rung: number, attempt: number, ladder: number, dueAt: text }),
  /** Another approach was found, or none. */
  "recovery.alternative": z.object({ approach: text, source: text }),
  "recovery.no-alternative": nothing,
  /** A provider's limit is waited for. */
  "recovery.limited": z.object({ ...failure, until: text, isKnown: flag }),
  /** Nobody can go on until a person has done something, such as a login. */
  "recovery.paused": z.object(failure),
  /** The ladder has ended: a person is asked. */
  "recovery.escalated": z.object({ ...failure, ladder: number }),
  /** A person's Retry: one more ladder. */
  "recovery.again": z.object({ ladder: number, ...ownCommand }),
  /** The agent wanted to give up without what a person needs to decide. */
  "recovery.sent-back": z.object({ missing: texts }),
};

const sessionEvents = {
  /** A session began, or goals joined it. */
  "session.started": z.object({ goals: texts, budgetMicroUsd: number, inOrder: flag.optional() }),
  "session.joined": z.object({ goals: texts }),
  /** A person paused it, let it go on, or let it end after its current goal. */
  "session.paused": nothing,
  "session.running": nothing,
  "session.stopping": nothing,
  /** Goals failed in a row, or money ran away: it paused by itself. */
  "session.tripped": z.object({ reason: text }),
  /** It is over. */
  "session.ended": z.object({ reason: orNull(text) }),
  /** A night contract began, or is over. */
  "night.began": z.object({ nightId: text, goals: texts }),
  "night.ended": z.object({ nightId: text, reason: text }),
};

const answer = z.object({ choice: text, version: number, waitedMs: number });
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
  "checkpoint.reminded": nothing,
  "checkpoint.expired": nothing,
  "checkpoint.withdrawn": nothing,
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
  "campaign.created": nothing,
  "campaign.planned": z.object({ by: text, days: number, milestones: number }),
  "campaign.started": nothing,
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
  "campaign.goes-on": nothing,
  /** A person asked for its day now, paused it, let it go on, or wants another plan. */
  "campaign.run": nothing,
  "campaign.paused": nothing,
  "campaign.resumed": nothing,
  "campaign.replan-asked": nothing,
  /** The days that remain were planned anew. */
  "campaign.replanned": z.object({ by: text, replanCount: number, isAutomatic: flag, days: number }),
  /** It is over. */
  "campaign.completed": z.object({ reason: text }),
  "campaign.failed": z.object({ reason: text }),
};

const otherEvents = {
  /** A report was posted, for this day. */
  "standup.posted": z.object({ runFor: text }),
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

/** What each event's details are; `read.ts` holds rows against it. */
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
