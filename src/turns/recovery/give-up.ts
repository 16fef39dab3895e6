import { contractOf } from "../../core/acceptance/goal-contract.ts";
import { judgeEscalation } from "../../core/acceptance/escalation.ts";
import { sentBackWords } from "../../core/recovery/giving-up.ts";
import { shorten } from "../../core/text.ts";
import { ofGoal } from "../../core/events/write.ts";
import type { Db } from "../../db/connection/client.ts";
import { updateRun } from "../../db/runs.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { countFailure } from "../shared/breaker.ts";
import { escalate } from "./escalate.ts";
import type { AskDeps } from "../shared/ask-about.ts";
import { type FailedAttempt, keepFailure } from "./attempts.ts";
import type { Write } from "../../db/transitions.ts";

/** The name of a goal without criteria in an escalation. */
const wholeGoal = "GOAL";

/**
 * Handles an agent that gives up (AC-8, D19). With a criterion, three different attempts and a hypothesis, a person is asked at once.
 * Otherwise it is sent back once with what is missing; after that its attempt counts as an ordinary failure (false). `text`: its words.
 */
export async function giveUp(
  tx: Db,
  deps: AskDeps,
  { text, ...failed }: FailedAttempt & { readonly text: string },
  write: Write,
): Promise<boolean> {
  const { goal, run } = failed;
  const now = deps.now();
  const ids = contractOf(goal.criteria, [], 1).criteria.map((criterion) => criterion.id);
  const criteria = ids.length === 0 ? [wholeGoal] : ids;
  const verdict = judgeEscalation(text, { criteria, counts: {}, threshold: 0 });

  if (verdict.type === "refused") {
    if (run.wasSentBack) return false;
    const { missing } = verdict;
    const feedback = sentBackWords(missing);
    await updateRun(tx, run.runId, { wasSentBack: true, feedback });
    const about = ofGoal({ ...goal, runId: run.runId }, now);
    await appendTimeline(tx, { event: "recovery.sent-back", ...about, detail: { missing } });
    await write({ type: "goesOnAt", at: now, phase: "implement" });
    return true;
  }

  const { criterionId, attempts, hypothesis } = verdict.escalation;
  const error = `The agent gave up on ${criterionId === wholeGoal ? "the goal" : criterionId} after ${attempts.length} attempts`;
  await keepFailure(tx, deps, failed, { kind: "work", error, resetsAt: null });
  const errorCount = goal.errorCount + 1;
  await write({ type: "escalates", phase: "implement", errorCount, outcome: `Escalated to human: ${error}` });
  await escalate(tx, deps, {
    goal,
    run,
    failure: { kind: "work", error, resetsAt: null },
    reason: "the agent shows what it tried and cannot go on",
    hypothesis,
    told: attempts.map(({ what, result }, index) => shorten(`${index + 1}. ${what} → ${result}`, 500)),
  });
  await countFailure(tx, deps, goal, run.runId);
  return true;
}
