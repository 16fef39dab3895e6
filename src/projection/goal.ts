import { backingIn } from "../core/acceptance/backing.ts";
import { tagText } from "../core/cards/tag-words.ts";
import { goalCard } from "../core/cards/goal-card.ts";
import type { GoalCardFacts, LadderView, MergeFacts, OnTopOfFacts } from "../core/cards/goal-facts.ts";
import { type FlatUse, flatWords } from "../core/agents/flat.ts";
import type { AgentSilence } from "../core/cards/agent-words.ts";
import { groundWords } from "../core/cards/ground-words.ts";
import { sessionMessage, threadInChat } from "../core/delivery/places.ts";
import { goalCeiling } from "../core/goals/budget.ts";
import { type Goal, stateOf } from "../core/goals/goal.ts";
import { groundState } from "../core/goals/ground.ts";
import { moneyAgain } from "../core/goals/money-again.ts";
import type { Tried } from "../core/recovery/tried.ts";
import { addDays, localDate, startOfDate } from "../core/time.ts";
import { attemptsOfGoal } from "../db/attempts.ts";
import { type Db, readTogether } from "../db/connection/client.ts";
import { type Evidence, listEvidence } from "../db/evidence.ts";
import { type GoalRows, goalRows } from "../db/goal-rows.ts";
import { getGoal } from "../db/goals.ts";
import { groundsOf } from "../db/grounds.ts";
import type { Merge } from "../db/merges.ts";
import type { Run } from "../db/runs.ts";
import { dayTotal, goalTotal, type Total } from "../db/totals.ts";
import { tasksOf } from "../db/tasks.ts";
import { readGoalEvents } from "../db/timeline.ts";
import type { Doors } from "../deps.ts";
import { agentNotesOf } from "../facts/agent-notes.ts";
import { untakenOf, waitsForWorker } from "../facts/lacks.ts";
import { leastIsolated } from "../facts/isolation.ts";
import { goalDayOf } from "../facts/goal-day.ts";
import { mergeOrderByRows } from "../facts/merge-order.ts";
import { criteriaStatusOf } from "../facts/criteria-status.ts";
import type { ProjectedCard } from "./drawn.ts";

/** A goal's card, and its campaign. */
export interface DrawnGoal {
  readonly drawn: ProjectedCard;
  readonly campaignId: string | null;
}

/** Draws a goal's card. Null when there is no such goal. */
export async function drawGoal(db: Db, deps: Doors, goalId: string): Promise<DrawnGoal | null> {
  const gathered = await gather(db, deps, goalId);
  if (gathered === null) return null;
  const { rows, facts } = gathered;
  const card = goalCard(facts);
  const drawn = { id: goalId, threadSubject: null, card, ...placeOf(deps, rows) };
  return { drawn, campaignId: rows.goal.campaignId };
}

/** In a chat the card is in the thread of its session. A goal without a session is shown in the console only. */
function placeOf({ policy }: Doors, { goal, session }: GoalRows): Pick<ProjectedCard, "chatThread" | "places"> {
  if (session === null) return { places: { platforms: ["console"], question: goal.goalId } };
  return { chatThread: threadInChat(policy.places, "goal", sessionMessage(policy.places, session)) };
}

/** The facts of a goal's card, for the card and for other views of the goal. */
export async function gatherGoalCard(db: Db, deps: Doors, goalId: string): Promise<GoalCardFacts | null> {
  return (await gather(db, deps, goalId))?.facts ?? null;
}

interface Gathered {
  readonly rows: GoalRows;
  readonly facts: GoalCardFacts;
}

/** Reads a goal with one statement, and more for the goals it builds on, its tasks and its campaign. */
async function gather(db: Db, deps: Doors, goalId: string): Promise<Gathered | null> {
  return await readTogether(db, async (reads) => {
    const [rows, ...kept] = await Promise.all([
      goalRows(reads, goalId),
      goalTotal(reads, goalId),
      listEvidence(reads, goalId),
      readGoalEvents(reads, goalId, "agent.refused", "agent.not-followed", "agent.silent", "agent.heard"),
      attemptsOfGoal(reads, goalId),
    ]);
    return rows === null ? null : { rows, facts: await factsOf(reads, deps, rows, kept) };
  });
}

type Kept = readonly [Total, readonly Evidence[], Told, readonly Tried[]];
type Told = Awaited<
  ReturnType<typeof readGoalEvents<"agent.refused" | "agent.not-followed" | "agent.silent" | "agent.heard">>
>;

async function factsOf(
  db: Db,
  deps: Doors,
  rows: GoalRows,
  [cost, kept, told, attempts]: Kept,
): Promise<GoalCardFacts> {
  const { goal, repository, run, merge, pull } = rows;
  const state = stateOf(goal, rows, deps.now());
  const [campaign, tasks, below, mergeFirst, untaken, again] = await Promise.all([
    goalDayOf(db, goal),
    goal.taskParallel === null ? [] : tasksOf(db, goal.goalId),
    onTopOf(db, goal),
    goal.status === "complete" ? mergeOrderByRows(db, goal) : [],
    waitsForWorker(rows) ? untakenOf(db, rows) : null,
    againOf(db, deps, rows, cost),
  ]);
  return {
    goal,
    state,
    repositoryName: repository?.name ?? goal.repositoryId,
    campaign,
    executor: executorWords(goal, repository?.agent ?? deps.config.agent),
    costMicroUsd: cost.spentMicroUsd,
    costIsEstimated: cost.isEstimated,
    flat:
      run?.billing === "flat" && goal.runCommand === null ? flatWords(flatUseIn(run.runId, kept), deps.policy) : null,
    ceilingMicroUsd: goalCeiling(goal, deps.policy),
    again,
    commit: run?.headCommit ?? null,
    ...criteriaStatusOf(goal, kept),
    trialsAreOff: repository?.trials === false,
    tasks,
    ladder: run === null ? null : { ...ladderFacts(run), attempts },
    merge: mergeFacts(merge, pull),
    pull,
    onTopOf: below,
    untaken,
    mergeFirst,
    refusedCalls: told.flatMap(({ event, detail }) => (event === "agent.refused" ? [detail.what] : [])),
    isolation: leastIsolated(goal.runId, kept),
    agent: agentNotesOf(goal.runId, kept, state === "running" ? silenceIn(told, goal) : null),
    notFollowed: told.findLast((each) => each.event === "agent.not-followed")?.detail.why ?? null,
  };
}

async function againOf(
  db: Db,
  { config: { timezone }, policy, now }: Doors,
  { goal, repository }: GoalRows,
  cost: Total,
): Promise<GoalCardFacts["again"]> {
  const isFlat = goal.runCommand === null && repository?.billing === "flat";
  if (goal.status !== "failed" || isFlat) return null;
  const day = localDate(now(), timezone);
  const spent = { goalMicroUsd: cost.committedMicroUsd, dayMicroUsd: (await dayTotal(db, day)).committedMicroUsd };
  return { ...moneyAgain(goal, spent, policy), tomorrow: startOfDate(addDays(day, 1), timezone) };
}

function flatUseIn(runId: string, kept: readonly Evidence[]): FlatUse {
  const executions = kept.filter((row) => row.runId === runId && row.kind === "execution");
  return { turns: executions.length, workedMs: executions.reduce((sum, each) => sum + (each.durationMs ?? 0), 0) };
}

/** The agent's current silence. Null when it reports again, was never silent, or was silent in an earlier turn only. */
function silenceIn(told: Told, { turn }: Pick<Goal, "turn">): AgentSilence | null {
  const last = told.findLast(({ event }) => event === "agent.silent" || event === "agent.heard");
  if (last?.event !== "agent.silent") return null;
  return last.detail.turn === turn ? last.detail : null;
}

/** The goals that a goal builds on, as its card shows them. */
async function onTopOf(db: Db, { after }: Goal): Promise<OnTopOfFacts[]> {
  const grounds = await groundsOf(db, after);
  const shown: OnTopOfFacts[] = [];
  for (const goalId of after) {
    const ground = grounds.get(goalId);
    const goal = ground === undefined ? null : await getGoal(db, goalId);
    if (ground === undefined || goal === null) continue;
    const isReady = groundState(ground) === "ready";
    const backing = backingIn(criteriaStatusOf(goal, isReady ? await listEvidence(db, goalId) : []));
    shown.push({ goalId, content: goal.content, standing: groundWords(ground, tagText(backing)), isReady });
  }
  return shown;
}

function ladderFacts({ rung, rungAttempt, ladder, approach, approachSource }: Run): Omit<LadderView, "attempts"> {
  return { rung, attempt: rungAttempt, ladder, approach, source: approachSource };
}

/** The merge of a goal. The outcome of a merge at a forge is shown with its pull request instead. */
function mergeFacts(merge: Merge | null, pull: GoalCardFacts["pull"]): MergeFacts | null {
  if (merge === null) return null;
  const { status, into, requestedBy: by, dueAt, settledAt, resultCommit } = merge;
  const outcome = status === "merged" && pull !== null ? null : merge.outcome;
  return { status, into, by, dueAt, settledAt, resultCommit, outcome };
}

/** What works a goal, in words: its own command, the agent, or nobody. */
export function executorWords(goal: Pick<Goal, "runCommand">, agent: string | null): string {
  if (goal.runCommand !== null) return "its own command";
  if (agent === null) return "nobody (no agent is configured)";
  if (agent.includes("scripted-agent")) return "scripted agent (no model)";
  return `agent: ${agent.slice(agent.indexOf(":") + 1).trim()}`;
}
