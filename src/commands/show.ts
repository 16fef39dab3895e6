import { contextOf } from "../core/checkpoints/question.ts";
import { linesCard, checkpointsCard, goalsCard } from "../core/cards/lists.ts";
import { goalCard } from "../core/cards/goal-card.ts";
import { timelineWords } from "../core/cards/timeline-words.ts";
import { formatTime, type Span } from "../core/cards/card.ts";
import { goalStatuses, stateOf } from "../core/goals/goal.ts";
import { decideStart } from "../core/goals/start.ts";
import { formatUsd, toUsd } from "../core/money.ts";
import { localDate } from "../core/time.ts";
import { firstLine } from "../core/text.ts";
import { listDecisions, listForGoal, listPending, openSubjects } from "../db/checkpoints.ts";
import { listEvidence } from "../db/evidence.ts";
import { getGoal, listGoals, waitingGoals } from "../db/goals.ts";
import { findRepository, listRepositories } from "../db/repositories.ts";
import { getRun } from "../db/runs.ts";
import { listOpenSessions } from "../db/sessions.ts";
import { dayTotal, goalTotal } from "../db/spend.ts";
import { goalTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { gatherGoalCard } from "../turns/say.ts";
import { gatherStart } from "../turns/start.ts";
import {
  choiceOption,
  type Caller,
  type Command,
  type CommandResult,
  done,
  type Given,
  option,
  refused,
  word,
} from "./command.ts";
import { goalNotFound } from "./goal-change.ts";

const id = { name: "id", required: true };

export const goals: Command = {
  name: "goals",
  summary: "The goals, in the order in which they were added.",
  access: "read",
  positionals: [],
  options: {
    status: { value: "S", description: goalStatuses.join(", ") },
    repo: { value: "N", description: "only this repository" },
  },
  run: showGoals,
};

export const goalShow: Command = {
  name: "goal show",
  summary: "One goal with its criteria and evidence.",
  access: "read",
  positionals: [id],
  options: {},
  run: showGoal,
};

export const why: Command = {
  name: "why",
  summary: "What happened to a goal, hop by hop, and what it waits for.",
  access: "read",
  positionals: [id],
  options: {},
  run: showWhy,
};

export const checkpoints: Command = {
  name: "checkpoints",
  summary: "The questions that wait for an answer.",
  access: "read",
  positionals: [],
  options: {},
  run: showCheckpoints,
};

export const plan: Command = {
  name: "plan",
  summary: "What the next session would run and ask, without starting it.",
  access: "read",
  positionals: [],
  options: {},
  run: showPlan,
};

export const status: Command = {
  name: "status",
  summary: "What runs, what waits for whom, what today costs.",
  access: "read",
  positionals: [],
  options: {},
  run: showStatus,
};

async function showGoals(deps: Deps, _caller: Caller, given: Given): Promise<CommandResult> {
  const { db } = deps.database;
  const wanted = choiceOption(given, "status", goalStatuses);
  const name = option(given, "repo");
  const repository = name === null ? null : await findRepository(db, name);
  if (name !== null && repository === null)
    return refused(`no repository is called ${JSON.stringify(name)}`, "cos repo list");
  const rows = await listGoals(db, {
    ...(wanted === null ? {} : { status: wanted }),
    ...(repository === null ? {} : { repositoryId: repository.repositoryId }),
  });
  const open = await openSubjects(
    db,
    rows.map((goal) => goal.goalId),
  );
  const lines = [];
  for (const goal of rows) {
    const cost = await goalTotal(db, goal.goalId);
    lines.push({ goal, state: stateOf(goal, open.has(goal.goalId), deps.now()), costMicroUsd: cost.spentMicroUsd });
  }
  const value = lines.map(({ goal, state, costMicroUsd }) => ({
    goalId: goal.goalId,
    content: goal.content,
    status: goal.status,
    state,
    priority: goal.priority,
    tags: goal.tags,
    costUsd: toUsd(costMicroUsd),
    sessionId: goal.sessionId,
  }));
  return done(value, goalsCard(lines, "Add one: cos goal add TEXT"));
}

async function showGoal(deps: Deps, _caller: Caller, given: Given): Promise<CommandResult> {
  const goalId = word(given, "id");
  const facts = await gatherGoalCard(deps.database.db, deps, goalId);
  if (facts === null) return goalNotFound(goalId);
  const { db } = deps.database;
  const { goal } = facts;
  const kept = await listEvidence(db, goalId);
  const questions = await listForGoal(db, goalId);
  const run = goal.runId === null ? null : await getRun(db, goal.runId);
  const pending = questions.find((each) => each.status === "pending");
  const value = {
    goalId,
    content: goal.content,
    status: goal.status,
    state: facts.state,
    phase: goal.phase,
    turn: goal.turn,
    recoveryLevel: goal.recoveryLevel,
    errorCount: goal.errorCount,
    tier: goal.tier,
    priority: goal.priority,
    tags: goal.tags,
    repository: facts.repositoryName,
    sessionId: goal.sessionId,
    runId: goal.runId,
    costUsd: toUsd(facts.costMicroUsd),
    costIsEstimated: facts.costIsEstimated,
    ceilingUsd: toUsd(facts.ceilingMicroUsd),
    estimatedCostUsd: goal.estimateMicroUsd === null ? null : toUsd(goal.estimateMicroUsd),
    checkpointId: pending?.checkpointId ?? null,
    checkpoints: questions.map(({ checkpointId, kind, trigger, status, chosenOption, resolvedBy }) => ({
      checkpointId,
      kind,
      trigger,
      status,
      chosenOption,
      resolvedBy,
    })),
    branch: goal.branch,
    baseCommit: run?.baseCommit ?? null,
    commit: run?.headCommit ?? null,
    outcome: goal.outcome,
    error: goal.status === "failed" ? goal.outcome : null,
    instructions: goal.instructions,
    criteria: [],
    evidence: kept.map(({ evidenceId, kind, command, exitCode, commit, at, sha256, tag, outputFile }) => ({
      evidenceId,
      kind,
      command,
      exitCode,
      commit,
      at,
      sha256,
      tag,
      outputFile,
    })),
  };
  return done(value, goalCard(facts));
}

async function showWhy(deps: Deps, _caller: Caller, given: Given): Promise<CommandResult> {
  const goalId = word(given, "id");
  const { db } = deps.database;
  const goal = await getGoal(db, goalId);
  if (goal === null) return goalNotFound(goalId);
  const rows = await goalTimeline(db, goalId);
  const open = (await listForGoal(db, goalId)).find((each) => each.status === "pending");
  const state = stateOf(goal, open !== undefined, deps.now());
  const decisions = open === undefined ? [] : await listDecisions(db, open.checkpointId);
  const lines: Span[][] = rows.map((row) => [{ at: row.at.toISOString() }, ` ${timelineWords(row)}`]);
  const waits = whatItWaitsFor(state, open?.checkpointId ?? null, goal.outcome);
  const value = {
    goalId,
    status: goal.status,
    state,
    waitsFor: waits,
    checkpointId: open?.checkpointId ?? null,
    decisions,
    timeline: rows,
  };
  return done(value, linesCard(`${firstLine(goal.content, 80)}: ${waits}`, lines));
}

/** The hop that is missing, in words. */
function whatItWaitsFor(
  state: ReturnType<typeof stateOf>,
  checkpointId: string | null,
  outcome: string | null,
): string {
  switch (state) {
    case "waiting":
      return `waits for an answer to ${checkpointId ?? "a question"}: cos checkpoints`;
    case "running":
      return "is being worked now";
    case "ready":
      return "is ready and waits for a worker: is one running? cos doctor";
    case "retrying":
      return "waits for its time";
    case "parked":
      return outcome ?? "is parked until a person resumes it";
    case "idle":
      return "waits for a session or for the goals before it: cos autopilot status";
    case "ended":
      return outcome ?? "has ended";
  }
}

async function showCheckpoints(deps: Deps): Promise<CommandResult> {
  const pending = await listPending(deps.database.db);
  const value = pending.map((each) => ({
    checkpointId: each.checkpointId,
    version: each.version,
    kind: each.kind,
    goalId: each.goalId,
    campaignId: each.campaignId,
    triggers: each.reasons.map((reason) => reason.trigger),
    context: each.context,
    reasons: each.reasons,
    options: each.options,
    recommendation: each.recommendation,
    status: each.status,
    facts: each.facts,
    createdAt: each.createdAt,
    expiresAt: each.expiresAt,
  }));
  return done(value, checkpointsCard(pending));
}

async function showPlan(deps: Deps): Promise<CommandResult> {
  const { db } = deps.database;
  const value = [];
  const lines: Span[][] = [];
  for (const repository of await listRepositories(db)) {
    for (const goal of await waitingGoals(db, repository.repositoryId)) {
      const decision = decideStart(await gatherStart(db, deps, goal), deps.policy);
      const asks =
        decision.type === "ask" ? decision.reasons.map((trigger) => contextOf(trigger, goal, deps.policy)) : [];
      value.push({
        goalId: goal.goalId,
        repository: repository.name,
        content: goal.content,
        decision: decision.type,
        asks,
      });
      const what =
        decision.type === "ask"
          ? `asks first: ${asks.join("; ")}`
          : decision.type === "manual"
            ? "is left to a person (no agent, no --run)"
            : decision.type === "refuse"
              ? "is refused: not enough budget"
              : "runs";
      lines.push([{ link: goal.goalId, to: `/goals/${goal.goalId}` }, ` ${firstLine(goal.content, 80)}: ${what}`]);
    }
  }
  const title = value.length === 0 ? "No goal is pending: cos goal add TEXT" : "The next session, in this order";
  return done(value, linesCard(title, lines));
}

async function showStatus(deps: Deps): Promise<CommandResult> {
  const { db } = deps.database;
  const sessions = await listOpenSessions(db);
  const pending = await listPending(db);
  const all = await listGoals(db, {});
  const today = await dayTotal(db, localDate(deps.now(), deps.config.timezone));
  const counts = Object.fromEntries(
    goalStatuses.map((each) => [each, all.filter((goal) => goal.status === each).length]),
  );
  const running = all.filter((goal) => goal.leasedBy !== null);
  const spent = `${formatUsd(today.spentMicroUsd)} of ${formatUsd(deps.policy.ceilings.dayMicroUsd)}${today.isEstimated ? " (estimated)" : ""}`;
  const lines: Span[][] = [
    ...sessions.map((session) => [`Session ${session.sessionId} is ${session.status}`]),
    ...(sessions.length === 0 ? [["No session is open: cos autopilot start"]] : []),
    ...running.map((goal) => [
      { strong: "working " },
      { link: goal.goalId, to: `/goals/${goal.goalId}` },
      ` ${firstLine(goal.content, 80)}`,
    ]),
    ...pending.map((each) => [
      { strong: "waits for you " },
      { code: each.checkpointId },
      ` ${firstLine(each.context, 100)}, since ${formatTime(each.createdAt, deps.config.timezone)}`,
    ]),
    [
      `Goals: ${
        goalStatuses
          .filter((each) => (counts[each] ?? 0) > 0)
          .map((each) => `${counts[each]} ${each}`)
          .join(", ") || "none"
      }`,
    ],
    [`Spent today: ${spent}`],
  ];
  const value = {
    sessions: sessions.map(({ sessionId, status, repositoryId }) => ({ sessionId, status, repositoryId })),
    running: running.map((goal) => goal.goalId),
    pendingCheckpoints: pending.map((each) => each.checkpointId),
    goals: counts,
    spentTodayUsd: toUsd(today.spentMicroUsd),
    dayCeilingUsd: toUsd(deps.policy.ceilings.dayMicroUsd),
  };
  return done(value, linesCard(pending.length === 0 ? "Status" : `Status: ${pending.length} waiting for you`, lines));
}
