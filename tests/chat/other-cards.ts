import { accountCard } from "../../src/core/cards/account-card.ts";
import type { Card } from "../../src/core/cards/card.ts";
import { checkpointCard } from "../../src/core/cards/checkpoint-card.ts";
import { criticsCard } from "../../src/core/cards/critics-card.ts";
import { episodesCard } from "../../src/core/cards/episode-card.ts";
import { mergeQueueCard } from "../../src/core/cards/merge-queue-card.ts";
import { movedCard } from "../../src/core/cards/moved-card.ts";
import { unknownCallerCard, warningCard } from "../../src/core/cards/notices.ts";
import { preferencesCard } from "../../src/core/cards/preferences-card.ts";
import { rehearsalCard } from "../../src/core/cards/rehearsal-card.ts";
import { enoughCard, shortageCard } from "../../src/core/cards/space-cards.ts";
import { withTally } from "../../src/core/cards/tally.ts";
import { verdictCard } from "../../src/core/cards/verdict-card.ts";
import {
  earlierWorkCard,
  lateCard,
  mismatchCard,
  phaseCard,
  worklogNoticeCard,
} from "../../src/core/cards/worklog-cards.ts";
import { type ShownWorklog, worklogCard, worklogsCard } from "../../src/core/cards/worklog-lists.ts";
import type { GoalCheckpoint, GoalQuestion } from "../../src/core/checkpoints/checkpoint.ts";
import { goalOptions } from "../../src/core/checkpoints/options.ts";
import type { Goal } from "../../src/core/goals/goal.ts";
import { preferenceKeys } from "../../src/core/memory/preferences.ts";
import { outcomes } from "../../src/core/worklog/finish.ts";
import { noWorklogFlags } from "../../src/core/worklog/flags.ts";
import { resolutions } from "../../src/core/worklog/verification.ts";

/** Cards of what is remembered, of worklogs, critics, merges and space, as `everyCard` makes the others. */

const at = new Date("2026-01-26T09:00:00Z");
const goalId = "goal-1a2b3c4d";

interface Made {
  readonly text: string;
  readonly many: number;
}

function repeat<Item>(many: number, item: (index: number) => Item): Item[] {
  return Array.from({ length: many }, (_, index) => item(index));
}

/** Another kind of question is one more row here, or this does not compile. */
export const questionKinds: Readonly<Record<GoalQuestion, true>> = {
  start: true,
  continue: true,
  diff: true,
  permission: true,
  hiccup: true,
  proof: true,
  critics: true,
  approval: true,
  clarify: true,
  escalation: true,
  breaker: true,
  ceiling: true,
};

/** A question of each kind, and one with votes. */
export function questionCards(pending: GoalCheckpoint, goal: Goal, { text, many }: Made): Record<string, Card> {
  // Every key is a kind of question.
  const kinds = Object.keys(questionKinds) as GoalQuestion[];
  const votes = repeat(many, () => ({ actor: text, via: "discord" }));
  const tally = { lines: [{ needed: many, votes: 0, of: repeat(many, () => text), withoutRequester: true }], votes };
  const made = kinds.map((kind): [string, Card] => {
    const checkpoint = { ...pending, kind, options: goalOptions(kind, pending.reasons, kind === "hiccup") };
    return [
      `question, ${kind}`,
      checkpointCard({ checkpoint, goal, ceilingMicroUsd: 5_000_000, attempts: [], held: null, brought: null }),
    ];
  });
  const [[, first] = []] = made;
  if (first === undefined) throw new Error("no question");
  return {
    ...Object.fromEntries(made),
    "question, with votes": withTally(first, pending, tally),
    "question, settled by votes": withTally(first, { status: "approved" }, tally),
  };
}

export function otherCards(made: Made): Record<string, Card> {
  const { text, many } = made;
  const places = repeat(many, () => ({
    place: "database" as const,
    folder: text,
    freeBytes: 1,
    needBytes: 2,
    isShort: true,
  }));
  const queue = {
    into: text,
    repositoryName: text,
    requestedBy: text,
    branches: (["waits", "verifies", "returned", "merges", "merged", "left-out"] as const).flatMap((state) =>
      repeat(many, () => ({ goalId, content: text, state, reason: text, tip: text, dueAt: at })),
    ),
  };
  return {
    "caller, unknown": unknownCallerCard(text, "console"),
    moved: movedCard({ kind: "checkpoint", title: text }, goalId),
    warning: warningCard(text, text),
    "space, too little": shortageCard({
      machine: text,
      places,
      holders: repeat(many, () => ({ goalId, bytes: 1e12 })),
    }),
    "space, enough": enoughCard({ machine: text, places, since: at }),
    "merge queue": mergeQueueCard({ ...queue, endReason: null, isOver: false }),
    "merge queue, over": mergeQueueCard({ ...queue, endReason: text, isOver: true }),
    ...rememberedCards(made),
    ...criticCards(made),
    ...worklogCards(made),
  };
}

function rememberedCards({ text, many }: Made): Record<string, Card> {
  const episode = {
    episodeId: "ep-1a2b3c4d",
    episodeNo: 1,
    runId: "run-1",
    goalId,
    repositoryId: "repo-1",
    at,
    goal: { content: text, tags: [text], linkage: { kind: "none" as const } },
    actions: [{ type: "attempt" as const, description: text, result: text, costMicroUsd: 1 }],
    outcome: { isSuccess: false, goalStatus: "failed" as const, error: text, artifacts: [text] },
    reflection: text,
    reflectedBy: text,
    recoveryLevel: 4,
    costMicroUsd: 1,
    costIsEstimated: true,
    durationSeconds: 1,
    tags: [text],
    approvalResponse: "modified" as const,
    originalRecommendation: text,
    humanModification: text,
    toldDone: 1,
    toldInVain: 1,
  };
  const change = {
    key: "risk_tolerance" as const,
    was: 0.5,
    now: 0.6,
    answer: { checkpointId: "cp-1a2b3c4d", choice: text, trigger: "ux_change" },
    rolledBackTo: null,
    by: text,
    at,
  };
  const range = { lowMicroUsd: 1, likelyMicroUsd: 2, highMicroUsd: 3 };
  const expected = { low: 1, likely: 2, high: 3 };
  return {
    episodes: episodesCard(repeat(many, () => episode)),
    preferences: preferencesCard(
      preferenceKeys.map((key) => ({ key, valueMilli: 500, samples: many })),
      repeat(many, (changeNo) =>
        changeNo % 2 === 0 ? { ...change, changeNo } : { ...change, changeNo, answer: null, rolledBackTo: 1 },
      ),
    ),
    rehearsal: rehearsalCard(
      { name: text, totalBudgetMicroUsd: 5 },
      {
        cost: range,
        days: repeat(many, (dayNumber) => ({ dayNumber, cost: range, budgetMicroUsd: 4, reached: "likely" as const })),
        total: { type: "likely", dayNumber: 2 },
        certain: [
          ...repeat(many, () => ({ type: "milestone" as const, dayNumber: 1, milestoneId: "ms-1", name: text })),
          ...repeat(many, () => ({
            type: "goal" as const,
            dayNumber: 1,
            goalId,
            content: text,
            triggers: ["ux_change" as const],
          })),
        ],
        during: { type: "expected", ...expected, kinds: [{ kind: "diff", count: 2 }], atNight: 0.5 },
        sure: { level: "rough", runs: 3, isAlike: false },
      },
    ),
    account: accountCard(
      {
        lines: (["capture", "verification", "corrections", "skipping", "tokens"] as const).map((name) => ({
          name,
          value: 0.5,
          of: [1, 2] as const,
          target: text,
          isMet: false,
        })),
        active: 1,
        mostActive: 2,
        isNearLimit: true,
        tokensOfUsualMix: 3,
      },
      30,
    ),
  };
}

function criticCards({ text, many }: Made): Record<string, Card> {
  const score = {
    critic: text,
    focus: "style" as const,
    score: 0.5,
    isApproved: false,
    issues: [text],
    suggestions: [text],
    reasoning: text,
    by: text,
  };
  const verdict = {
    artifactType: "code" as const,
    artifactId: text,
    isVetoed: true,
    scores: repeat(many, () => score),
    blockingIssues: repeat(many, () => text),
    issues: repeat(many, () => text),
    summary: text,
    needsPerson: true,
  };
  return {
    critics: criticsCard(
      repeat(many, () => ({ critic: text, hasVeto: true, weight: 1, right: 1, wrong: 2, proposedWeight: 0.5 })),
    ),
    "verdict, refused": verdictCard({ ...verdict, isApproved: false }),
    "verdict, approved": verdictCard({ ...verdict, isApproved: true }),
  };
}

function worklogCards({ text, many }: Made): Record<string, Card> {
  const goal = { goalId, content: text };
  const earlier = {
    session_id: text,
    outcome: "abandoned" as const,
    task_description: text,
    started_at: at.toISOString(),
    restore_command: text,
  };
  const summary = {
    phase: "execution_complete" as const,
    timestamp: at.toISOString(),
    operations_since_last: 1,
    files_modified: repeat(many, () => text),
    todos_completed: 1,
    todos_remaining: 2,
    deviations: repeat(many, () => ({
      type: "test_failure" as const,
      description: text,
      severity: "high" as const,
    })),
    verification_results: { passed: 1, failed: 2, skipped: 3 },
  };
  const check = { sessionId: text, goalId, content: text, details: text, options: ["retry", ...resolutions] as const };
  const worklog: ShownWorklog = {
    sessionId: text,
    goalId,
    taskDescription: text,
    tier: "STRICT",
    reason: text,
    outcome: "failure",
    startedAt: at,
    flags: { ...noWorklogFlags, noWorklog: true, skipVerify: true },
    unstored: 1,
    gap: text,
    hasRaw: false,
    planned: [],
    summary: { total_operations: 1 },
  };
  const entry = {
    action: "Bash" as const,
    timestamp: at.toISOString(),
    status: "failed" as const,
    context: text,
    tokens_consumed: 1,
    details: { command_type: "test" as const, exit_code: 1 },
  };
  return {
    "worklog, earlier work": earlierWorkCard(earlier, goalId),
    "worklog, earlier work, settled": earlierWorkCard(earlier, goalId, text),
    "worklog, phase": phaseCard(summary, goal),
    "worklog, late": lateCard(summary.deviations, goal),
    "worklog, notice": worklogNoticeCard(
      repeat(many, () => text),
      goal,
    ),
    "worklog, mismatch": mismatchCard(check),
    "worklog, mismatch, settled": mismatchCard(check, text),
    worklogs: worklogsCard(
      repeat(many, (index) => ({ ...worklog, outcome: outcomes[index % outcomes.length] ?? "success" })),
    ),
    worklog: worklogCard(worklog, {
      entries: repeat(many * 2, () => entry),
      todos: repeat(many, () => ({ id: "t1", content: text, status: text })),
    }),
  };
}
