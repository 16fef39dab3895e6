import type { CheckpointStatus, CheckpointOption, Checkpoint } from "./checkpoint.ts";
import { answerable, findOption, sameWord, takesBudget } from "./find-option.ts";
import { acknowledgeLabel } from "./options.ts";

/** A person's answer to a checkpoint. `version` is null when the caller shows no version (the terminal). */
export interface Answer {
  readonly choice: string;
  readonly version: number | null;
  readonly notes: string | null;
  readonly instructions: string | null;
  /** The author of the instructions, when another person answers: someone confirmed the author's reply. */
  readonly writtenBy?: string;
  readonly criteria: string | null;
  readonly budgetMicroUsd: number | null;
  /** The new command for a goal with a fixed command. */
  readonly command?: string;
  /** When the answer was given, if it is recorded later. The deadline is compared with this time. */
  readonly givenAt?: Date;
}

/** Why a vote does not count: the voter is the requester, is not named by the rule, or group membership could not be read. */
export type NotCounted = "requester" | "not-named" | "groups-unknown";

/** The votes for one rule: how many are needed and how many there are (`core/checkpoints/quorum.ts`). */
export interface TallyLine {
  readonly needed: number;
  readonly votes: number;
  readonly of: readonly string[];
  readonly withoutRequester: boolean;
}

export type AnswerDecision =
  | {
      readonly type: "recorded";
      readonly option: CheckpointOption;
      readonly status: "approved" | "rejected";
      /** All voters, when several had to agree. */
      readonly by?: string;
    }
  /** More people have to agree. `isNew` is false when this person had already voted. */
  | { readonly type: "voted"; readonly isNew: boolean; readonly tally: readonly TallyLine[] }
  /** An answer changed what the others have to agree to: the question is asked again, as this version. */
  | { readonly type: "reopened"; readonly option: CheckpointOption; readonly version: number }
  /** This person's answer does not count, alone or with others. */
  | {
      readonly type: "not-counted";
      readonly reason: NotCounted;
      readonly tally: readonly TallyLine[];
    }
  /** Writes an audit row and pauses the session; the question stays open (D11). */
  | { readonly type: "paused"; readonly option: CheckpointOption }
  /** A person has seen the question and takes care of it. It stays open, and no reminders are sent. */
  | { readonly type: "acknowledged" }
  | {
      readonly type: "already-answered";
      readonly status: CheckpointStatus;
      readonly by: string | null;
      readonly choice: string | null;
      readonly at: Date | null;
    }
  | { readonly type: "expired"; readonly at: Date }
  | { readonly type: "changed"; readonly version: number }
  /** `offered`: the labels that can be chosen instead. */
  | { readonly type: "not-offered"; readonly offered: readonly string[] }
  /** `takesNoWords`: the goal runs a fixed command, so only criteria or a budget can change. */
  | { readonly type: "instructions-needed"; readonly takesNoWords?: true }
  /** The new ceiling is not above what the goal or campaign has already cost: work would stop at once. */
  | { readonly type: "below-cost"; readonly spentMicroUsd: number }
  /** Edit without a new command. */
  | { readonly type: "command-needed" }
  /** Instructions for a goal that runs a fixed command: nothing would read them. */
  | { readonly type: "fixed-command" }
  /** Nothing would read the words given with this choice. `instead`: the choice that accepts them, if there is one. */
  | { readonly type: "not-taken"; readonly option: CheckpointOption; readonly instead: string | null };

/**
 * Decides what an answer does to a checkpoint. Pure. The write that follows requires `pending` and the same version, so a
 * decision from a stale read has no effect. `runsCommand`: the goal runs a fixed command.
 * D10, D11, D12, D50, S4-CK-15, S4-CK-21, C-58, C-64, C-66.
 */
export function answerCheckpoint(
  checkpoint: Checkpoint,
  answer: Answer,
  now: Date,
  runsCommand = false,
): AnswerDecision {
  const over = isOverFor(checkpoint, answer.givenAt ?? now);
  if (over !== null) return over;
  if (answer.version !== null && answer.version !== checkpoint.version) {
    return { type: "changed", version: checkpoint.version };
  }
  if (runsCommand && answer.instructions !== null) return { type: "fixed-command" };

  if (checkpoint.kind === "escalation" && sameWord(answer.choice, acknowledgeLabel)) return { type: "acknowledged" };
  const option = findOption(answerable(checkpoint), answer.choice);
  if (option === null) return notOffered(checkpoint);

  switch (option.effect) {
    case "continue":
      return notTaken(checkpoint, answer, option) ?? { type: "recorded", option, status: "approved" };
    case "retry":
      return notTaken(checkpoint, answer, option) ?? { type: "recorded", option, status: "rejected" };
    case "skip":
    case "manual":
      return notTaken(checkpoint, answer, option) ?? { type: "recorded", option, status: "rejected" };
    case "pause":
      return notTaken(checkpoint, answer, option) ?? { type: "paused", option };
    case "edit":
      return answer.command === undefined
        ? { type: "command-needed" }
        : { type: "recorded", option, status: "approved" };
    case "modify":
      if (answer.budgetMicroUsd !== null && !takesBudget(option.label)) {
        return { type: "not-taken", option, instead: null };
      }
      if (answer.instructions === null && answer.criteria === null && answer.budgetMicroUsd === null) {
        return { type: "instructions-needed", ...(runsCommand ? { takesNoWords: true } : {}) };
      }
      return { type: "recorded", option, status: "approved" };
  }
}

/** Returns the response to an answer that names no choice: who answered first when it is closed, else what it offers. S4-CK-21. */
export function withoutChoice(checkpoint: Checkpoint, now: Date): AnswerDecision {
  return isOverFor(checkpoint, now) ?? notOffered(checkpoint);
}

/** Returns why the question can no longer be answered. Null when it is open. */
function isOverFor(checkpoint: Checkpoint, at: Date): AnswerDecision | null {
  const { status, expiresAt, resolvedBy: by, chosenOption: choice, resolvedAt } = checkpoint;
  if (status === "expired" || (status === "pending" && at >= expiresAt)) return { type: "expired", at: expiresAt };
  return status === "pending" ? null : { type: "already-answered", status, by, choice, at: resolvedAt };
}

function notOffered({ options }: Checkpoint): AnswerDecision {
  return { type: "not-offered", offered: options.map((each) => each.label) };
}

/** Returns the decision, or "below-cost" when the new ceiling leaves nothing to spend. */
export function withCeiling(decision: AnswerDecision, answer: Answer, spentMicroUsd: number): AnswerDecision {
  const { budgetMicroUsd } = answer;
  const isTaken = decision.type === "recorded" && ["modify", "continue"].includes(decision.option.effect);
  const isBelow = budgetMicroUsd !== null && spentMicroUsd > 0 && budgetMicroUsd <= spentMicroUsd;
  return isTaken && isBelow ? { type: "below-cost", spentMicroUsd } : decision;
}

/** True when the answer changes instructions, criteria or budget. */
export function isChange({ instructions, criteria, budgetMicroUsd }: Answer): boolean {
  return instructions !== null || criteria !== null || budgetMicroUsd !== null;
}

/** Only the recovery ladder uses words given with a choice. For other questions, and for choices that end work, nothing would. */
function notTaken({ kind, options }: Checkpoint, answer: Answer, option: CheckpointOption): AnswerDecision | null {
  const goesOn = option.effect === "continue" || option.effect === "retry";
  if (!isChange(answer) || (goesOn && (kind === "escalation" || kind === "clarify"))) return null;
  return { type: "not-taken", option, instead: options.find(({ effect }) => effect === "modify")?.label ?? null };
}
