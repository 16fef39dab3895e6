import { questionBlock } from "../core/cards/lists.ts";
import { goalCard, timesBlock } from "../core/cards/goal-card.ts";
import { toldBlocks } from "../core/cards/told-block.ts";
import { toUsd } from "../core/money.ts";
import { listForGoal } from "../db/checkpoints.ts";
import { consultationsOf } from "../db/consultations.ts";
import { listEvidence } from "../db/evidence.ts";
import { buildersOf } from "../db/grounds.ts";
import { getRun } from "../db/runs.ts";
import { tasksOf } from "../db/tasks.ts";
import { worklogsOfGoal } from "../db/worklogs.ts";
import { orNothing } from "../turns/shared/worklog/within.ts";
import { flagWords, noWorklogFlags } from "../core/worklog/flags.ts";
import { tierOf } from "../core/worklog/tier.ts";
import type { Deps } from "../deps.ts";
import { withChangedOutput } from "../core/cards/changed-output.ts";
import { changedAmong, keptStates } from "../facts/kept-output.ts";
import { toldOf } from "../facts/told.ts";
import { gatherGoalCard } from "../projection/goal.ts";
import { goalNotFound } from "./goal-change.ts";
import { command, type CommandResult, done } from "./command.ts";
import { idOf } from "./fields.ts";
import {
  consultationValue,
  criterionValue,
  evidenceValue,
  pullValue,
  questionValue,
  taskValue,
} from "./goal-values.ts";

export const goalShow = command({
  name: "goal show",
  summary: "One goal with its criteria and evidence.",
  access: "read",
  positionals: { id: idOf("goal") },
  run: (deps, _caller, { id }) => showGoal(deps, id),
});

async function showGoal(deps: Deps, goalId: string): Promise<CommandResult> {
  const facts = await gatherGoalCard(deps.database.db, deps, goalId);
  if (facts === null) return goalNotFound(goalId);
  const { db } = deps.database;
  const { goal } = facts;
  const kept = await listEvidence(db, goalId);
  const questions = await listForGoal(db, goalId);
  const run = goal.runId === null ? null : await getRun(db, goal.runId);
  const isOutput = ({ kind }: (typeof kept)[number]): boolean => kind !== "trial";
  const outputs = await keptStates(deps, kept.filter(isOutput));
  const pending = questions.find((each) => each.status === "pending");
  const tier = tierOf(goal);
  const times = { addedAt: goal.createdAt, beganAt: run?.startedAt ?? null, endedAt: run?.endedAt ?? null };
  const worklogs = await orNothing(deps, (tx) => worklogsOfGoal(tx, goalId));
  const told = await toldOf(db, goal, questions);
  const value = {
    goalId,
    content: goal.content,
    status: goal.status,
    state: facts.state,
    phase: goal.phase,
    turn: goal.turn,
    recoveryLevel: goal.recoveryLevel,
    errorCount: goal.errorCount,
    tier: tier.tier,
    tierConfidence: tier.confidence,
    tierReason: tier.reason,
    worklogFlags: flagWords(goal.worklogFlags ?? noWorklogFlags),
    worklogs: worklogs?.map(({ sessionId, outcome, unstored }) => ({ sessionId, outcome, unstored })) ?? null,
    priority: goal.priority,
    tags: goal.tags,
    repository: facts.repositoryName,
    campaign: facts.campaign,
    sessionId: goal.sessionId,
    runId: goal.runId,
    costUsd: toUsd(facts.costMicroUsd),
    costIsEstimated: facts.costIsEstimated,
    ceilingUsd: toUsd(facts.ceilingMicroUsd),
    estimatedCostUsd: goal.estimateMicroUsd === null ? null : toUsd(goal.estimateMicroUsd),
    checkpointId: pending?.checkpointId ?? null,
    checkpoints: questions.map(questionValue),
    after: goal.after,
    onTopOf: facts.onTopOf.map(({ goalId: id_, standing, isReady }) => ({ goalId: id_, standing, isReady })),
    waitsFor: facts.onTopOf.flatMap((each) => (each.isReady ? [] : [each.goalId])),
    parkedFor: goal.parkedFor,
    mergeFirst: facts.mergeFirst,
    builders: (await buildersOf(db, goalId)).map((each) => each.goalId),
    branch: goal.branch,
    pullRequest: pullValue(facts.pull),
    baseCommit: run?.baseCommit ?? null,
    commit: run?.headCommit ?? null,
    ...times,
    outcome: goal.outcome,
    error: goal.status === "failed" ? goal.outcome : null,
    instructions: goal.instructions,
    told,
    tag: facts.tag,
    ...(facts.accepted === undefined ? {} : { accepted: facts.accepted }),
    plan: facts.plan,
    ladder: facts.ladder === null ? null : { ...facts.ladder, attempts: undefined },
    attempts: (facts.ladder?.attempts ?? []).map((each) => ({ ...each, costUsd: toUsd(each.costMicroUsd) })),
    wakeAt: goal.wakeAt,
    loop: run?.loop ?? null,
    tasks: (await tasksOf(db, goalId)).map(taskValue),
    consultations: (await consultationsOf(db, goalId)).map(consultationValue),
    criteria: facts.criteria.map((criterion) => criterionValue(criterion, kept, facts.trials)),
    checks: facts.checks,
    noted: facts.noted,
    ...(facts.leftOut === undefined ? {} : { leftOut: facts.leftOut }),
    reached: facts.reached,
    trials: facts.trials,
    evidence: kept
      .filter((row) => row.kind !== "trial" && row.kind !== "acceptance")
      .map((row) => evidenceValue(row, outputs.get(row.evidenceId) ?? null)),
  };
  const card = withChangedOutput(goalCard(facts), changedAmong(kept, outputs));
  const asked = pending === undefined ? [] : [questionBlock(pending)];
  return done(value, { ...card, blocks: [...asked, ...card.blocks, ...toldBlocks(told), timesBlock(times)] });
}
