import { z } from "zod";
import { ceiling, flag, noDetails, number, orNull, text, texts } from "./shapes.ts";

export const goalEvents = {
  /** A person or a campaign's day created the goal. */
  "goal.added": noDetails,
  /** A person changed these fields. `was` and `now` are set when its own command is among them. */
  "goal.edited": z.object({ fields: texts, was: orNull(text).optional(), now: orNull(text).optional() }),
  /** Its session scheduled its next turn. */
  "goal.queued": noDetails,
  /** A turn was cut short by a crash or a full disk (`reason`). The goal continues in this phase. */
  "goal.interrupted": z.object({
    turn: number,
    interruptions: number,
    phase: text,
    by: z.enum(["space", "disk", "agent"]).optional(),
    reason: text.optional(),
  }),
  /** A worker of this machine continues from an earlier turn, after a stop, an answer or a due retry. */
  "goal.picked-up": z.object({ machine: text, turn: number, phase: text }),
  /** The money left under a ceiling is too little for its run to begin. */
  "goal.refused": z.object({ type: text, ceiling, leftMicroUsd: number, needMicroUsd: number }),
  /** A person skipped it. */
  "goal.skipped": noDetails,
  /** A person parked it. */
  "goal.paused": noDetails,
  /** A person, or a day of its campaign, resumed it. */
  "goal.resumed": z.object({ day: number.optional() }),
  /** A replan left it out. */
  "goal.dropped": noDetails,
  /** The goal ended; `outcome` says how. */
  "goal.complete": z.object({ outcome: text }),
  /** `kind`: the kind of failure that ended it without a person. */
  "goal.failed": z.object({ outcome: text, kind: text.optional() }),
  "goal.deferred": z.object({ outcome: text }),
  "goal.manual_followup": z.object({ outcome: text }),
  /** A person checked a criterion that only a person can check. */
  "goal.checked": z.object({ criterion: text, status: z.enum(["pass", "fail"]) }),
  /** A hook or a rule refused its finished branch; the agent repairs that in this round. */
  "goal.push-refused": z.object({ round: number, reason: text }),
  /** Its branch had unknown work of this goal, for example from before a restore. That work is kept as `ref`. */
  "goal.branch-replaced": z.object({ ref: text }),
  /** `cos replay` checked a recorded task again. */
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
  /** A person or a merge queue requested the merge; it can still be undone. */
  "goal.merge-requested": z.object({ into: text }),
  /** A requested merge was cancelled before it happened. */
  "goal.merge-undone": noDetails,
  /** The branch was merged, or the reason why it was not. */
  "goal.merged": z.object({ into: text, commit: orNull(text), outcome: orNull(text) }),
  "goal.merge-refused": z.object({ into: text, commit: orNull(text), outcome: orNull(text) }),
  /** A person discarded the branch. It is kept as `ref`; null when it was already gone and nothing keeps its commit. */
  "goal.discarded": z.object({ ref: orNull(text) }),
  /** What the system did about its pull request, or found done there. `by`: the person, as the forge names them. */
  "goal.pull-request": z.object({
    did: z.enum(["opened", "ready", "draft", "merged", "closed", "reopened"]),
    number,
    url: text,
    by: orNull(text),
  }),
  /** People commented on its pull request. `last`: the newest comment, one line. */
  "goal.pull-remarks": z.object({ count: number, last: text }),
  /** The checks of its pull request ended or restarted. */
  "goal.pull-checks": z.object({
    state: z.enum(["none", "pending", "passed", "failed"]),
    commit: text,
    failed: z.array(text),
  }),
  /** A complete goal is worked again because of comments or checks of its pull request. */
  "goal.reworked": z.object({ why: z.enum(["remarks", "checks"]), count: number }),
  /** A merge queue rebased the branch on a base that has moved. */
  "goal.rebased": z.object({ into: text, tip: text, commit: orNull(text), why: text }),
  /** A posted standup reported what git shows about the branch. `key` makes sure that this is reported once. */
  "goal.found-in-git": z.object({ news: text, commit: orNull(text), key: text, broughtBy: text.optional() }),
  /** Its recorded work is not on this machine, at the remote or in the store: it begins again. */
  "goal.work-lost": z.object({ commit: text }),
  /** A worker claimed it but cannot work it on its machine; a worker on another machine takes it. */
  "goal.left-to-others": z.object({ machine: text, reason: text }),
  /** The goal that it builds on was lost, came back, is worked again, or now has another commit. */
  "goal.ground-lost": z.object({ ground: text, how: text }),
  "goal.ground-back": z.object({ ground: text }),
  "goal.ground-changed": z.object({ ground: text }),
  "goal.regrounded": z.object({ on: texts, commit: orNull(text) }),
};

export const workEvents = {
  /** Money is reserved and the run begins. */
  "run.started": z.object({ capMicroUsd: number }),
  /** An execution ended; `decision` is what follows. */
  // `open`: titles of tool calls that had not ended when the agent ended its turn.
  "run.executed": z.object({
    end: text,
    files: number,
    commit: orNull(text),
    decision: text,
    open: texts.optional(),
  }),
  /** Lessons of past runs that its agent was given. */
  "run.told": z.object({ lessons: z.array(z.object({ episodeId: text, goalId: text, words: text })).readonly() }),
  /** Critics reviewed the work: their summary, required changes and remarks, who answered, and the decision. */
  "run.reviewed": z.object({
    artifact: z.enum(["spec", "code", "test"]),
    commit: text,
    isApproved: flag,
    summary: text,
    issues: texts,
    decision: text,
    by: texts,
  }),
  /** The critics' model could not be reached: the phase begins again. */
  "run.not-reviewed": z.object({ reason: text, interruptions: number, of: z.enum(["model", "work"]).optional() }),
  /** A commit was verified: the passing and failing criteria, and the decision. */
  "run.verified": z.object({
    round: number,
    commit: text,
    decision: text,
    pass: texts,
    fail: texts,
    /** Line coverage from 0 to 1, from the report of the repository's own checks. */
    coverage: number.optional(),
  }),
  /** A verification was cut short. Its results so far are kept, and the rest begins again. */
  "run.verification-cut": z.object({ why: z.enum(["pause", "skip", "modify", "stop", "ceiling", "lost", "shutdown"]) }),
  /** The first action of the agent in a turn. */
  "agent.first-action": z.object({ text, turn: number }),
  /** The goal's own process called a command that it may not call. */
  "agent.refused": z.object({ what: text }),
  /** The agent shows no sign of a model or tool call. `limit`: what it wrote about its provider's limit; `until`: when that resets. */
  "agent.silent": z.object({
    minutes: number,
    limit: text.optional(),
    until: text.optional(),
    /** The turn in which it was silent; older events have none. */
    turn: number.optional(),
  }),
  /** A silent agent continues. */
  "agent.heard": noDetails,
  /** Its processes cannot be distinguished from a person's. */
  "agent.not-followed": z.object({ why: z.enum(["no-processes", "no-means", "guard-ended"]) }),
  /** It changed refs that are not its own; they were restored. */
  "agent.tampered": z.object({ refs: texts }),
  /** It changed or created files whose names are not valid text; they are not part of the work. */
  "agent.names-left-out": z.object({ names: texts }),
  /** It left files that git could not add; they are not part of the work. A folder ends in "/". */
  "agent.files-left-out": z.object({ paths: texts, count: number, commit: text }),
  /** A goal with tasks moves from one phase to the next. */
  "loop.phase": z.object({
    from: text,
    to: text,
    reason: text,
    summary: text,
    iteration: number.optional(),
    /** Paths that its tasks changed. */
    files: texts.optional(),
  }),
  /** An unfinished phase was found after a crash. */
  "loop.recovered": z.object({ found: text, orphans: texts, corrected: flag }),
};

export const ownCommand = { isOwnCommand: flag.optional() };
