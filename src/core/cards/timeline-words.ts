import { roundWords } from "./criterion-words.ts";
import { placeWords, platformTitle } from "../chat-platforms.ts";
import { triggerNameOf } from "./checkpoint-card.ts";
import type { EventName } from "../events/event.ts";
import type { KnownEvent, OtherEvent } from "../events/read.ts";
import { policySetWords } from "../memory/tuning.ts";
import { count, firstLine } from "../text.ts";
import { agentSilenceWords } from "./agent-words.ts";
import { answeredWords, broughtWords } from "./answered-words.ts";
import { aboutWords, campaignWords } from "./campaign-timeline-words.ts";
import type { EventWords, Teller } from "./event-words.ts";
import { momentText } from "./times-in.ts";
import { leftOutWords } from "./left-out-words.ts";

/** The fields of a timeline row that its words need, besides its event. */
interface About {
  /** Null when it is not about a goal. */
  readonly goalId: string | null;
  readonly actor: string | null;
  readonly via: string | null;
}

/**
 * One event in words for people: what happened, who did it where, how long it took. Unknown events keep their name. Moments are marked for
 * `withTimes`.
 */
export function timelineWords(row: About & (KnownEvent | OtherEvent)): string {
  if (row.event === "other") return row.name;
  const where = row.via === null ? "" : ` ${placeWords(row.via)}`;
  const by = `${row.actor === null ? "" : ` by ${row.actor}`}${where}`;
  return wordsOf(row, {
    by: row.via === "campaign" ? " by its campaign" : by,
    where,
    actor: row.actor,
    isOfGoal: row.goalId !== null,
  });
}

function wordsOf<Name extends EventName>(row: KnownEvent<Name>, teller: Teller): string {
  const say: EventWords[Name] = words[row.event];
  return say(row.detail, teller);
}

const interruptedBy = {
  space: "there was no space",
  disk: "its disk was no longer there",
  agent: "the agent did not begin",
} as const;

const pullDone = {
  opened: "opened",
  ready: "ready for review",
  draft: "a draft again",
  merged: "merged",
  closed: "closed",
  reopened: "opened again",
} as const;

const phaseWords: Readonly<Record<string, string>> = {
  recover: "to find another way",
  implement: "to work on it",
  verify: "to verify it",
  finish: "to finish it",
};

function goesOnAt(phase: string): string {
  return (Object.hasOwn(phaseWords, phase) ? phaseWords[phase] : null) ?? `at ${phase}`;
}

const cutBecause = {
  pause: "its session was paused",
  skip: "the goal was skipped",
  modify: "the goal was changed",
  stop: "its session was stopped",
  ceiling: "it met its ceiling",
  lost: "the worker could not keep it; goes on by itself",
  shutdown: "the worker stopped",
} as const;

const goalWords = {
  "goal.added": (_, { by }) => `added${by}`,
  "goal.edited": ({ fields, was, now }, { by }) =>
    `changed${by}: ${fields.join(", ")}${(now ?? "") === "" ? "" : `; it runs ${short(now ?? "")} now, and ran ${short(was ?? "")}`}`,
  "goal.queued": () => "queued: a worker may pick it up",
  "goal.interrupted": ({ interruptions, by, reason }) =>
    reason === undefined
      ? `picked up again after an interruption (${interruptions} in a row)`
      : `interrupted, ${interruptedBy[by ?? "space"]} (${interruptions} in a row): ${firstLine(reason, 300)}`,
  "goal.picked-up": ({ machine, phase }) => `picked up by the worker on ${machine}, ${goesOnAt(phase)}`,
  "goal.refused": ({ ceiling }) => `refused: not enough left under the ${ceiling}'s ceiling`,
  "goal.skipped": (_, { by }) => `skipped${by}`,
  "goal.paused": (_, { by }) => `parked${by}`,
  "goal.resumed": ({ day }, { by }) => (day === undefined ? `resumed${by}` : `taken up again for day ${day}`),
  "goal.complete": ({ outcome }) => `complete: ${firstLine(outcome, 300)}`,
  "goal.failed": ({ outcome }) => `failed: ${firstLine(outcome, 300)}`,
  "goal.deferred": ({ outcome }) => firstLine(outcome, 300),
  "goal.manual_followup": ({ outcome }) => `left to a person: ${firstLine(outcome, 300)}`,
  "goal.checked": ({ criterion, status }, { by }) =>
    `${criterion} ${status === "pass" ? "holds" : "does not hold"}, checked${by}`,
  "goal.push-refused": ({ round, reason }) => `pushing was refused, round ${round}: ${firstLine(reason, 300)}`,
  "goal.branch-replaced": ({ ref }) =>
    `its branch had work of this goal that is not known here, as from before a restore: kept as ${ref}`,
  "goal.replayed": ({ taskId, mode, verdict }) => `checked ${taskId} again, ${mode}: ${verdict}`,
  "goal.merge-requested": ({ into }, { by }) => `merge into ${into} asked for${by}`,
  "goal.merge-undone": (_, { by }) => `merge undone${by}`,
  "goal.merged": ({ into, commit }) => `merged into ${into}${commitWords(commit)}`,
  "goal.pull-request": ({ did, url, by }) =>
    `pull request ${pullDone[did]}${by === null ? "" : ` by ${firstLine(by, 60)}`}: ${url}`,
  "goal.pull-remarks": ({ count: many, last }) =>
    `${count(many, "remark")} on its pull request; ${firstLine(last, 200)}`,
  "goal.pull-checks": ({ state, failed }) =>
    `checks of its pull request: ${state}${failed.length === 0 ? "" : ` (${firstLine(failed.join(", "), 200)})`}`,
  "goal.reworked": ({ why, count: many }, { by }) =>
    `worked again${by}: ${why === "remarks" ? `${count(many, "remark")} on its pull request` : `${count(many, "check")} of its pull request failed`}`,
  "goal.merge-refused": ({ outcome }) => `not merged: ${firstLine(outcome ?? "", 300)}`,
  "goal.discarded": ({ ref }, { by }) => `discarded${by}${ref === null ? "" : `, kept as ${ref}`}`,
  "goal.rebased": ({ into, tip, why }) =>
    `put on ${into}, which has moved${commitWords(tip)}: ${why === "verify" ? "verified" : "worked"} again`,
  "goal.found-in-git": ({ news, commit, broughtBy }) =>
    `found in git: ${broughtBy === undefined ? news.replaceAll("-", " ") : `merged with ${broughtBy}`}${commitWords(commit)}`,
  "goal.work-lost": ({ commit }) =>
    `begins again: the machine with what it had recorded is not there${commitWords(commit)}`,
  "goal.left-to-others": ({ machine, reason }) => `left to another machine: on ${machine}, ${firstLine(reason, 200)}`,
  "goal.ground-lost": ({ ground, how }) => `parked: ${ground}, which it is on top of, was ${how}`,
  "goal.ground-back": ({ ground }) => `${ground} is worked again: waits for it`,
  "goal.ground-changed": ({ ground }) => `${ground}, which it is on top of, is worked again: to be verified again`,
  "goal.regrounded": ({ on, commit }) => `put on top of ${on.join(", ")} as it is now${commitWords(commit)}`,
} satisfies Partial<EventWords>;

/** Removes the mean of the scores, which says nothing here. `cos validate` says what it is the mean of. */
function withoutMean(summary: string): string {
  return summary.replace(/ \(avg(?: score)?: \d\.\d\d\)$/, "");
}

const workWords = {
  "run.started": () => "picked up: the work begins",
  // An attempt that did not end well has its files counted elsewhere, by its attempt.
  "run.executed": ({ end, files, commit, open = [] }) =>
    `executed: ${end}${files === 0 && end !== "finished" ? "" : `, ${count(files, "changed file")}`}${commitWords(commit)}${openWords(open)}`,
  "run.told": ({ lessons }) =>
    `its agent was told what past runs taught: ${lessons.map(({ episodeId, words }) => `${episodeId}: ${firstLine(words, 300)}`).join("; ")}`,
  "run.reviewed": ({ artifact, summary, issues, by, isApproved }) =>
    `critics looked at ${artifact === "test" ? "the tests" : `the ${artifact}`} (${by.join("; ")}): ${withoutMean(summary)}${issues.length === 0 ? "" : `${isApproved ? "; said besides" : ""}: ${firstLine(issues.join("; "), 400)}`}`,
  "run.not-reviewed": ({ reason, interruptions, of }) =>
    `${of === "work" ? "the critics could not look at the work" : "the critics' model could not be asked"} (${interruptions} in a row): ${firstLine(reason, 200)}`,
  "run.verified": ({ round, ...said }) => `verified, round ${round}: ${roundWords(said)}`,
  "run.verification-cut": ({ why }) => `its verification was interrupted: ${cutBecause[why]}`,
  "agent.first-action": ({ text }) => `first action: ${short(text)}`,
  "agent.silent": (silence) => agentSilenceWords(silence),
  "agent.heard": () => "the agent goes on",
  "agent.refused": ({ what }) => `refused: its own process called "${what}"; nothing was changed by it`,
  "agent.not-followed": ({ why }) =>
    why === "guard-ended"
      ? "not isolated: the guard of its processes was ended by somebody"
      : "not isolated: its processes cannot be distinguished from others on this machine",
  "agent.names-left-out": ({ names }) =>
    `changed files whose names are not valid UTF-8; they stay as they were: ${names.join(", ")}`,
  "agent.files-left-out": ({ paths, count: all }) =>
    `left files that are no part of the commit: ${leftOutWords(paths, all)}`,
  "agent.tampered": ({ refs }) => `changed refs that are not its own, which were put back: ${refs.join(", ")}`,
  "loop.phase": ({ from, to, reason, summary }) => `${from} → ${to} (${reason}): ${firstLine(summary, 300)}`,
  "loop.recovered": ({ found, orphans }) =>
    `found after a crash: ${found}${orphans.length === 0 ? "" : `, lost: ${orphans.join(", ")}`}`,
  "recovery.retry": ({ kind, error, isOwnCommand, rung, attempt }) =>
    `failed (${kind}): ${short(error)}; ${isOwnCommand === true ? "is run again, in a fresh place" : `tries again, level ${rung} of 4, attempt ${attempt}`}`,
  "recovery.alternative": ({ approach, source }) => `tries something else: ${short(approach)} (${source})`,
  "recovery.no-alternative": () => "nothing else is known to try on this level",
  "recovery.limited": ({ kind, error, until, isOutage, isHeld }) => {
    const provider = isOutage === true ? "the provider does not answer" : "the provider's limit is reached";
    const what = kind === "push" ? "the work is done, and its push waits" : provider;
    const next = isHeld === true ? "nothing goes on by itself now" : `waits until ${momentText(new Date(until))}`;
    return `${what} (${short(error)}): ${next}; costs no attempt`;
  },
  "recovery.paused": ({ error }) => `nobody can go on: ${short(error)}`,
  "recovery.escalated": ({ kind, error, isOwnCommand }) =>
    `${isOwnCommand === true ? "failed again" : "recovery has ended"} (${kind}): ${short(error)}; a person is asked`,
  "recovery.again": ({ ladder, isOwnCommand, isPushed }) => {
    if (isPushed === true) return "its work is pushed again";
    return isOwnCommand === true ? "its command is run twice more" : `recovery begins again (ladder ${ladder})`;
  },
  "recovery.sent-back": ({ missing }) => `wanted to give up and was sent back; missing: ${missing.join(", ")}`,
} satisfies Partial<EventWords>;

const questionWords = {
  "checkpoint.asked": ({ kind, triggers }) =>
    `asked: ${aboutWords(kind) ?? [...new Set(triggers)].map(triggerNameOf).join(", ")}`,
  "batch.held": ({ batchId, choice, checkpoints }, { by }) =>
    `${choice} for ${count(checkpoints.length, "question")} asked for${by} (${batchId}); it can be undone`,
  "batch.undone": ({ batchId }, { by }) => `undone${by} (${batchId}): nothing was answered`,
  "batch.settled": ({ batchId, answered, leftOut }) =>
    `${batchId}: ${answered} answered${leftOut.length === 0 ? "" : `, left out: ${leftOut.join(", ")}`}`,
  "checkpoint.changed": ({ version, changed }) => `the question changed (version ${version}): ${changed}`,
  "checkpoint.answered": (answer, { by }) => answeredWords(answer, by),
  "checkpoint.acknowledged": (_, { by }) => `seen${by}; nothing is decided yet`,
  "checkpoint.paused": (_, { by, isOfGoal }) => `${isOfGoal ? "session" : "campaign"} paused from the card${by}`,
  "checkpoint.voted": (answer, { by }) => `${answer.choice}${by}${broughtWords(answer)}; others have to agree`,
  "checkpoint.reminded": () => "reminded",
  "checkpoint.expired": (_, { isOfGoal }) => `nobody answered in time${isOfGoal ? ": parked" : ""}`,
  "checkpoint.withdrawn": () => "the question was withdrawn",
  "reply.said": ({ text }, { actor, where }) => `${actor ?? "somebody"} wrote${where}: ${firstLine(text, 300)}`,
  "reply.edited": ({ text }, { actor, where }) =>
    `${actor ?? "somebody"} changed a reply${where} to: ${firstLine(text, 300)}; nothing was decided by that`,
  "reply.deleted": (_, { actor, where }) => `${actor ?? "somebody"} deleted a reply${where}; what it decided stays`,
  "reply.read": ({ words: read }, { actor }) => `read ${actor ?? "somebody"}'s reply as: ${firstLine(read, 300)}`,
  "reply.confirmed": (_, { by }) => `reply confirmed${by}`,
  "reply.dismissed": (_, { by }) => `reading of a reply put aside${by}`,
  "message.posted": ({ platform }) => `card posted to ${platformTitle(platform)}`,
} satisfies Partial<EventWords>;

const sessionWords = {
  "session.started": (_, { by }) => `session started${by}`,
  "session.joined": (_, { by }) => `goals added to the session${by}`,
  "session.paused": (_, { by }) => `session paused${by}`,
  "session.running": (_, { by }) => `session resumed${by}`,
  "session.stopping": (_, { by }) => `session will stop after this goal${by}`,
  "session.tripped": ({ reason }) => `session paused by itself: ${reason}`,
  "session.ended": ({ reason }, { by }) => `session ended${by}${reason === null ? "" : `: ${reason}`}`,
  "standup.posted": ({ runFor }) => `standup posted for ${runFor}`,
  "weekly.posted": ({ runFor }) => `weekly posted for ${runFor}`,
  "policy.changed": (change, { by }) => `policy changed${by}: ${policySetWords(change)}`,
  "schedule.set": ({ name }, { by }) => `schedule ${name} changed${by}`,
  "repository.added": ({ name }, { by }) => `repository ${name} added${by}`,
  "repository.changed": ({ name, settings }, { by }) => `repository ${name} changed${by}: ${settings.join(", ")}`,
  "repository.removed": ({ name }, { by }) => `repository ${name} removed${by}`,
  "console.link-made": ({ name }, { by }) => `link to the console for ${name} made${by}`,
  "console.opened": (_, { by }) => `console opened${by}`,
  "console.ended": ({ name }, { by }) =>
    `${name === null ? "a console session" : `console session of ${name}`} ended${by}`,
} satisfies Partial<EventWords>;

const words: EventWords = { ...goalWords, ...workWords, ...questionWords, ...sessionWords, ...campaignWords };

function short(line: string): string {
  return firstLine(line, 200);
}

/** Tool calls that had not ended when the agent ended its turn. */
function openWords(titles: readonly string[]): string {
  return titles.length === 0 ? "" : `; it ended its turn without saying how these tools ended: ${titles.join(", ")}`;
}

function commitWords(commit: string | null): string {
  return commit === null ? "" : `, commit ${commit.slice(0, 12)}`;
}
