import type { Goal } from "../../core/goals/goal.ts";
import { earlierRunsCard, runsLine } from "../../core/cards/command-runs.ts";
import { attemptsCard, type Bundle } from "../../core/cards/escalation-card.ts";
import type { Checkpoint } from "../../core/checkpoints/checkpoint.ts";
import { threadInChat } from "../../core/delivery/places.ts";
import type { Failure } from "../../core/recovery/failure.ts";
import { programLacking, missingWords } from "../../core/recovery/missing-program.ts";
import type { Tried } from "../../core/recovery/tried.ts";
import type { Help } from "../../core/checkpoints/options.ts";
import { ladderContext } from "../../core/recovery/ladder-context.ts";
import { count, firstLine } from "../../core/text.ts";
import { ofGoal } from "../../core/events/write.ts";
import { attemptsOfRun } from "../../db/attempts.ts";
import { getCheckpoint } from "../../db/checkpoints.ts";
import { flatUseOf } from "../../db/evidence.ts";
import type { Db } from "../../db/connection/client.ts";
import { getGoal } from "../../db/goals.ts";
import type { Run } from "../../db/runs.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { markNotice } from "../../db/connection/marks.ts";
import { type AskDeps, askAbout } from "../shared/ask-about.ts";

/** The end of the ladder (D19): a person is asked, with all attempts as evidence. */

interface EscalatedRun {
  readonly goal: Goal;
  readonly run: Run;
  readonly failure: Failure;
  /** Why it stops, if not because the ladder ended. */
  readonly reason: string | null;
  /** The hypothesis of an agent that gave up. Null when the engine gave up. */
  readonly hypothesis: string | null;
  /** The attempts that such an agent reports. */
  readonly told?: readonly string[];
}

/** Asks about a goal whose ladder has ended. Its attempts are posted in a message of their own. */
export async function escalate(tx: Db, deps: AskDeps, escalated: EscalatedRun): Promise<void> {
  const { goal, run, failure, reason, hypothesis } = escalated;
  await appendTimeline(tx, {
    event: "recovery.escalated",
    ...ofGoal({ ...goal, runId: run.runId }, deps.now()),
    detail: {
      kind: failure.kind,
      isOwnCommand: goal.runCommand === null ? undefined : true,
      ladder: run.ladder,
      error: firstLine(failure.error, 300),
    },
  });
  const attempts = await attemptsOfRun(tx, run.runId);
  const runs = runsLine(attempts);
  const lacks = programLacking(attempts.at(-1));
  const missing = lacks === null ? null : missingWords(lacks);
  const isAtOnce = failure.kind === "invalid-criteria";
  const isNotPushed = failure.kind === "push";
  const help: Help | null = isNotPushed ? { type: "push" } : helpAfter(attempts);
  const canRetry = run.ladder <= deps.policy.recovery.retriesOfEscalation;
  const checkpointId = await askAbout(tx, deps, {
    goal,
    runId: run.runId,
    kind: "escalation",
    reasons: [
      {
        trigger: "hiccup",
        context: ladderContext({ isNotPushed, runs, missing, isAtOnce, content: goal.content, error: failure.error }),
      },
    ],
    details: [
      // An escalation means that all rungs were tried. Only another end needs words.
      ...(reason === null ? [] : [reason]),
      ...(runs === null ? timesWords((await flatUseOf(tx, run.runId)).turns, attempts.length) : []),
      ...(escalated.told ?? []),
      ...(hypothesis === null ? [] : [`Hypothesis: ${hypothesis}`]),
      ...(canRetry ? [] : [retriedWords(goal, run.ladder - 1)]),
    ],
    fingerprint: `${run.runId}.${run.ladder}`,
    changed: null,
    help,
    without: canRetry ? [] : ["Retry"],
  });
  const card = runs === null ? attemptsCard(goal, attempts) : earlierRunsCard(goal.content, attempts);
  if (card === null) return;
  // Mentioned people follow the question's thread, so in a chat the attempts are posted with the goal (F-408).
  const chatThread = threadInChat(deps.policy.places, "attempts", goal.goalId);
  markNotice(tx, `${checkpointId}.attempts`, { card, threadSubject: checkpointId, chatThread, checkpointId });
}

/** What would help a goal that failed like this, if known: a push, or a program to install. */
export function helpAfter(attempts: readonly Tried[]): Help | null {
  const last = attempts.at(-1);
  if (last?.end === "push") return { type: "push" };
  const missing = programLacking(last);
  return missing === null ? null : { type: "install", missing: missingWords(missing) };
}

/** Names the number of executions if it is higher than that of attempts, because each one is paid. */
function timesWords(executions: number, attempts: number): string[] {
  return executions > attempts ? [`The agent was run ${executions} times in ${count(attempts, "attempt")}.`] : [];
}

function retriedWords({ goalId, runCommand }: Goal, retries: number): string {
  const what =
    runCommand === null
      ? `change the goal (cos goal edit ${goalId} --text "…") to try once more`
      : "edit the command to run it";
  return `Retried ${retries} times already: ${what}.`;
}

/** Reads an escalation with all its facts. Null when the id is not one of an escalation. */
export async function gatherBundle(
  db: Db,
  checkpointId: string,
): Promise<{ readonly checkpoint: Checkpoint; readonly bundle: Bundle } | null> {
  const checkpoint = await getCheckpoint(db, checkpointId);
  if (checkpoint === null || checkpoint.kind !== "escalation" || checkpoint.goalId === null) return null;
  const goal = await getGoal(db, checkpoint.goalId);
  if (goal === null) return null;
  const { goalId, content, branch } = goal;
  const bundle: Bundle = {
    checkpointId,
    goal: { goalId, content },
    context: checkpoint.context,
    details: checkpoint.facts.details,
    status: checkpoint.status,
    options: checkpoint.options,
    attempts: checkpoint.runId === null ? [] : await attemptsOfRun(db, checkpoint.runId),
    branch,
  };
  return { checkpoint, bundle };
}
