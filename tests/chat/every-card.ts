import { withChangedGoals, withChangedOutput } from "../../src/core/cards/changed-output.ts";
import { campaignStates } from "../../src/core/campaigns/campaign.ts";
import { campaignOptions, editLabel, goalOptions, policyOptions } from "../../src/core/checkpoints/options.ts";
import type { Brought } from "../../src/core/cards/answered-words.ts";
import { batchCard } from "../../src/core/cards/batch-card.ts";
import { inBrief, wholeCard } from "../../src/core/cards/brief.ts";
import type { TriedProof } from "../../src/core/trials/tried.ts";
import { campaignCard } from "../../src/core/cards/campaign-card.ts";
import { nextDayWords } from "../../src/core/cards/campaign-step-words.ts";
import { campaignListCard, campaignStatusCard } from "../../src/core/cards/campaign-list-card.ts";
import { campaignQuestionCard } from "../../src/core/cards/campaign-question-card.ts";
import { waitingItem } from "../../src/core/cards/question-name.ts";
import { type Card, plainCard } from "../../src/core/cards/card.ts";
import { chatCard } from "../../src/core/cards/chat-card.ts";
import { checkpointCard } from "../../src/core/cards/checkpoint-card.ts";
import { earlierRunsCard } from "../../src/core/cards/command-runs.ts";
import { dayOverCard } from "../../src/core/cards/day-card.ts";
import { diffCard } from "../../src/core/cards/diff-card.ts";
import { attemptsCard } from "../../src/core/cards/escalation-card.ts";
import { goalCard } from "../../src/core/cards/goal-card.ts";
import { homeCards, homeWithin } from "../../src/core/cards/home-card.ts";
import { nothingPlannedCard, plannedCard } from "../../src/core/cards/plan-card.ts";
import { checkpointsCard, confirmationCard, goalsCard, linesCard } from "../../src/core/cards/lists.ts";
import { morningCard } from "../../src/core/cards/morning-card.ts";
import { eveningCard } from "../../src/core/cards/night-card.ts";
import { revokedTokenCard } from "../../src/core/cards/pull-words.ts";
import { limitCard, refusedProcessCard, reminderCard, stoppedCard } from "../../src/core/cards/notices.ts";
import { outsideThread } from "../../src/core/cards/outside-thread.ts";
import { recoverCard } from "../../src/core/cards/plain.ts";
import { type ReadingFacts, readingCard } from "../../src/core/cards/reading-card.ts";
import { replanCard } from "../../src/core/cards/replan-card.ts";
import { replayCard } from "../../src/core/cards/replay-card.ts";
import { sessionCard } from "../../src/core/cards/session-card.ts";
import { standupCard } from "../../src/core/cards/standup-card.ts";
import { policyCard, tuningCard } from "../../src/core/cards/tuning-card.ts";
import { weeklyReportCard } from "../../src/core/cards/weekly-report.ts";
import { became } from "../../src/core/checkpoints/batch.ts";
import {
  type CampaignQuestion,
  type CheckpointStatus,
  campaignQuestions,
  type GoalCheckpoint,
} from "../../src/core/checkpoints/checkpoint.ts";
import { triggers } from "../../src/core/checkpoints/triggers.ts";
import type { Goal } from "../../src/core/goals/goal.ts";
import { policyKeys } from "../../src/core/memory/tuning.ts";
import { fixedCommand, type Tried } from "../../src/core/recovery/tried.ts";
import { type Recommendation, recommend } from "../../src/core/reports/recommendation.ts";
import { weeklyCard } from "../../src/core/cards/weekly-card.ts";
import type { ReportFacts } from "../../src/core/reports/report-facts.ts";
import { preferenceKeys } from "../../src/core/memory/preferences.ts";
import type { StandupFacts } from "../../src/core/reports/standup-facts.ts";
import { type WeeklyCampaign, summaryOf } from "../../src/core/reports/summary.ts";
import { type Week, weekOf } from "../../src/core/reports/week.ts";
import { otherCards, questionCards } from "./other-cards.ts";

/** Everything that can come with an answer. */
const broughtOf = (text: string): Brought => ({
  notes: text,
  instructions: text,
  hasCriteria: true,
  ceilingMicroUsd: 7_000_000,
});

/**
 * Every kind of card there is (`every-card.test.ts` holds it against what makes cards), each made of the same text
 * wherever somebody's text can stand, `many` items to a list.
 */
export function everyCard(text: string, many: number): Readonly<Record<string, Card>> {
  const goal = goalOf(text);
  const pending = checkpointOf(text, "pending", many);
  const card = (checkpoint: GoalCheckpoint) =>
    checkpointCard({
      checkpoint,
      goal,
      ceilingMicroUsd: 5_000_000,
      attempts: attemptsOf(text, many),
      held: { held: { waits: [text], goesOn: [] }, why: "ground", session: "paused", builders: many },
      brought: checkpoint.status === "pending" ? null : broughtOf(text),
    });
  const report = reportOf(text, many);
  const week = weekWith(many);
  const summary = summaryOf(week, campaignsOf(text, many), "UTC");
  const picture = { type: "picture" as const, picture: { type: "week" as const, week }, words: text };
  const chart = plainCard({ kind: "report", tone: "neutral", title: text, summary: text, blocks: [picture] });
  const home = homeCards({
    first: firstOf(text, many),
    waiting: Array.from({ length: many }, (_, index) => {
      const kind = triggers[index % triggers.length] ?? "hiccup";
      const checkpoint = {
        ...pending,
        checkpointId: `cp-${index}`,
        trigger: kind,
        reasons: [{ trigger: kind, context: text }],
      };
      return { checkpoint, card: index < 8 ? card(checkpoint) : null };
    }),
    shownAt: at,
    batches: [batchOf(text, many, "held"), batchOf(text, many, "settled")],
    running: Array.from({ length: many }, () => ({ goal, state: "running" as const })),
    spentMicroUsd: 1,
    spentIsEstimated: true,
    dayCeilingMicroUsd: 2,
  });
  return {
    "checkpoint, open": card(pending),
    "checkpoint, as chat shows it": chatCard(card(pending), { dataDir: "/srv/cos", folders: ["/home/ana"] }),
    "checkpoint, asking people": { ...card(pending), asks: people(many) },
    "checkpoint, in brief": inBrief(card(pending), "cos-1"),
    "checkpoint, whole": wholeCard(card(pending)),
    "checkpoint, changed and paused": card({ ...pending, changed: text, pausedBy: text }),
    "checkpoint, permission": card({ ...pending, kind: "permission" }),
    "checkpoint, diff": card({ ...pending, kind: "diff" }),
    "checkpoint, escalation": card({ ...pending, kind: "escalation", options: goalOptions("escalation", []) }),
    "checkpoint, escalation of a command": checkpointCard({
      checkpoint: { ...pending, kind: "escalation", options: goalOptions("escalation", [], true) },
      goal,
      ceilingMicroUsd: 5_000_000,
      attempts: runsOf(text, many),
      held: null,
      brought: null,
    }),
    "checkpoint, command edited": card({
      ...pending,
      status: "approved",
      resolvedAt: at,
      chosenOption: editLabel,
      humanNotes: text,
    }),
    "checkpoint, modified": card({ ...pending, status: "approved", resolvedAt: at, chosenOption: "Modify" }),
    "notice, runs": earlierRunsCard(text, runsOf(text, many + 3)) ?? linesCard(text, []),
    "notice, limit": limitCard(goal, 3, at, { kind: "limit", error: text }),
    "notice, provider away": limitCard(goal, 3, at, { kind: "limit", error: text, isOutage: true }),
    "notice, push waits": limitCard(goal, 3, at, { kind: "push", error: text, isOutage: true }),
    "checkpoint, escalation seen": card({
      ...pending,
      kind: "escalation",
      options: goalOptions("escalation", []),
      acknowledgedBy: text,
      acknowledgedAt: at,
    }),
    "checkpoint, clarify": card({ ...pending, kind: "clarify", options: goalOptions("clarify", []) }),
    "checkpoint, breaker": card({ ...pending, kind: "breaker", options: goalOptions("breaker", []) }),
    ...campaignCards(text, pending, many),
    attempts: attemptsCard(goal, attemptsOf(text, many)),
    "reading, proposed": readingCard({
      ...reading(text, "proposed"),
      others: Array.from({ length: many }, () => ({ actor: text, compiled: { type: "skip" } as const })),
    }),
    "reading, unclear": readingCard({ ...reading(text, "unclear"), compiled: { type: "unclear", question: text } }),
    "reading, unread": readingCard({ ...reading(text, "unread"), compiled: null }),
    "reading, confirmed": readingCard(reading(text, "confirmed")),
    "reading, over": readingCard({ ...reading(text, "proposed"), over: "settled" }),
    "reading, question changed": readingCard({ ...reading(text, "proposed"), over: "changed" }),
    "checkpoint, approved": card(checkpointOf(text, "approved", many)),
    "checkpoint, rejected": card(checkpointOf(text, "rejected", many)),
    "checkpoint, expired": card(checkpointOf(text, "expired", many)),
    "checkpoint, superseded": card(checkpointOf(text, "superseded", many)),
    "checkpoint, plain": recoverCard(card(pending)),
    "checkpoint, outside its thread": outsideThread(card(pending), "Session on web: 3 of 9 goals complete", false),
    "goal, working": goalCard(goalFacts(goal, text, many)),
    "goal, at its ceiling": goalCard({
      ...goalFacts({ ...goal, status: "failed" }, text, many),
      again: {
        more: { estimateMicroUsd: 8_000_000, ceilingMicroUsd: 12_000_000 },
        sessionMicroUsd: null,
        day: null,
        tomorrow: new Date("2026-01-27T00:00:00Z"),
      },
    }),
    ...Object.fromEntries(
      [true, false].map((isTomorrow) => [
        `goal, at a day's ceiling${isTomorrow ? "" : " that is too low"}`,
        goalCard({
          ...goalFacts({ ...goal, status: "failed" }, text, many),
          again: {
            more: null,
            sessionMicroUsd: 20_000_000,
            day: { needMicroUsd: 500_000, leftMicroUsd: 200_000, ceilingMicroUsd: 30_000_000, isTomorrow },
            tomorrow: new Date("2026-01-27T00:00:00Z"),
          },
        }),
      ]),
    ),
    "goal, complete": goalCard(goalFacts({ ...goal, status: "complete" }, text, many)),
    "goals, their output changed": withChangedGoals(
      plainCard({ kind: "report", tone: "neutral", title: text, summary: text, blocks: [] }),
      Array.from({ length: many }, (_, index) => `goal-${String(index).padStart(8, "0")}`),
    ),
    "goal, its output changed": withChangedOutput(
      goalCard(goalFacts({ ...goal, status: "complete" }, text, many)),
      Array.from({ length: many }, (_, evidenceId) => ({ evidenceId, command: text })),
    ),
    "goal, proven": goalCard({ ...goalFacts({ ...goal, status: "complete" }, text, many), trials: [proofOf(text)] }),
    ...Object.fromEntries(
      (["due", "merging", "merged", "undone", "refused", "discarded"] as const).map((status) => {
        const merge = {
          status,
          into: text,
          by: text,
          dueAt: at,
          settledAt: null,
          resultCommit: "0123456789",
          outcome: text,
        };
        return [`goal, ${status}`, goalCard({ ...goalFacts({ ...goal, status: "complete" }, text, many), merge })];
      }),
    ),
    replay: replayCard(
      text,
      Array.from({ length: many }, (_, index) => ({
        taskId: `T${index}`,
        mode: "legacy" as const,
        verdict: "failed" as const,
        shellFirstSearches: null,
        unverifiableClaims: 1,
        criteria: 2,
        withEvidence: 1,
        costMicroUsd: 3,
        costIsEstimated: true,
        durationMs: 4,
      })),
    ),
    ...nightCards(text, pending, many),
    session: sessionCard({
      purpose: { type: "campaign", campaignId: "camp-1a2b3c4d", name: text, day: 2 },
      session: {
        sessionId: "as-1",
        status: "ended",
        stopping: false,
        inOrder: true,
        budgetMicroUsd: 1,
        pausedBy: text,
        endReason: text,
      },
      repositoryName: text,
      goals: Array.from({ length: many }, () => ({
        goalId: goal.goalId,
        content: text,
        status: "failed" as const,
        now: "failed",
        isAsked: true,
        waitsFor: [text],
        hasJoined: true,
        retriesAt: at,
      })),
      held: { waits: [goal.goalId], goesOn: [] },
      spentMicroUsd: 1,
      isEstimated: true,
    }),
    reminder: reminderCard({ checkpoint: pending, content: text }, [], { duty: people(30), second: null }),
    "reminder, with a second": reminderCard(
      { checkpoint: { ...pending, kind: "escalation" }, content: text },
      Array.from({ length: many }, () => ({ checkpoint: pending, content: text })),
      {
        duty: people(many),
        second: "slack:U0SECOND",
      },
    ),
    "revoked token": revokedTokenCard({ reason: text, next: text }),
    "refused process": refusedProcessCard(text, goal.goalId),
    stopped: stoppedCard(
      text,
      Array.from({ length: many }, () => ({ goalId: goal.goalId, content: text })),
    ),
    standup: standupCard(standupOf(text, many)),
    weekly: weeklyCard({ report, week, summary, waitsForPerson: many }),
    "weekly, long": weeklyReportCard(summary, week),
    chart,
    checkpoints: checkpointsCard(
      Array.from({ length: many }, () => ({ ...pending, reasons: [{ trigger: "ux_change" as const, context: text }] })),
      at,
    ),
    ...Object.fromEntries(
      (["held", "begun", "settled", "undone"] as const).map((status) => [
        `batch, ${status}`,
        batchOf(text, many, status),
      ]),
    ),
    goals: goalsCard(
      Array.from({ length: many }, () => ({
        goal,
        state: "idle" as const,
        backing: null,
        costMicroUsd: 1,
        costIsEstimated: true,
      })),
      { emptyHint: text, hasOlder: true },
    ),
    confirmation: confirmationCard(
      text,
      Array.from({ length: many }, () => text),
    ),
    "nothing planned": nothingPlannedCard(many),
    planned: plannedCard(
      Array.from({ length: many }, () => ({
        repositoryName: text,
        lines: [[text], [{ link: text, to: "/goals/goal-1" }]],
      })),
    ),
    lines: linesCard(
      text,
      Array.from({ length: many }, () => [{ strong: text }, { code: text }, text, { link: text, to: "/goals/goal-1" }]),
    ),
    diff: diffCard({
      goal: { goalId: goal.goalId, content: text, branch: text },
      commit: "0123456789abcdef",
      stat: { files: many, insertions: 1, deletions: 1 },
      files: Array.from({ length: many }, () => ({ path: text, status: "added" })),
      patch: text,
    }),
    ...questionCards(pending, goal, { text, many }),
    ...otherCards({ text, many }),
    ...Object.fromEntries(home.map((each, index) => [`home ${index}`, each])),
    ...Object.fromEntries(homeWithin(home, 4).map((each, index) => [`home of four, ${index}`, each])),
  };
}

const at = new Date("2026-01-26T09:00:00Z");

function batchOf(text: string, many: number, status: "held" | "begun" | "settled" | "undone"): Card {
  return batchCard({
    batchId: "ba-1a2b3c4d",
    choice: text,
    status,
    actor: text,
    via: "slack",
    askedAt: at,
    dueAt: at,
    undoneBy: text,
    questions: Array.from({ length: many * became.length }, (_, index) => ({
      became: became[index % became.length] ?? null,
      checkpoint: { ...checkpointOf(text, "pending", many), chosenOption: text, resolvedBy: text },
      content: index % 2 === 0 ? text : null,
    })),
  });
}

export function goalOf(text: string): Goal {
  return {
    goalId: "goal-1a2b3c4d",
    repositoryId: "repo-1",
    sessionId: "as-1",
    campaignId: null,
    campaignDay: null,
    milestoneId: null,
    position: 1,
    content: text,
    tags: [text],
    priority: "medium",
    tier: null,
    worklogFlags: null,
    estimatedMinutes: null,
    estimateMicroUsd: null,
    ceilingMicroUsd: null,
    linkage: { kind: "none" },
    linkedText: null,
    criteria: text,
    filesAllowed: [],
    proofAllowed: [],
    runCommand: text,
    taskParallel: null,
    taskSettings: null,
    instructions: [],
    isUnplanned: false,
    unplannedIn: null,
    after: [],
    parkedFor: null,
    blockedOn: null,
    joinedAt: null,
    errorCount: 0,
    recoveryLevel: 0,
    isHiccup: false,
    status: "in_progress",
    phase: "implement",
    turn: 1,
    interruptions: 0,
    wakeAt: at,
    leasedBy: "somebody",
    leasedUntil: at,
    stopRequested: null,
    runId: "run-1",
    branch: text,
    outcome: text,
    createdBy: text,
    requester: null,
    createdAt: at,
    updatedAt: at,
  };
}

export function checkpointOf(text: string, status: CheckpointStatus, many: number): GoalCheckpoint {
  const isSettled = status !== "pending";
  return {
    checkpointId: "cp-1a2b3c4d",
    kind: "start",
    subject: "goal-1a2b3c4d",
    goalId: "goal-1a2b3c4d",
    campaignId: null,
    runId: "run-1",
    version: 1,
    trigger: "ux_change",
    reasons: triggers.map((trigger) => ({ trigger, context: text })),
    context: text,
    options: [
      { label: "Proceed", description: text, effect: "continue", isRecommended: true },
      { label: "Skip", description: text, effect: "skip", isRecommended: false },
      { label: "Modify", description: text, effect: "modify", isRecommended: false },
      { label: "Pause", description: text, effect: "pause", isRecommended: false },
    ],
    recommendation: text,
    facts: {
      costMicroUsd: 1,
      costIsEstimated: true,
      estimateMicroUsd: 2,
      spentTodayMicroUsd: 3,
      goalsWaiting: 4,
      details: Array.from({ length: many }, () => text),
      fingerprint: null,
    },
    contentHash: "hash",
    status,
    chosenOption: isSettled ? text : null,
    humanNotes: null,
    resolvedBy: isSettled ? text : null,
    resolvedVia: isSettled ? "slack" : null,
    resolvedAt: isSettled ? at : null,
    createdAt: at,
    askedAt: at,
    remindedAt: null,
    expiresAt: new Date("2026-01-27T09:00:00Z"),
    pausedBy: null,
    acknowledgedBy: null,
    acknowledgedAt: null,
    changed: null,
  };
}

/** A criterion that failed without the work. */
function proofOf(command: string): TriedProof {
  const judged = { verdict: "proves", proving: ["rounds up"], guarding: 2, tests: 3, questions: [] } as const;
  return { id: "AC-1", command, again: null, trials: [], ...judged };
}

export function goalFacts(goal: Goal, text: string, many: number): Parameters<typeof goalCard>[0] {
  return {
    goal,
    state: goal.status === "complete" ? "ended" : "running",
    repositoryName: text,
    campaign: { campaignId: "camp-1a2b3c4d", name: text, day: 2, milestone: text },
    executor: text,
    costMicroUsd: 1,
    costIsEstimated: true,
    ceilingMicroUsd: 2,
    again: null,
    commit: "0123456789abcdef",
    tag: "claimed",
    tasks: Array.from({ length: many }, (_, index) => ({
      id: `T${index}`,
      title: text,
      status: "failed" as const,
      attempts: 2,
    })),
    ladder: { rung: 2, attempt: 1, ladder: 2, approach: text, source: text, attempts: attemptsOf(text, many) },
    merge: null,
    pull: {
      provider: "github",
      state: "open",
      number: 7,
      url: "https://github.com/ana/shop/pull/7",
      isDraft: true,
      endedBy: text,
      remarksWaiting: many,
      lastRemark: text,
      checks: {
        commit: "0".repeat(40),
        since: "2026-01-26T09:00:00Z",
        state: "failed",
        all: many,
        failed: [{ name: text, said: text, url: text }],
      },
      trouble: text,
    },
    stat: { files: many, insertions: 1, deletions: 2 },
    trials: [],
    trialsAreOff: true,
    noted: Array.from({ length: many }, () => ({ path: text, what: "structural setting" })),
    reached: Array.from({ length: many }, () => text),
    flat: null,
    agent: {
      unasked: Array.from({ length: many }, () => text),
      odd: text,
      silence: { minutes: 5, limit: text, until: at.toISOString() },
    },
    plan: Array.from({ length: many }, () => ({
      text,
      isDone: true,
      judgement: "claimed" as const,
      criterionId: "AC-1",
    })),
    criteria: Array.from({ length: many }, (_, index) => ({
      id: `AC-${index + 1}`,
      title: text,
      status: "fail" as const,
      method: "bash",
      details: [text],
      exitCode: 1,
      evidenceId: index,
    })),
    checks: Array.from({ length: many }, (_, index) => ({
      command: text,
      status: index % 2 === 0 ? ("pass" as const) : ("fail" as const),
      exitCode: index % 2,
      failedBefore: true,
      evidenceId: index,
    })),
    onTopOf: Array.from({ length: many }, () => ({
      goalId: "goal-5e6f7a8b",
      content: text,
      standing: "complete, verified",
      isReady: true,
    })),
    untaken: {
      type: "lacks",
      machines: Array.from({ length: many }, () => ({ machine: text, reason: text, next: text })),
      could: Array.from({ length: many }, () => text),
    },
    mergeFirst: Array.from({ length: many }, () => "goal-5e6f7a8b"),
    refusedCalls: Array.from({ length: many }, () => text),
    isolation: { shown: ["files"], next: "install bubblewrap (apt-get install bubblewrap)" },
    notFollowed: "guard-ended",
  };
}

function attemptsOf(text: string, many: number): Tried[] {
  return Array.from({ length: many }, (_, index) => ({
    ladder: 1,
    rung: 2,
    number: index + 1,
    approach: index % 2 === 0 ? text : `${text}${index}`,
    source: text,
    end: "work",
    error: text,
    fingerprint: "0123456789abcdef",
    criteria: [text],
    files: [text],
    commit: null,
    exitCode: null,
    output: `${text} asked`,
    costMicroUsd: 1,
    costIsEstimated: true,
    at,
  }));
}

function runsOf(text: string, many: number): Tried[] {
  return attemptsOf(text, many).map((each) => ({ ...each, approach: fixedCommand, exitCode: 3, output: text }));
}

function reading(text: string, status: ReadingFacts["status"]): ReadingFacts {
  const compiled = { type: "retry", instruction: text } as const;
  return { replyId: "rp-1a2b3c4d", actor: text, text, compiled, status, settledBy: text, over: null, others: [] };
}

function reportOf(text: string, many: number): ReportFacts {
  const line = { goalId: "goal-1a2b3c4d", content: text, outcome: text, tag: "claimed" as const };
  const lines = Array.from({ length: many }, () => line);
  return {
    from: "2026-01-26",
    to: "2026-01-26",
    done: lines,
    failed: lines,
    deferred: lines,
    manual: lines,
    parked: lines,
    waiting: Array.from({ length: many }, () => ({ checkpointId: "cp-1a2b3c4d", content: text, sinceMs: 1 })),
    planned: lines,
    limited: Array.from({ length: many }, () => ({
      goalId: "goal-1a2b3c4d",
      content: text,
      from: at,
      until: at.toISOString(),
    })),
    spentMicroUsd: 1,
    spentIsEstimated: true,
  };
}

/** A standup in which everything that there can be is there, as many times; what somebody wrote is `text`. */
export function standupOf(text: string, many: number): StandupFacts {
  const repeat = <Item>(item: (index: number) => Item): Item[] =>
    Array.from({ length: many }, (_, index) => item(index));
  const goalId = "goal-1a2b3c4d";
  const line = { goalId, content: text, outcome: text, tag: "claimed" } as const;
  const repository = { name: text, path: text, url: null, baseBranch: text, mirrorDir: text, machine: text };
  const place = { goalId, content: text, branch: text, headCommit: "0123456789", isBranchThere: true, repository };
  const branches = [null, "merged", "merging", "not-merged", "reverted", "branch-gone"] as const;
  const troubles = [
    { type: "missing" },
    { type: "broken", reason: text },
    { type: "no-base", branch: text },
    { type: "slow", unread: many },
  ] as const;
  const news = [
    { type: "merged-by-hand", held: "change", commit: "0123456789" },
    { type: "reverted", commit: "0123456789" },
    { type: "lost", isBranchThere: true },
    { type: "branch-gone" },
  ] as const;
  return {
    date: "2026-01-27",
    since: at,
    done: repeat((index) => ({ ...line, branch: branches[index % branches.length] ?? null })),
    failed: repeat(() => line),
    deferred: repeat(() => line),
    parked: repeat(() => line),
    manual: repeat(() => line),
    askedOf: repeat(() => "slack:U0ANA"),
    questions: repeat((index) => ({
      checkpointId: "cp-1a2b3c4d",
      kind: "escalation",
      goalId,
      content: text,
      repositoryName: text,
      context: text,
      recommended: { label: text, description: text, effect: "continue", isRecommended: true },
      sinceMs: index * 3_600_000,
      awakeMs: index * 60_000,
      expiresAt: at,
      goalsBehind: index,
      second: "slack:U0SECOND",
      seenBy: text,
    })),
    unmerged: repeat((index) => ({ ...line, sinceMs: index * 86_400_000 })),
    lateMerges: { number: many, afterMs: 3 * 86_400_000 },
    sessions: repeat(() => ({
      sessionId: "as-1a2b3c4d",
      repositoryName: text,
      kind: "plain",
      inOrder: false,
      isPaused: true,
      campaignId: null,
      pausedBy: text,
      goals: [{ goalId, status: "pending" }],
    })),
    older: { branches: many, manual: many, olderThanMs: 30 * 86_400_000 },
    working: repeat(() => ({ goalId, content: text, state: "retrying", isMerging: false, until: at })),
    merging: 0,
    noSpace: null,
    planned: repeat(() => ({ goalId, content: text, state: "pending" })),
    campaigns: repeat((index) => ({
      campaignId: "camp-1a2b3c4d",
      name: text,
      state: index % 2 === 0 ? "paused" : "active",
      startedAt: at,
      endedBy: null,
      day: 2,
      days: 5,
      milestonesDone: 1,
      milestonesOnWord: 1,
      milestones: 3,
      daysBehind: index,
      spentMicroUsd: 1,
      spentIsEstimated: true,
      budgetMicroUsd: 2,
      today: [text, text, text],
      goals: [{ goalId, content: text, isToday: false }],
      pausedBy: text,
      waitsFor: null,
    })),
    limited: repeat(() => ({ goalId, content: text, from: at, until: at.toISOString() })),
    spend: {
      sinceMicroUsd: 1,
      todayMicroUsd: 2,
      isEstimated: true,
      dayCeilingMicroUsd: 3,
      reserved: repeat(() => ({ goalId, content: text, leftMicroUsd: 4 })),
    },
    learnt: preferenceKeys.slice(0, many).map((key) => ({ key, reading: "neutral", isNew: true })),
    news: repeat((index) => ({ ...place, news: news[index % news.length] ?? { type: "branch-gone" } })),
    troubles: repeat((index) => ({ repository, trouble: troubles[index % troubles.length] ?? { type: "missing" } })),
  };
}

/** A week in which as many goals ended on its first day. */
function weekWith(many: number): Week {
  return weekOf({
    from: "2026-01-26",
    to: "2026-02-01",
    zone: "UTC",
    ended: Array.from({ length: many }, (_, index) => ({
      goalId: `goal-${index}`,
      at: new Date("2026-01-26T12:00:00Z"),
      type: (["complete", "failed", "deferred", "manual"] as const)[index % 4] ?? "complete",
      runId: "run-1",
      words: null,
      tag: "claimed" as const,
      wasExecuted: true,
      wasDecided: false,
      wasEscalated: index % 3 === 0,
    })),
    troubles: [],
    escalated: [],
    decisions: [],
    branches: { merged: many, discarded: many, reverted: many, undecided: many },
    spent: { "2026-01-26": many },
    spentIsEstimated: true,
    campaignsEnded: [],
    campaignsBefore: { numerator: 0, denominator: 0 },
    before: { complete: many, failed: many, spentMicroUsd: many },
    dayCeilingMicroUsd: 1,
    leftOut: { numerator: many, denominator: many },
  });
}

function campaignCards(text: string, pending: GoalCheckpoint, many: number): Record<string, Card> {
  const campaign = {
    campaignId: "camp-1a2b3c4d",
    name: text,
    currentDay: 1,
    startedAt: at,
    endedBy: null,
    totalBudgetMicroUsd: 50,
    replanCount: 2,
    endReason: text,
  };
  const goals = Array.from({ length: many }, () => ({
    goalId: "goal-1a2b3c4d",
    content: text,
    status: "complete" as const,
    tag: "verified" as const,
    workedOn: 1,
  }));
  const list = {
    repositoryName: text,
    milestones: Array.from({ length: many }, () => ({
      milestoneId: "ms-1",
      name: text,
      status: "done" as const,
      targetDay: 2,
      completedBy: text,
    })),
    days: Array.from({ length: many }, (_, index) => ({
      dayNumber: index + 1,
      date: "2026-01-26",
      status: "done" as const,
      goals: [],
    })),
    today: goals.map((each) => ({ ...each, backing: { tag: each.tag } })),
    daysBehind: 2,
    spentMicroUsd: 1,
    spentIsEstimated: true,
    waitsFor: "cp-1a2b3c4d",
    withoutMoneyOn: "2026-01-30",
    awaiting: [{ goalId: "goal-1a2b3c4d", content: text, phase: "implement" as const, wakeAt: at }],
    first: firstOf(text, many),
  };
  const question = (kind: CampaignQuestion) => ({
    ...pending,
    kind,
    goalId: null,
    campaignId: campaign.campaignId,
    options: campaignOptions(kind, "day"),
    pausedBy: text,
  });
  const tuned = { key: "thresholds.singleMicroUsd", wasMicroUsd: 5_000_000, nowMicroUsd: 6_000_000 } as const;
  const policyQuestion = {
    ...pending,
    kind: "tuning" as const,
    goalId: null,
    options: policyOptions(),
    changes: [tuned, { ...tuned, key: "thresholds.dayMicroUsd" as const }],
  };
  const result = {
    day: 1,
    goalsCompleted: many,
    goals: many,
    costMicroUsd: 1,
    costIsEstimated: true,
    progress: 0.5,
    carried: many,
  };
  const planned = { goalId: "goal-1a2b3c4d", milestoneId: null, request: requestOf(text) };
  const diff = {
    days: Array.from({ length: many }, (_, index) => ({
      dayNumber: index + 1,
      type: "kept" as const,
      budgetMicroUsd: { from: 1, to: 2 },
      goals: [{ type: "moved" as const, goal: planned, fromDay: 9 }],
    })),
    milestones: Array.from({ length: many }, () => ({ type: "moved" as const, name: text, fromDay: 1, toDay: 2 })),
  };
  return {
    ...Object.fromEntries(
      campaignStates.map((state) => [
        `campaign, ${state}`,
        campaignCard({ ...list, campaign: { ...campaign, state, pausedBy: state === "paused" ? text : null } }),
      ]),
    ),
    ...Object.fromEntries(
      campaignQuestions.flatMap((kind) => [
        [`campaign question, ${kind}`, campaignQuestionCard({ checkpoint: question(kind), campaign, brought: null })],
        [
          `campaign question, ${kind}, expired`,
          campaignQuestionCard({
            checkpoint: { ...question(kind), status: "expired", resolvedAt: at },
            campaign,
            brought: broughtOf(text),
          }),
        ],
      ]),
    ),
    "policy question": tuningCard(policyQuestion),
    "policy question, expired": tuningCard({ ...policyQuestion, status: "expired", resolvedAt: at }),
    policy: policyCard(
      policyKeys.map((key) => ({ key, microUsd: 6_000_000, defaultMicroUsd: 5_000_000 })),
      Array.from({ length: many }, (_, index) => ({
        ...tuned,
        changeNo: index + 1,
        checkpointId: index % 2 === 0 ? "cp-1" : null,
        rolledBackTo: index % 2 === 0 ? null : 1,
        actor: text,
        at,
      })),
    ),
    "campaign, status": campaignStatusCard(
      campaignCard({ ...list, campaign: { ...campaign, state: "active", pausedBy: null } }),
      {
        days: Array.from({ length: many }, (_, index) => ({
          day: index + 1,
          date: "2026-01-26",
          status: "done",
          goals,
          budgetUsd: 1,
          actualCostUsd: 1,
          costIsEstimated: true,
        })),
        next: nextDayWords({ type: "rest", reason: "day's ceiling" }, { campaignId: "camp-1a2b3c4d", nextDayAt: at }),
        asked: Array.from({ length: many }, () =>
          waitingItem({ checkpointId: "cp-1", kind: "start", options: goalOptions("start", []), createdAt: at }, text),
        ),
        state: "active",
      },
    ),
    "campaign, list": campaignListCard(
      Array.from({ length: many }, () => ({
        ...campaign,
        ...list,
        state: "active" as const,
        pausedBy: null,
        spentUsd: 1,
        totalBudgetUsd: 2,
      })),
      many,
    ),
    "campaign, day over": dayOverCard({ name: text, days: 5, result: { ...result, onWord: 1 }, goals }),
    "campaign, replanned": replanCard({ name: text, by: text, why: text, diff, notes: [text] }),
  };
}

function nightCards(text: string, pending: GoalCheckpoint, many: number): Record<string, Card> {
  const goal = {
    goalId: "goal-1a2b3c4d",
    content: text,
    status: "failed" as const,
    outcome: text,
    tag: "claimed" as const,
    part: "failed" as const,
    isUndecided: false,
    runCommand: null,
  };
  const goals = Array.from({ length: many }, () => goal);
  const night = { nightId: "night-1a2b3c4d", budgetMicroUsd: 2, goals };
  return {
    "night, evening": eveningCard({
      ...night,
      goals: goals.map((each) => ({
        ...each,
        now: "failed",
        isAsked: true,
        waitsFor: [text],
        hasJoined: true,
        retriesAt: at,
      })),
      startedBy: text,
      untilAt: at,
      allowed: [text],
      questions: many,
      spentMicroUsd: 1,
      spentIsEstimated: true,
      isOpen: true,
    }),
    "night, morning": morningCard({
      ...night,
      endReason: text,
      decisions: Array.from({ length: Math.max(1, many) }, () => pending),
      first: firstOf(text, many),
      cleared: 1,
      spentMicroUsd: 1,
      spentIsEstimated: true,
    }),
    "night, morning without a question": morningCard({
      ...night,
      endReason: text,
      decisions: [],
      first: { type: "look", goal, goals: many },
      cleared: 1,
      spentMicroUsd: 1,
      spentIsEstimated: true,
    }),
  };
}

function firstOf(text: string, many: number): Recommendation {
  return recommend(standupOf(text, Math.max(1, many)));
}

/** Active campaigns of that name, each with a day of goals of that text. */
function campaignsOf(text: string, many: number): WeeklyCampaign[] {
  const request = requestOf(text);
  return Array.from({ length: many }, () => ({
    campaign: { name: text, state: "active" as const, currentDay: 1, startedAt: at, endedAt: null, pausedBy: null },
    milestones: [{ status: "pending" as const, completedAt: null, completedBy: null }],
    days: [{ dayNumber: 1, goals: [{ goalId: "goal-1a2b3c4d", milestoneId: null, request }] }],
    statuses: new Map(),
  }));
}

function requestOf(text: string) {
  return {
    content: text,
    tags: [],
    costUsd: null,
    priority: "medium" as const,
    minutes: null,
    linkage: { kind: "none" as const },
    criteriaPath: null,
    tier: null,
    run: null,
    isUnplanned: false,
    allow: [],
    allowProof: [],
    tasksPath: null,
    parallel: 1,
  };
}

/** Half of them in Slack, half in Discord; people and groups. */
function people(many: number): string[] {
  return Array.from({ length: many }, (_, index) => [
    `slack:${index % 3 === 0 ? "S" : "U"}0PERSON${index}`,
    `discord:${index % 3 === 0 ? "@" : ""}9000000000000${String(index).padStart(5, "0")}`,
  ]).flat();
}
