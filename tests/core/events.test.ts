import { describe, expect, it } from "vitest";
import { isoSentence } from "../../src/core/cards/times-in.ts";
import { timelineWords } from "../../src/core/cards/timeline-words.ts";
import { type EventDetails, type EventName, eventShapes } from "../../src/core/events/event.ts";
import { isEvent, type KnownEvent, readEvent, storedEvent } from "../../src/core/events/read.ts";
import { type NewEvent, ofGoal } from "../../src/core/events/write.ts";

const commit = "0123456789abcdef0123456789abcdef01234567";
const failed = { kind: "work", error: "exit code 1" } as const;
const answer = { choice: "Proceed", version: 1, waitedMs: 90_000 };
const said = { text: "go on", by: null };

/** Each event as it is written, and what `why` says of it when ana did it in the terminal. */
const told: { readonly [Name in EventName]: readonly [EventDetails[Name], string] } = {
  "goal.added": [{}, "added by ana in the terminal"],
  "goal.edited": [
    { fields: ["runCommand"], was: "make", now: "make test" },
    "changed by ana in the terminal: runCommand; it runs make test now, and ran make",
  ],
  "goal.queued": [{}, "queued: a worker may pick it up"],
  "goal.interrupted": [
    { turn: 2, interruptions: 1, phase: "implement", reason: "no space left on device" },
    "interrupted, there was no space (1 in a row): no space left on device",
  ],
  "goal.refused": [
    { type: "refuse", ceiling: "day", leftMicroUsd: 1, needMicroUsd: 2 },
    "refused: not enough left under the day's ceiling",
  ],
  "goal.skipped": [{}, "skipped by ana in the terminal"],
  "goal.paused": [{}, "parked by ana in the terminal"],
  "goal.resumed": [{ day: 2 }, "taken up again for day 2"],
  "goal.dropped": [{}, "left out of the new plan"],
  "goal.complete": [{ outcome: "All criteria hold." }, "complete: All criteria hold."],
  "goal.failed": [{ outcome: "Setup failed." }, "failed: Setup failed."],
  "goal.deferred": [{ outcome: "Skipped by ana." }, "Skipped by ana."],
  "goal.manual_followup": [{ outcome: "Left to a person." }, "left to a person: Left to a person."],
  "goal.checked": [{ criterion: "AC-1", status: "pass" }, "AC-1 holds, checked by ana in the terminal"],
  "goal.branch-replaced": [
    { ref: "refs/cos/replaced/g/1" },
    "its branch had work of this goal that is not known here, as from before a restore: kept as refs/cos/replaced/g/1",
  ],
  "goal.push-refused": [{ round: 1, reason: "the hook says no" }, "pushing was refused, round 1: the hook says no"],
  "goal.replayed": [
    {
      taskId: "T1",
      mode: "layered",
      verdict: "passed",
      shellFirstSearches: null,
      unverifiableClaims: 0,
      criteria: 1,
      withEvidence: 1,
      costMicroUsd: 0,
      costIsEstimated: false,
      durationMs: 5,
    },
    "checked T1 again, layered: passed",
  ],
  "run.told": [
    { lessons: [{ episodeId: "ep-1", goalId: "goal-1", words: "It was done." }] },
    "its agent was told what past runs taught: ep-1: It was done.",
  ],
  "run.reviewed": [
    {
      artifact: "test",
      commit,
      isApproved: false,
      summary: "NEEDS REVIEW: concerns in coverage (avg: 0.90)",
      issues: ["a.test.ts:1: a test was removed"],
      decision: "again",
      by: ["the built-in rules"],
    },
    "critics looked at the tests (the built-in rules): NEEDS REVIEW: concerns in coverage: a.test.ts:1: a test was removed",
  ],
  "run.not-reviewed": [
    { reason: "unreachable: no connection", interruptions: 2 },
    "the critics' model could not be asked (2 in a row): unreachable: no connection",
  ],
  "batch.held": [
    { batchId: "ba-1", choice: "Proceed", checkpoints: ["cp-1", "cp-2"] },
    "Proceed for 2 questions asked for by ana in the terminal (ba-1); it can be undone",
  ],
  "batch.undone": [{ batchId: "ba-1" }, "undone by ana in the terminal (ba-1): nothing was answered"],
  "batch.settled": [{ batchId: "ba-1", answered: 1, leftOut: ["cp-2"] }, "ba-1: 1 answered, left out: cp-2"],
  "goal.merge-requested": [{ into: "main" }, "merge into main asked for by ana in the terminal"],
  "goal.merge-undone": [{}, "merge undone by ana in the terminal"],
  "goal.merged": [{ into: "main", commit, outcome: null }, "merged into main, commit 0123456789ab"],
  "goal.pull-remarks": [{ count: 2, last: 'bob: "rename it"' }, '2 remarks on its pull request; bob: "rename it"'],
  "goal.pull-checks": [
    { state: "failed", commit: "a".repeat(40), failed: ["build"] },
    "checks of its pull request: failed (build)",
  ],
  "goal.reworked": [{ why: "remarks", count: 2 }, "worked again by ana in the terminal: 2 remarks on its pull request"],
  "goal.merge-refused": [{ into: "main", commit: null, outcome: "main has moved" }, "not merged: main has moved"],
  "goal.pull-request": [
    { did: "merged", number: 7, url: "https://github.com/ana/shop/pull/7", by: "bob" },
    "pull request merged by bob: https://github.com/ana/shop/pull/7",
  ],
  "goal.discarded": [
    { ref: "refs/cos/discarded/goal-1" },
    "discarded by ana in the terminal, kept as refs/cos/discarded/goal-1",
  ],
  "goal.rebased": [
    { into: "main", tip: commit, commit, why: "verify" },
    "put on main, which has moved, commit 0123456789ab: verified again",
  ],
  "goal.found-in-git": [
    { news: "merged-by-hand", commit, key: "merged" },
    "found in git: merged by hand, commit 0123456789ab",
  ],
  "goal.left-to-others": [
    { machine: "build-2", reason: "there is no /srv/shop" },
    "left to another machine: on build-2, there is no /srv/shop",
  ],
  "goal.work-lost": [
    { commit: "0123456789abcdef" },
    "begins again: the machine with what it had recorded is not there, commit 0123456789ab",
  ],
  "goal.ground-lost": [{ ground: "goal-0", how: "skipped" }, "parked: goal-0, which it is on top of, was skipped"],
  "goal.ground-back": [{ ground: "goal-0" }, "goal-0 is worked again: waits for it"],
  "goal.ground-changed": [{ ground: "goal-0" }, "goal-0, which it is on top of, is worked again: to be verified again"],
  "goal.regrounded": [
    { on: ["goal-0", "goal-2"], commit },
    "put on top of goal-0, goal-2 as it is now, commit 0123456789ab",
  ],
  "run.started": [{ capMicroUsd: 5_000_000 }, "picked up: the work begins"],
  "run.executed": [
    { end: "finished", files: 2, commit, decision: "verify" },
    "executed: finished, 2 changed files, commit 0123456789ab",
  ],
  "goal.picked-up": [
    { machine: "build-2", turn: 3, phase: "verify" },
    "picked up by the worker on build-2, to verify it",
  ],
  "run.verification-cut": [{ why: "shutdown" }, "its verification was interrupted: the worker stopped"],
  "run.verified": [
    { round: 1, commit, decision: "again", pass: ["AC-1", "AC-2"], fail: ["AC-3"] },
    "verified, round 1: AC-1, AC-2 pass, AC-3 fail",
  ],
  "agent.first-action": [{ text: "reads a file", turn: 1 }, "first action: reads a file"],
  "agent.silent": [
    { minutes: 5, limit: "429 Too Many Requests", until: "2026-01-26T15:00:00.000Z" },
    "the agent is silent for 5 min: no word, tool or tokens; it waits for its provider's limit (429 Too Many Requests)",
  ],
  "agent.heard": [{}, "the agent goes on"],
  "agent.refused": [
    { what: "cos approve" },
    'refused: its own process called "cos approve"; nothing was changed by it',
  ],
  "agent.not-followed": [{ why: "guard-ended" }, "not isolated: the guard of its processes was ended by somebody"],
  "agent.tampered": [
    { refs: ["refs/heads/main"] },
    "changed refs that are not its own, which were put back: refs/heads/main",
  ],
  "agent.names-left-out": [
    { names: ['"prix-\\351.txt"'] },
    'changed files whose names are not valid UTF-8; they stay as they were: "prix-\\351.txt"',
  ],
  "agent.files-left-out": [
    { paths: ["secret.txt", "cache/"], count: 3, commit: "a1" },
    "left files that are no part of the commit: secret.txt, cache/ and 1 more file (git could not read them, they have names that git uses for its own files, or they lie in a submodule)",
  ],
  "loop.phase": [
    { from: "plan", to: "wave", reason: "planned", summary: "3 tasks", iteration: 1 },
    "plan → wave (planned): 3 tasks",
  ],
  "loop.recovered": [{ found: "resume", orphans: ["T1"], corrected: false }, "found after a crash: resume, lost: T1"],
  "recovery.retry": [
    { ...failed, rung: 1, attempt: 2, ladder: 1, dueAt: "2026-01-26T09:00:05.000Z" },
    "failed (work): exit code 1; tries again, level 1 of 4, attempt 2",
  ],
  "recovery.alternative": [
    { approach: "smaller steps", source: "built-in rule" },
    "tries something else: smaller steps (built-in rule)",
  ],
  "recovery.no-alternative": [{}, "nothing else is known to try on this level"],
  "recovery.limited": [
    { ...failed, kind: "limit", until: "2026-01-26T10:00:00.000Z", isKnown: true },
    "the provider's limit is reached (exit code 1): waits until 2026-01-26T10:00:00.000Z; costs no attempt",
  ],
  "recovery.paused": [{ ...failed, kind: "login" }, "nobody can go on: exit code 1"],
  "recovery.escalated": [{ ...failed, ladder: 1 }, "recovery has ended (work): exit code 1; a person is asked"],
  "recovery.again": [{ ladder: 2 }, "recovery begins again (ladder 2)"],
  "recovery.sent-back": [
    { missing: ["attempts", "hypothesis"] },
    "wanted to give up and was sent back; missing: attempts, hypothesis",
  ],
  "session.started": [
    { goals: ["goal-1"], budgetMicroUsd: 5_000_000, inOrder: false },
    "session started by ana in the terminal",
  ],
  "session.joined": [{ goals: ["goal-1"] }, "goals added to the session by ana in the terminal"],
  "session.paused": [{}, "session paused by ana in the terminal"],
  "session.running": [{}, "session resumed by ana in the terminal"],
  "session.stopping": [{}, "session will stop after this goal by ana in the terminal"],
  "session.tripped": [{ reason: "3 goals in a row failed" }, "session paused by itself: 3 goals in a row failed"],
  "session.ended": [{ reason: "Everything is done." }, "session ended by ana in the terminal: Everything is done."],
  "night.began": [{ nightId: "night-1", goals: ["goal-1"] }, "night contract made by ana in the terminal: 1 goal"],
  "night.ended": [{ nightId: "night-1", reason: "It is 07:00." }, "night over: It is 07:00."],
  "checkpoint.asked": [
    { triggers: ["ux_change", "hiccup"], kind: "start" },
    "asked: user-facing change, something unexpected",
  ],
  "checkpoint.changed": [{ version: 2, changed: "the criteria" }, "the question changed (version 2): the criteria"],
  "checkpoint.answered": [answer, "answered Proceed by ana in the terminal, after 1 min"],
  "checkpoint.acknowledged": [answer, "seen by ana in the terminal; nothing is decided yet"],
  "checkpoint.voted": [answer, "Proceed by ana in the terminal; others have to agree"],
  "checkpoint.paused": [answer, "session paused from the card by ana in the terminal"],
  "checkpoint.reminded": [{}, "reminded"],
  "checkpoint.expired": [{}, "nobody answered in time: parked"],
  "checkpoint.withdrawn": [{}, "the question was withdrawn"],
  "reply.said": [said, "ana wrote in the terminal: go on"],
  "reply.edited": [said, "ana changed a reply in the terminal to: go on; nothing was decided by that"],
  "reply.deleted": [said, "ana deleted a reply in the terminal; what it decided stays"],
  "reply.read": [{ replyId: "reply-1", type: "retry", words: "Retry" }, "read ana's reply as: Retry"],
  "reply.confirmed": [{ replyId: "reply-1" }, "reply confirmed by ana in the terminal"],
  "reply.dismissed": [{ replyId: "reply-1" }, "reading of a reply put aside by ana in the terminal"],
  "message.posted": [{ platform: "slack", channel: "C1" }, "card posted to Slack"],
  "campaign.created": [{}, "campaign created by ana in the terminal"],
  "campaign.planned": [{ by: "the model", days: 5, milestones: 1 }, "planned by the model: 5 days, 1 milestone"],
  "campaign.started": [{}, "campaign started by ana in the terminal"],
  "campaign.day-begun": [
    { day: 2, date: "2026-01-27", goals: ["goal-1"], budgetMicroUsd: 1_000_000 },
    "day 2 (2026-01-27) begins: 1 goal, up to $1.00",
  ],
  "campaign.day-over": [
    {
      campaignId: "camp-1",
      day: 2,
      goalsCompleted: 1,
      goals: 2,
      costMicroUsd: 870_000,
      costIsEstimated: false,
      progress: 0.5,
      carried: 1,
    },
    "day 2 is over: 1 of 2 goals complete, $0.87, 1 goal left for the next day",
  ],
  "campaign.milestone-done": [{ milestoneId: "ms-1" }, "milestone ms-1 is done, on ana's word"],
  "campaign.held": [{ reason: "no branch main" }, "campaign held: no branch main"],
  "campaign.goes-on": [{}, "campaign goes on"],
  "campaign.run": [{}, "its day was asked for by ana in the terminal"],
  "campaign.paused": [{}, "campaign paused by ana in the terminal"],
  "campaign.resumed": [{}, "campaign resumed by ana in the terminal"],
  "campaign.replan-asked": [{}, "another plan was asked for by ana in the terminal"],
  "campaign.replanned": [
    { by: "the model", replanCount: 1, isAutomatic: true, days: 6 },
    "replanned by the model, because it was late: 6 days",
  ],
  "campaign.completed": [{ reason: "Every milestone is done." }, "campaign completed: Every milestone is done."],
  "campaign.failed": [{ reason: "Given up by ana." }, "campaign ended: Given up by ana."],
  "standup.posted": [{ runFor: "2026-01-26" }, "standup posted for 2026-01-26"],
  "weekly.posted": [{ runFor: "2026-01-26" }, "weekly posted for 2026-01-26"],
  "policy.changed": [
    { key: "thresholds.dayMicroUsd", wasMicroUsd: 15_000_000, nowMicroUsd: 18_000_000 },
    "policy changed by ana in the terminal: a goal on a day that has cost more than $18.00 is asked about, instead of $15.00",
  ],
  "schedule.set": [{ name: "standup", cron: "0 9 * * *" }, "schedule standup changed by ana in the terminal"],
  "repository.changed": [
    { repositoryId: "repo-1", name: "shop", settings: ["setup", "checks"] },
    "repository shop changed by ana in the terminal: setup, checks",
  ],
  "repository.removed": [{ repositoryId: "repo-1", name: "shop" }, "repository shop removed by ana in the terminal"],
  "console.link-made": [
    { consoleSessionId: "cs-1", name: "ben" },
    "link to the console for ben made by ana in the terminal",
  ],
  "console.opened": [{ consoleSessionId: "cs-1", name: "ben" }, "console opened by ana in the terminal"],
  "console.ended": [{ consoleSessionId: "cs-1", name: null }, "a console session ended by ana in the terminal"],
  "repository.added": [{ repositoryId: "repo-1", name: "shop" }, "repository shop added by ana in the terminal"],
};

describe("the words of events", () => {
  const row = { goalId: "goal-1", actor: "ana", via: "terminal" };

  it.each(Object.entries(told))("%s", (event, [detail, words]) => {
    const read = readEvent({ ...row, event, detail: JSON.parse(JSON.stringify(detail)) });

    expect(read.event).toBe(event);
    expect(isoSentence(timelineWords(read))).toBe(words);
  });

  it("are there for every event that is written", () => {
    expect(Object.keys(told).sort()).toEqual(Object.keys(eventShapes).sort());
  });
});

it.each([
  [
    "checkpoint.answered",
    { ...answer, choice: "Modify", ceilingMicroUsd: 7_000_000, hasCriteria: true, instructions: "use blue\nonly" },
    "answered Modify by ana in the terminal, after 1 min: ceiling $7.00; criteria; told: use blue / only",
  ],
  [
    "checkpoint.answered",
    { ...answer, choice: "Retry", instructions: "use blue", notes: "retry: use blue" },
    "answered Retry by ana in the terminal, after 1 min: told: use blue",
  ],
  [
    "checkpoint.voted",
    { ...answer, notes: "as agreed" },
    "Proceed by ana in the terminal: noted: as agreed; others have to agree",
  ],
  [
    "goal.found-in-git",
    { news: "merged-by-hand", commit, key: "merged", broughtBy: "goal-2" },
    "found in git: merged with goal-2, commit 0123456789ab",
  ],
])("what came with it is told: %s", (event, detail, words) => {
  expect(timelineWords(readEvent({ goalId: "goal-1", actor: "ana", via: "terminal", event, detail }))).toBe(words);
});

it("rows that earlier versions wrote are read and shown, and keep for scripts what they are", () => {
  const row = { timelineId: 1, goalId: "goal-1", actor: "ana", via: "terminal" };
  const rows = [
    // Of names that nobody writes any more, or not yet.
    { ...row, event: "guard.looked", detail: {} },
    { ...row, event: "goal.teleported", detail: { to: "mars" } },
    { ...row, event: "constructor", detail: {} },
    { ...row, event: "other", detail: {} },
    // Of details that these events had once, or of none.
    { ...row, event: "goal.interrupted", detail: {} },
    { ...row, event: "agent.not-followed", detail: { why: "for another reason" } },
    { ...row, event: "checkpoint.answered", detail: { choice: 7 } },
  ];

  const read = rows.map(readEvent);

  expect(read.map(({ event }) => event)).toEqual(rows.map(() => "other"));
  expect(read.map(timelineWords)).toEqual(rows.map(({ event }) => event));
  expect(read.map(storedEvent)).toEqual(rows);
});

it("what was added to an event later may be missing, and what it had once may still be there", () => {
  const row = { goalId: "goal-1", actor: null, via: null };
  const rows = [
    { ...row, event: "session.started", detail: { goals: [], budgetMicroUsd: 1 } },
    { ...row, event: "goal.interrupted", detail: { turn: 1, interruptions: 2, phase: "verify" } },
    { ...row, event: "goal.complete", detail: { outcome: "Done.", wasCheap: true } },
  ];

  const read = rows.map(readEvent);

  expect(read.map(timelineWords)).toEqual([
    "session started",
    "picked up again after an interruption (2 in a row)",
    "complete: Done.",
  ]);
  expect(read.map(storedEvent)).toEqual(rows);
});

it("a push that waits says until when only where it is made again by itself", () => {
  const detail = { kind: "push", error: "no answer", until: "2026-01-26T10:00:00.000Z", isKnown: false, isHeld: true };

  const read = readEvent({ goalId: "goal-1", actor: null, via: null, event: "recovery.limited", detail });

  expect(timelineWords(read)).toBe(
    "the work is done, and its push waits (no answer): nothing goes on by itself now; costs no attempt",
  );
});

it("an execution names the tool calls of which its agent did not say how they ended", () => {
  const detail = { end: "finished", files: 1, commit: null, decision: "verify", open: ["npm test", "npm run build"] };

  const read = readEvent({ goalId: "goal-1", actor: null, via: null, event: "run.executed", detail });

  expect(timelineWords(read)).toBe(
    "executed: finished, 1 changed file; it ended its turn without saying how these tools ended: npm test, npm run build",
  );
});

it("a question with several reasons of one kind names the kind once", () => {
  const row = { goalId: "goal-1", actor: null, via: null };
  const detail = { triggers: ["hiccup", "ux_change", "hiccup"], kind: "start" };

  expect(timelineWords(readEvent({ ...row, event: "checkpoint.asked", detail }))).toBe(
    "asked: something unexpected, user-facing change",
  );
});

it("a misspelled event or detail, and one that forgets what it is about, does not compile", () => {
  const at = new Date(0);
  const goal = { goalId: "goal-1", sessionId: null, runId: null };
  const written: NewEvent[] = [
    { event: "goal.queued", goalId: "goal-1", at },
    { event: "goal.push-refused", ...ofGoal(goal, at), detail: { round: 1, reason: "no" } },
    // @ts-expect-error There is no such event.
    { event: "goal.quued", goalId: "goal-1", at },
    // @ts-expect-error Events of a goal name it.
    { event: "goal.queued", at },
    // @ts-expect-error Its details are missing.
    { event: "goal.complete", goalId: "goal-1", at },
    // @ts-expect-error A detail is missing.
    { event: "goal.push-refused", ...ofGoal(goal, at), detail: { round: 1 } },
    // @ts-expect-error A detail is misspelled, though it need not be there.
    { event: "goal.edited", goalId: "goal-1", at, detail: { fields: [], wass: "x" } },
    // @ts-expect-error A detail is of another type.
    { event: "goal.checked", goalId: "goal-1", at, detail: { criterion: "AC-1", status: "maybe" } },
    // @ts-expect-error This event has no details.
    { event: "goal.paused", goalId: "goal-1", at, detail: { reason: "x" } },
  ];
  const row: KnownEvent<"goal.complete" | "goal.push-refused"> = { event: "goal.complete", detail: { outcome: "x" } };
  // @ts-expect-error There is no such event to read.
  expect(isEvent(row, "goal.completed")).toBe(false);
  // @ts-expect-error Nor such a detail.
  if (row.event === "goal.complete") expect(row.detail.outcom).toBeUndefined();
  expect(written).toHaveLength(9);
});
