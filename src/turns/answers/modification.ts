import { offersCriterion } from "../../core/checkpoints/find-option.ts";
import type { Instruction, Goal } from "../../core/goals/goal.ts";
import type { GoalCheckpoint } from "../../core/checkpoints/checkpoint.ts";
import type { Run } from "../../db/runs.ts";
import type { ChangedByAnswer } from "../../core/checkpoints/phase-after-answer.ts";
import type { Answer } from "../../core/checkpoints/answering.ts";
import type { Answerer } from "../shared/audit.ts";

/** Changes that Modify may make. Never the permissions of an agent (D35). */
export interface Modification {
  readonly instructions?: Instruction[];
  readonly criteria?: string;
  readonly ceilingMicroUsd?: number;
}

/** Changes that come with a Retry of an escalation. Empty when there are none. */
export function retryChanges(facts: AnswerFacts, now: Date): Modification {
  const { instructions, criteria, budgetMicroUsd } = facts.answer;
  const isBare = instructions === null && criteria === null && budgetMicroUsd === null;
  return isBare ? {} : modificationOf(facts, now);
}

/** The changes that an answer makes to its goal. */
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

/** An answer and its question's rows, all locked. */
export interface AnswerFacts {
  readonly goal: Goal;
  /** The run that asked. Null when none did. */
  readonly run: Run | null;
  readonly checkpoint: GoalCheckpoint;
  readonly answer: Answer;
  readonly answerer: Answerer;
}

/** The part of the goal that an answer changes. A ceiling alone changes nothing of the work. */
export function changedBy(
  { answer, checkpoint }: { readonly answer: Answer; readonly checkpoint: Parameters<typeof offersCriterion>[0] },
  modification: Modification,
): ChangedByAnswer {
  if (Object.keys(modification).length === 0) return "nothing";
  if (answer.instructions !== null) return "work";
  if (modification.criteria !== undefined) return "criteria";
  // A weak proof is accepted explicitly, never by a changed ceiling.
  return offersCriterion(checkpoint) ? "work" : "nothing";
}
