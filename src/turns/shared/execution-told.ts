import type { Lesson } from "../../core/memory/lesson.ts";
import { allowedWords } from "../../core/prompts/allowed.ts";
import { goalPrompt } from "../../core/prompts/goal.ts";
import { leftAside, type Tried } from "../../core/recovery/tried.ts";
import { lessonsOf } from "../../facts/lessons.ts";
import type { Execution, ExecutionDeps } from "./execution-request.ts";
import type { Runner } from "../../agent/process/runner.ts";
import { attemptsOfRun } from "../../db/attempts.ts";
import { readTogether } from "../../db/connection/client.ts";
import { openGrants } from "../../db/grants.ts";
import { flatTimeLeftMs } from "../../core/agents/flat.ts";
import { flatUseOf } from "../../db/evidence.ts";

/** What an agent is told beside its goal. */
export interface ToTell {
  readonly grants: Awaited<ReturnType<typeof openGrants>>;
  readonly attempts: readonly Tried[];
  readonly lessons: readonly Lesson[];
}

/** One statement. A command of the goal's own is told nothing, and a piece no lessons: it has a task of its own. */
export async function readToTell(deps: ExecutionDeps, { goal, run, piece }: Execution): Promise<ToTell> {
  if (goal.runCommand !== null) return { grants: [], attempts: [], lessons: [] };
  const [grants, attempts, lessons] = await readTogether(deps.database.db, (reads) =>
    Promise.all([
      openGrants(reads, goal.goalId),
      attemptsOfRun(reads, run.runId),
      piece === undefined ? lessonsOf(deps, goal, reads) : [],
    ]),
  );
  return { grants, attempts, lessons };
}

/** The prompt of an execution: the goal, what is granted, what was tried, and what past runs taught. */
export function promptOf(
  { goal, run, workplace }: Execution,
  { grants, attempts, lessons }: ToTell,
  progress: readonly string[] | undefined,
): string {
  const failed = attempts.filter((each) => each.ladder === run.ladder && each.end !== "passed");
  return goalPrompt(goal, {
    recovery: {
      failed: failed.map((each) => ({ ...each, left: leftAside(each, run.headCommit) })),
      instruction: run.approachInstruction,
      clarification: run.clarification,
    },
    checks: workplace.repository.checks,
    allowedNow: grants.map(allowedWords),
    resumed: run.agentSessionId !== null,
    feedback: run.feedback,
    lessons,
    progress,
  });
}

type Request = Parameters<Runner>[0];

/** What its runner is asked: where it works, what it is told, and how long it may take. */
export async function runRequest(
  deps: ExecutionDeps,
  execution: Execution,
  made: Pick<Request, "outputFile" | "prompt" | "enclosure">,
): Promise<Request> {
  const { goal, run, workplace, piece } = execution;
  return {
    ...made,
    runId: run.runId,
    goalId: goal.goalId,
    worktree: workplace.worktreeDir,
    agentSessionId: piece === undefined ? run.agentSessionId : null,
    timers: deps.timers,
    timeoutMs: await timeLimitOf(deps, execution),
    inactivityMs: deps.policy.goals.inactivityMs,
    startMs: deps.policy.goals.startMs,
    quietMs: deps.policy.goals.quietMs,
    environment: goal.runCommand === null ? deps.config.agentEnvironment : {},
    secrets: deps.config.secrets,
    allowedCommands: [workplace.repository.setup ?? [], ...workplace.repository.checks].flat(),
    // Grants are used up in the database, when exactly what was granted is asked for again.
    grants: [],
  };
}

async function timeLimitOf({ policy, database }: ExecutionDeps, { goal, run }: Execution): Promise<number> {
  const { timeoutMs } = policy.goals;
  const wanted = goal.estimatedMinutes === null ? timeoutMs : Math.max(timeoutMs, goal.estimatedMinutes * 120_000);
  if (run.billing === "metered" || goal.runCommand !== null) return wanted;
  return Math.min(wanted, flatTimeLeftMs(await flatUseOf(database.db, run.runId), policy));
}
