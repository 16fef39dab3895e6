import { z } from "zod";
import { ceiling, flag, noDetails, number, orNull, text, texts } from "./shapes.ts";

export const goalEvents = {
  /** A person or a campaign's day made the goal. */
  "goal.added": noDetails,
  /** A person changed these of its fields; `was` and `now` when its own command is among them. */
  "goal.edited": z.object({ fields: texts, was: orNull(text).optional(), now: orNull(text).optional() }),
  /** Its session gave it the next turn. */
  "goal.queued": noDetails,
  /** A turn was cut short: a crash, or no space (`reason`), and the goal goes on at this phase. */
  "goal.interrupted": z.object({
    turn: number,
    interruptions: number,
    phase: text,
    by: z.enum(["space", "disk", "agent"]).optional(),
    reason: text.optional(),
  }),
  /** A worker of this machine goes on with what an earlier turn has left: a stop, an answer or a retry that came due. */
  "goal.picked-up": z.object({ machine: text, turn: number, phase: text }),
  /** Not enough is left under a ceiling for its run to begin. */
  "goal.refused": z.object({ type: text, ceiling, leftMicroUsd: number, needMicroUsd: number }),
  /** A person put it aside for good. */
  "goal.skipped": noDetails,
  /** A person parked it. */
  "goal.paused": noDetails,
  /** A person, or a day of its campaign, took it up again. */
  "goal.resumed": z.object({ day: number.optional() }),
  /** A replan left it out. */
  "goal.dropped": noDetails,
  /** It ended, and why. */
  "goal.complete": z.object({ outcome: text }),
  /** `kind`: which failure ended it without a person. */
  "goal.failed": z.object({ outcome: text, kind: text.optional() }),
  "goal.deferred": z.object({ outcome: text }),
  "goal.manual_followup": z.object({ outcome: text }),
  /** A person checked a criterion that only a person can. */
  "goal.checked": z.object({ criterion: text, status: z.enum(["pass", "fail"]) }),
  /** A hook or a rule refused its finished branch; the agent repairs it in this round. */
  "goal.push-refused": z.object({ round: number, reason: text }),
  /** Its branch had work of this goal that nothing is known of, as from before a restore: that is kept as `ref`. */
  "goal.branch-replaced": z.object({ ref: text }),
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

export const branchEvents = {
  /** Somebody, or a merge queue, asked for the merge; it can still be undone. */
  "goal.merge-requested": z.object({ into: text }),
  /** A merge that had not happened was taken back. */
  "goal.merge-undone": noDetails,
  /** The branch is merged, or why it was not. */
  "goal.merged": z.object({ into: text, commit: orNull(text), outcome: orNull(text) }),
  "goal.merge-refused": z.object({ into: text, commit: orNull(text), outcome: orNull(text) }),
  /** A person threw the branch away; it is kept as `ref`, null: it was gone before, and nothing keeps its commit. */
  "goal.discarded": z.object({ ref: orNull(text) }),
  /** What we did about its pull request, or what was found done there; `by`: who, as the forge names them. */
  "goal.pull-request": z.object({
    did: z.enum(["opened", "ready", "draft", "merged", "closed", "reopened"]),
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
  "goal.found-in-git": z.object({ news: text, commit: orNull(text), key: text, broughtBy: text.optional() }),
  /** What it had recorded is neither on this machine, nor at the remote, nor in the store: it begins again. */
  "goal.work-lost": z.object({ commit: text }),
  /** A worker claimed it that cannot work it because of its machine: one of another machine takes it. */
  "goal.left-to-others": z.object({ machine: text, reason: text }),
  /** The goal that it is on top of was lost, came back, is worked again, or has another commit now. */
  "goal.ground-lost": z.object({ ground: text, how: text }),
  "goal.ground-back": z.object({ ground: text }),
  "goal.ground-changed": z.object({ ground: text }),
  "goal.regrounded": z.object({ on: texts, commit: orNull(text) }),
};

export const workEvents = {
  /** Money is reserved and the run begins. */
  "run.started": z.object({ capMicroUsd: number }),
  /** An execution ended, and what was decided then. */
  // `open`: titles of tool calls that were not over when its agent ended its turn.
  "run.executed": z.object({
    end: text,
    files: number,
    commit: orNull(text),
    decision: text,
    open: texts.optional(),
  }),
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
  /** A verification was ended before it was done; what it had found out by then is kept, and the rest begins again. */
  "run.verification-cut": z.object({ why: z.enum(["pause", "skip", "modify", "stop", "ceiling", "lost", "shutdown"]) }),
  /** The agent did something for the first time in a turn. */
  "agent.first-action": z.object({ text, turn: number }),
  /** The goal's own process called a command that it may not. */
  "agent.refused": z.object({ what: text }),
  /** It says nothing of a model or a tool; `limit`: what it wrote of its provider's, and when that is over. */
  "agent.silent": z.object({
    minutes: number,
    limit: text.optional(),
    until: text.optional(),
    /** In which it was silent; events of before have none. */
    turn: number.optional(),
  }),
  /** It was silent and goes on. */
  "agent.heard": noDetails,
  /** Its processes cannot be told from a person's. */
  "agent.not-followed": z.object({ why: z.enum(["no-processes", "no-means", "guard-ended"]) }),
  /** It changed refs that are not its own; they were put back. */
  "agent.tampered": z.object({ refs: texts }),
  /** It changed or made files whose names are bytes that are no text: they are no part of the work. */
  "agent.names-left-out": z.object({ names: texts }),
  /** It left files that git could not add: they are no part of the work. A folder ends in "/". */
  "agent.files-left-out": z.object({ paths: texts, count: number, commit: text }),
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

export const ownCommand = { isOwnCommand: flag.optional() };
