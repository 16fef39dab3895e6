import type { CheckpointStatus, CheckpointOption, Checkpoint } from "./checkpoint.ts";
import { answerable, findOption, sameWord, takesBudget } from "./find-option.ts";
import { acknowledgeLabel } from "./options.ts";

/** What a human did to a checkpoint. `version` null: the caller shows no version (the terminal). */
export interface Answer {
  readonly choice: string;
  readonly version: number | null;
  readonly notes: string | null;
  readonly instructions: string | null;
  /** Who wrote the instructions, when that is not who answers: a reply that somebody else confirmed. */
  readonly writtenBy?: string;
  readonly criteria: string | null;
  readonly budgetMicroUsd: number | null;
  /** What a goal with a fixed command is to run instead. */
  readonly command?: string;
  /** When it was given, where it is recorded later: that is before or after the deadline. */
  readonly givenAt?: Date;
}

/** Why somebody's vote does not count: they asked for it, it counts only of others, or whether it counts could not be found out. */
export type NotCounted = "requester" | "not-named" | "groups-unknown";

/** How many have agreed, of those who have to (`core/checkpoints/quorum.ts`). */
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
      /** All who agreed, where several had to. */
      readonly by?: string;
    }
  /** Others have to agree as well; `isNew` false: this person had voted. */
  | { readonly type: "voted"; readonly isNew: boolean; readonly tally: readonly TallyLine[] }
  /** Somebody changed what the others have to agree to: it is asked anew, as that version. */
  | { readonly type: "reopened"; readonly option: CheckpointOption; readonly version: number }
  /** Their word does not settle this, alone or with others. */
  | {
      readonly type: "not-counted";
      readonly reason: NotCounted;
      readonly tally: readonly TallyLine[];
    }
  /** Audit row and paused session; the question stays open (D11). */
  | { readonly type: "paused"; readonly option: CheckpointOption }
  /** Somebody has seen it and takes care of it: the question stays open, and nobody is reminded. */
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
  /** `offered`: what can be chosen instead. */
  | { readonly type: "not-offered"; readonly offered: readonly string[] }
  /** `takesNoWords`: its goal runs a fixed command, so that it is criteria or a budget. */
  | { readonly type: "instructions-needed"; readonly takesNoWords?: true }
  /** A ceiling that is no more than what the goal or campaign has cost: it would end at once. */
  | { readonly type: "below-cost"; readonly spentMicroUsd: number }
  /** Edit without a command to run instead. */
  | { readonly type: "command-needed" }
  /** Words about how to go about it, for a goal that runs a fixed command: nobody would read them. */
  | { readonly type: "fixed-command" }
  /** What was said beside the choice would reach nobody; `instead`: the choice that takes it, where there is one. */
  | { readonly type: "not-taken"; readonly option: CheckpointOption; readonly instead: string | null };

/**
 * What an answer does to a checkpoint. Pure; the write that follows is conditional on `pending` and the version, so a
 * decision made on a stale read loses there. `runsCommand`: the goal it is about runs a fixed command.
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

/** What somebody is told whose answer is none of its choices: who won where it is over, else what it offers. S4-CK-21. */
export function withoutChoice(checkpoint: Checkpoint, now: Date): AnswerDecision {
  return isOverFor(checkpoint, now) ?? notOffered(checkpoint);
}

/** Why nobody answers it any more; null: it is open. */
function isOverFor(checkpoint: Checkpoint, at: Date): AnswerDecision | null {
  const { status, expiresAt, resolvedBy: by, chosenOption: choice, resolvedAt } = checkpoint;
  if (status === "expired" || (status === "pending" && at >= expiresAt)) return { type: "expired", at: expiresAt };
  return status === "pending" ? null : { type: "already-answered", status, by, choice, at: resolvedAt };
}

function notOffered({ options }: Checkpoint): AnswerDecision {
  return { type: "not-offered", offered: options.map((each) => each.label) };
}

/** The decision, or why it is none: a ceiling has to leave something of what its goal or campaign may cost. */
export function withCeiling(decision: AnswerDecision, answer: Answer, spentMicroUsd: number): AnswerDecision {
  const { budgetMicroUsd } = answer;
  const isTaken = decision.type === "recorded" && ["modify", "continue"].includes(decision.option.effect);
  const isBelow = budgetMicroUsd !== null && spentMicroUsd > 0 && budgetMicroUsd <= spentMicroUsd;
  return isTaken && isBelow ? { type: "below-cost", spentMicroUsd } : decision;
}

/** Whether it says other words, criteria or money than what was shown. */
export function isChange({ instructions, criteria, budgetMicroUsd }: Answer): boolean {
  return instructions !== null || criteria !== null || budgetMicroUsd !== null;
}

/** Only the recovery ladder goes on with what it is told; elsewhere, and where nothing goes on, changes would reach nobody. */
function notTaken({ kind, options }: Checkpoint, answer: Answer, option: CheckpointOption): AnswerDecision | null {
  const goesOn = option.effect === "continue" || option.effect === "retry";
  if (!isChange(answer) || (goesOn && (kind === "escalation" || kind === "clarify"))) return null;
  return { type: "not-taken", option, instead: options.find(({ effect }) => effect === "modify")?.label ?? null };
}
