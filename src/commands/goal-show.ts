import { evidenceOutcome, wasRunBySystem } from "../core/cards/evidence-words.ts";
import { linesCard, goalsCard, questionBlock } from "../core/cards/lists.ts";
import { goalCard, timesBlock } from "../core/cards/goal-card.ts";
import { timelineWords } from "../core/cards/timeline-words.ts";
import { type Span } from "../core/cards/card.ts";
import type { PullView } from "../core/cards/pull-words.ts";
import { taughtWords } from "../core/cards/episode-card.ts";
import { goalDayLine } from "../core/cards/plan-words.ts";
import { waitsForWords } from "../core/cards/ground-words.ts";
import { storedEvent } from "../core/events/read.ts";
import { type Goal, goalStatuses, stateOf } from "../core/goals/goal.ts";
import { type Ground, unmetOf } from "../core/goals/ground.ts";
import type { Kept } from "../core/isolation/isolation.ts";
import { toUsd } from "../core/money.ts";
import { firstLine } from "../core/text.ts";
import { listDecisions, listForGoal, openSubjects } from "../db/checkpoints.ts";
import { episodesOf } from "../db/episodes.ts";
import { consultationsOf } from "../db/consultations.ts";
import { backedAs, type Evidence, listEvidence } from "../db/evidence.ts";
import { getGoal, listGoals } from "../db/goals.ts";
import type { Db } from "../db/connection/client.ts";
import { buildersOf, groundsOf } from "../db/grounds.ts";
import { findRepository } from "../db/repositories.ts";
import { getRun } from "../db/runs.ts";
import { totalsOf } from "../db/spend.ts";
import { tasksOf } from "../db/tasks.ts";
import { worklogLine, worklogsUnread } from "../core/cards/worklog-lists.ts";
import { worklogsOfGoal } from "../db/worklogs.ts";
import { orNothing } from "../turns/shared/worklog/within.ts";
import { flagWords, noFlags } from "../core/worklog/flags.ts";
import { searchWords } from "../core/goals/search.ts";
import { tierOf } from "../core/worklog/tier.ts";
import { goalTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { goalDayOf } from "../facts/goal-day.ts";
import { isolationOf } from "../facts/isolation.ts";
import { keptStates } from "../facts/kept-output.ts";
import { gatherGoalCard } from "../projection/goal.ts";
import { spaceThatIsLacking } from "../facts/space.ts";
import { goalNotFound } from "./goal-change.ts";
import { repoOption } from "./open-sessions.ts";
import { command, type CommandResult, done, refused } from "./command.ts";
import { choice, idOf, text, type Values } from "./fields.ts";
import { headOf as worklogHead } from "./worklog.ts";

const listing = {
  status: choice("S", goalStatuses, goalStatuses.join(", ")).optional(),
  repo: repoOption,
  search: text("WORDS", "only goals whose text has words that begin like these, or with this id").optional(),
};

export const goals = command({
  name: "goals",
  summary: "The goals, in the order in which they were added.",
  access: "read",
  options: listing,
  run: (deps, _caller, wanted) => showGoals(deps, wanted),
});

export const goalShow = command({
  name: "goal show",
  summary: "One goal with its criteria and evidence.",
  access: "read",
  positionals: { id: idOf("goal") },
  run: (deps, _caller, { id }) => showGoal(deps, id),
});

export const why = command({
  name: "why",
  summary: "What happened to a goal, hop by hop, and what it waits for.",
  access: "read",
  positionals: { id: idOf("goal") },
  run: (deps, _caller, { id }) => showWhy(deps, id),
});

async function showGoals(deps: Deps, { status, repo, search }: Values<typeof listing>): Promise<CommandResult> {
  const { db } = deps.database;
  if (search !== undefined && searchWords(search).length === 0)
    return refused("there is no word to look for", "cos goals --search header");
  const repository = repo === undefined ? null : await findRepository(db, repo);
  if (repo !== undefined && repository === null)
    return refused(`no repository is called ${JSON.stringify(repo)}`, "cos repo list");
  const rows = await listGoals(db, {
    ...(status === undefined ? {} : { status }),
    ...(repository === null ? {} : { repositoryId: repository.repositoryId }),
    ...(search === undefined ? {} : { words: searchWords(search), goalId: search.trim() }),
  });
  const open = await openSubjects(
    db,
    rows.map((goal) => goal.goalId),
  );
  const costs = await totalsOf(
    db,
    "goal_id",
    rows.map((goal) => goal.goalId),
  );
  const lines = rows.map((goal) => ({
    goal,
    state: stateOf(goal, open.has(goal.goalId), deps.now()),
    costMicroUsd: costs.get(goal.goalId)?.spentMicroUsd ?? 0,
  }));
  const value = lines.map(({ goal, state, costMicroUsd }) => ({
    goalId: goal.goalId,
    content: goal.content,
    status: goal.status,
    state,
    priority: goal.priority,
    tags: goal.tags,
    costUsd: toUsd(costMicroUsd),
    sessionId: goal.sessionId,
    after: goal.after,
  }));
  const whereNone = search === undefined ? "Add one: cos goal add TEXT" : "None has these words: cos goals";
  return done(value, goalsCard(lines, whereNone));
}

async function showGoal(deps: Deps, goalId: string): Promise<CommandResult> {
  const facts = await gatherGoalCard(deps.database.db, deps, goalId);
  if (facts === null) return goalNotFound(goalId);
  const { db } = deps.database;
  const { goal } = facts;
  const kept = await listEvidence(db, goalId);
  const questions = await listForGoal(db, goalId);
  const run = goal.runId === null ? null : await getRun(db, goal.runId);
  const outputs = await keptStates(
    deps,
    kept.filter((row) => row.kind !== "trial"),
  );
  const pending = questions.find((each) => each.status === "pending");
  const tier = tierOf(goal);
  const times = { addedAt: goal.createdAt, beganAt: run?.startedAt ?? null, endedAt: run?.endedAt ?? null };
  const worklogs = await orNothing(deps, (tx) => worklogsOfGoal(tx, goalId));
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
    worklogFlags: flagWords(goal.worklogFlags ?? noFlags),
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
    checkpoints: questions.map(({ checkpointId, kind, trigger, status, chosenOption, resolvedBy }) => ({
      checkpointId,
      kind,
      trigger,
      status,
      chosenOption,
      resolvedBy,
    })),
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
    tag: facts.tag,
    ...(facts.accepted === undefined ? {} : { accepted: facts.accepted }),
    plan: facts.plan,
    ladder: facts.ladder === null ? null : { ...facts.ladder, attempts: undefined },
    attempts: (facts.ladder?.attempts ?? []).map((each) => ({ ...each, costUsd: toUsd(each.costMicroUsd) })),
    wakeAt: goal.wakeAt,
    loop: run?.loop ?? null,
    tasks: (await tasksOf(db, goalId)).map(({ id: task, title, status, attempts, feedback, commit, dependsOn }) => ({
      id: task,
      title,
      status,
      attempts,
      feedback,
      commit,
      dependsOn,
    })),
    consultations: (await consultationsOf(db, goalId)).map(
      ({ use, promptVersion, model, outcome, costMicroUsd, at }) => ({
        use,
        promptVersion,
        model,
        outcome,
        costUsd: costMicroUsd === null ? null : toUsd(costMicroUsd),
        at,
      }),
    ),
    criteria: facts.criteria.map(({ id: criterion, title, status, method, details, exitCode, evidenceId }) => ({
      id: criterion,
      title,
      status,
      method,
      details,
      exitCode,
      evidence: evidenceId,
      isolated: isolatedIn(kept.find((row) => row.evidenceId === evidenceId)),
    })),
    checks: facts.checks,
    noted: facts.noted,
    reached: facts.reached,
    trials: facts.trials,
    evidence: kept
      .filter((row) => row.kind !== "trial" && row.kind !== "acceptance")
      .map((row) => {
        const { evidenceId, kind, command, exitCode, durationMs, commit, at, sha256, outputFile } = row;
        const output = outputs.get(evidenceId) ?? null;
        const isolated = isolatedIn(row);
        const said = { outcome: evidenceOutcome(row), runBySystem: wasRunBySystem(row), tag: backedAs(row) };
        return {
          evidenceId,
          kind,
          command,
          exitCode,
          durationMs,
          commit,
          at,
          sha256,
          ...said,
          outputFile,
          output,
          isolated,
        };
      }),
  };
  const card = goalCard(facts);
  const asked = pending === undefined ? [] : [questionBlock(pending)];
  return done(value, { ...card, blocks: [...asked, ...card.blocks, timesBlock(times)] });
}

/** Its pull request, for programs; null: none is wanted. */
function pullValue(pull: PullView | null): PullView | null {
  if (pull === null) return null;
  const { provider, state, number, url, isDraft, endedBy, remarksWaiting, lastRemark, checks, trouble } = pull;
  return { provider, state, number, url, isDraft, endedBy, remarksWaiting, lastRemark, checks, trouble };
}

/** What a command was kept from, as far as it was shown; null where nothing ran. */
function isolatedIn(row: Evidence | undefined): readonly Kept[] | null {
  return row === undefined ? null : (isolationOf(row)?.shown ?? null);
}

/** At most so many worklogs are named among what happened, the newest. */
const mostWorklogs = 10;

async function showWhy(deps: Deps, goalId: string): Promise<CommandResult> {
  const { db } = deps.database;
  const goal = await getGoal(db, goalId);
  if (goal === null) return goalNotFound(goalId);
  const rows = await goalTimeline(db, goalId);
  const open = (await listForGoal(db, goalId)).find((each) => each.status === "pending");
  const state = stateOf(goal, open !== undefined, deps.now());
  const decisions = open === undefined ? [] : await listDecisions(db, open.checkpointId);
  const campaign = await goalDayOf(db, goal);
  const taught = await episodesOf(db, goalId);
  const worklogs = await orNothing(deps, (tx) => worklogsOfGoal(tx, goalId));
  const lines: Span[][] = [
    ...(campaign === null ? [] : [goalDayLine(campaign)]),
    ...rows.map((row): Span[] => [{ at: row.at.toISOString(), withSeconds: true }, ` ${timelineWords(row)}`]),
    ...(worklogs?.slice(-mostWorklogs).map(worklogLine) ?? [[worklogsUnread]]),
    ...taught.flatMap((each): Span[][] => (each.reflection === null ? [] : [[taughtWords(each)]])),
  ];
  const noSpace = state === "ready" ? await spaceThatIsLacking(db) : null;
  const waits =
    noSpace === null
      ? whatItWaitsFor(state, open?.checkpointId ?? null, goal.outcome, await groundsToCome(db, goal))
      : `waits for space: ${noSpace}. It begins by itself; cos doctor names the folders`;
  const value = {
    goalId,
    status: goal.status,
    state,
    campaign,
    waitsFor: waits,
    checkpointId: open?.checkpointId ?? null,
    decisions,
    worklogs: worklogs?.map(worklogHead) ?? null,
    taught: taught.map(({ episodeId, reflection, reflectedBy }) => ({ episodeId, reflection, reflectedBy })),
    timeline: rows.map(storedEvent),
  };
  return done(value, linesCard(`${firstLine(goal.content, 80)}: ${waits}`, lines));
}

/** Those of the goals that one is on top of that are not ready. */
async function groundsToCome(db: Db, { after }: Goal): Promise<Ground[]> {
  const grounds = await groundsOf(db, after);
  return unmetOf(after, grounds).flatMap((goalId) => grounds.get(goalId) ?? []);
}

/** The hop that is missing, in words. */
function whatItWaitsFor(
  state: ReturnType<typeof stateOf>,
  checkpointId: string | null,
  outcome: string | null,
  grounds: readonly Ground[],
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
      if (grounds.length > 0) return `waits for ${waitsForWords(grounds)}: cos why ${grounds[0]?.goalId ?? ""}`;
      return "waits for a session or for the goals before it: cos autopilot status";
    case "ended":
      return outcome ?? "has ended";
  }
}
