import { offersCriterion } from "../../core/checkpoints/find-option.ts";
import type { Instruction, Goal } from "../../core/goals/goal.ts";
import type { GoalCheckpoint } from "../../core/checkpoints/checkpoint.ts";
import type { Run } from "../../db/runs.ts";
import type { ChangedByAnswer } from "../../core/checkpoints/phase-after-answer.ts";
import type { Answer } from "../../core/checkpoints/answering.ts";
import type { Answerer } from "../shared/audit.ts";

/** What Modify may change; never what an agent may touch or do (D35). */
export interface Modification {
  readonly instructions?: Instruction[];
  readonly criteria?: string;
  readonly ceilingMicroUsd?: number;
}

/** What a Retry of an escalation may bring along; nothing when it brings nothing. */
export function retryChanges(facts: AnswerFacts, now: Date): Modification {
  const { instructions, criteria, budgetMicroUsd } = facts.answer;
  const isBare = instructions === null && criteria === null && budgetMicroUsd === null;
  return isBare ? {} : modificationOf(facts, now);
}

/** What an answer changes of its goal. */
export function modificationOf({ goal, answer, answerer }: AnswerFacts, now: Date): Modification {
  const added =
    answer.instructions === null
      ? []
      : [{ by: answer.writtenBy ?? answerer.actor, text: answer.instructions, at: now.toISOString() }];
  return {
    instructions: [...goal.instructions, ...added],
    ...(answer.criteria === null ? {} : { criteria: answer.criteria }),
    ...(answer.budgetMicroUsd === null ? {} : { ceilingMicroUsd: answer.budgetMicroUsd }),
  };
}

/** An answer with what it is about, every row of it locked. */
export interface AnswerFacts {
  readonly goal: Goal;
  /** The one that asked; null: none did. */
  readonly run: Run | null;
  readonly checkpoint: GoalCheckpoint;
  readonly answer: Answer;
  readonly answerer: Answerer;
}

/** What of its goal an answer with this modification changes: a ceiling is nothing of the work. */
export function changedBy(
  { answer, checkpoint }: { readonly answer: Answer; readonly checkpoint: Parameters<typeof offersCriterion>[0] },
  modification: Modification,
): ChangedByAnswer {
  if (Object.keys(modification).length === 0) return "nothing";
  if (answer.instructions !== null) return "work";
  if (modification.criteria !== undefined) return "criteria";
  // That a weak proof counts is said, and does not follow from money.
  return offersCriterion(checkpoint) ? "work" : "nothing";
}
