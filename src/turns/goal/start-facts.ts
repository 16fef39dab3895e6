import type { Checkpoint } from "../../core/checkpoints/checkpoint.ts";
import { goalOptions } from "../../core/checkpoints/options.ts";
import { firedTriggers, isAboutMoney, triggers } from "../../core/checkpoints/triggers.ts";
import { type Goal, isUnplannedNow } from "../../core/goals/goal.ts";
import type { Executor, StartFacts } from "../../core/goals/start.ts";
import type { Policy } from "../../core/policy.ts";
import { pendingAbout } from "../../db/checkpoints.ts";
import { type Db, readTogether } from "../../db/connection/client.ts";
import { learntForEach } from "../../db/preferences.ts";
import { repositoriesById, type Repository } from "../../db/repositories.ts";
import { lastWorksOf, type Run, runsById } from "../../db/runs.ts";
import { contractSettles } from "../../facts/night-contract.ts";
import { gatherAllMoney, type SessionAhead, todayOf } from "../shared/money.ts";
import type { AskDeps, KnownOfQuestion } from "../shared/ask-about.ts";
import { contentHashOf, type RunStart } from "../shared/begin-run.ts";

/** The facts for deciding about the start of a goal. */

/** The facts of the decision, and the current thresholds for the words of a question. */
export type StartBasis = StartFacts & Pick<Policy, "thresholds"> & KnownStart & RunToStart;

/** The rows of the goal that begins. */
interface RunToStart {
  /** Null when none was opened yet. */
  readonly run: Run | null;
  readonly repository: Repository | null;
}

/** The part of the facts that a run begins with. */
export type KnownStart = Required<Pick<RunStart, "byContract" | "recorded">>;

/** Reads the facts of a start, with the money of `day`. */
export async function gatherStart(tx: Db, deps: AskDeps, goal: Goal, day: string = todayOf(deps)): Promise<StartBasis> {
  const startOf = await gatherStarts(tx, deps, [goal], day);
  return startOf(goal);
}

/** Reads them for many goals, with the same number of statements. */
export async function gatherStarts(
  tx: Db,
  deps: AskDeps,
  goals: readonly Goal[],
  day: string = todayOf(deps),
): Promise<(goal: Goal) => StartBasis> {
  const { startOf } = await readStarts(tx, deps, goals, { day });
  return startOf;
}

/** True when facts that were read for `one` are valid for `other`, the same goal after it was locked. */
export function hasSameFacts(one: Goal, other: Goal): boolean {
  const columns = ["goalId", "runId", "sessionId", "campaignId", "repositoryId"] as const;
  return columns.every((column) => one[column] === other[column]);
}

/** Facts about goals before their session asks about them. */
export interface Ahead {
  readonly startOf: (goal: Goal) => StartBasis;
  /** Facts for the question whether the goal may start. */
  readonly knownOf: (goal: Goal) => KnownOfQuestion;
  /** The open questions about them, oldest first. */
  readonly questions: readonly Checkpoint[];
}

/**
 * Reads the facts for asking in advance for a whole session (D16), including those of the questions. `opening`: the session that the goals
 * are about to join. Null when they are in it already.
 */
export async function gatherAhead(
  tx: Db,
  deps: AskDeps,
  goals: readonly Goal[],
  opening: SessionAhead | null,
): Promise<Ahead> {
  const offered = goalOptions("start", []).map(({ label }) => label);
  const [{ startOf, moneyOf, pending }, learntOf] = await readTogether(tx, (reads) =>
    Promise.all([
      readStarts(reads, deps, goals, { day: todayOf(deps), opening }),
      learntForEach(reads, { kind: "start", offered }, triggers),
    ]),
  );
  const open = new Map(pending.map((question) => [question.subject, question]));
  const knownOf = (goal: Goal): KnownOfQuestion => {
    return { open: open.get(goal.goalId) ?? null, costs: moneyOf(goal).costs, learntOf };
  };
  return { startOf, knownOf, questions: pending };
}

async function readStarts(
  tx: Db,
  deps: AskDeps,
  goals: readonly Goal[],
  by: { readonly day: string; readonly opening?: SessionAhead | null },
) {
  const ids = goals.map((goal) => goal.goalId);
  const toBegin = goals.filter((goal) => goal.runId === null).map((goal) => goal.goalId);
  const [repositories, pending, runs, works, moneyOf] = await readTogether(tx, (reads) =>
    Promise.all([
      repositoriesById(reads, [...new Set(goals.map((goal) => goal.repositoryId))]),
      pendingAbout(reads, ids),
      runsById(
        reads,
        goals.flatMap((goal) => goal.runId ?? []),
      ),
      lastWorksOf(reads, toBegin),
      gatherAllMoney(reads, deps, goals, by),
    ]),
  );
  const known = new Map(repositories.map((repository) => [repository.repositoryId, repository]));
  const open = new Map(pending.map(({ subject, checkpointId }) => [subject, checkpointId]));
  const opened = new Map(runs.map((run) => [run.runId, run]));

  const startOf = (goal: Goal): StartBasis => {
    const { ceilings, spentTodayMicroUsd, thresholds, night } = moneyOf(goal);
    const { goalId, runId, repositoryId, estimateMicroUsd } = goal;
    const contentHash = contentHashOf(goal);
    const byContract = contractSettles(deps, night, contentHash);
    const repository = known.get(repositoryId) ?? null;
    const run = opened.get(runId ?? "") ?? null;
    const isFlat = goal.runCommand === null && repository?.billing === "flat";
    return {
      openCheckpointId: open.get(goalId) ?? null,
      ceilings,
      thresholds,
      // A ceiling that a person set below the estimate replaces it.
      estimateMicroUsd: estimateMicroUsd === null ? null : Math.min(estimateMicroUsd, ceilings.goal.ceilingMicroUsd),
      fired: firedTriggers(
        { ...goal, isUnplanned: isUnplannedNow(goal), spentTodayMicroUsd },
        { ...deps.policy, thresholds },
      ).filter((trigger) => !isFlat || !isAboutMoney(trigger)),
      settled: [...(run?.settled ?? []), ...byContract],
      byContract,
      recorded: works.find((run) => run.goalId === goalId) ?? null,
      contentHash,
      executor: executorOf(goal, repository?.agent ?? deps.config.agent),
      isFlat,
      run,
      repository,
    };
  };
  return { startOf, moneyOf, pending };
}

function executorOf(goal: Goal, agent: string | null): Executor {
  if (goal.runCommand !== null) return "run";
  return agent === null ? "none" : "agent";
}
