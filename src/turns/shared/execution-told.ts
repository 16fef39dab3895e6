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

/** The facts that an agent is told in addition to its goal. */
export interface ToTell {
  readonly grants: Awaited<ReturnType<typeof openGrants>>;
  readonly attempts: readonly Tried[];
  readonly lessons: readonly Lesson[];
}

/** Reads them with one statement. A goal's own command is told nothing, and a piece is told no lessons, because it has a task of its own. */
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

/** Returns the prompt of an execution: the goal, its grants, failed attempts, and lessons of past runs. */
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

/** Returns the request to the execution's runner: where it works, its prompt, and its time limits. */
export async function runRequest(
  deps: ExecutionDeps,
  execution: Execution,
  made: Pick<Request, "outputFile" | "prompt">,
): Promise<Omit<Request, "enclosure">> {
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
    // Grants are in the database. One is used when the agent asks for exactly the granted action again.
    grants: [],
  };
}

async function timeLimitOf({ policy, database }: ExecutionDeps, { goal, run }: Execution): Promise<number> {
  const { timeoutMs } = policy.goals;
  const wanted = goal.estimatedMinutes === null ? timeoutMs : Math.max(timeoutMs, goal.estimatedMinutes * 120_000);
  if (run.billing === "metered" || goal.runCommand !== null) return wanted;
  return Math.min(wanted, flatTimeLeftMs(await flatUseOf(database.db, run.runId), policy));
}
