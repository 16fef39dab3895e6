import type { PolicyChange } from "../memory/tuning.ts";
import type { Trigger } from "./triggers.ts";

/**
 * A checkpoint: a question to a human, its choices, later its answer.
 *
 *   pending ──answer──► approved (continue, modify) | rejected (skip)
 *      │ ▲ └──deadline─► expired: the goal is parked, its session goes on (D12)
 *      │ └──pause: the session pauses, the question stays open (D11)
 *      └──the goal ended or was withdrawn─► superseded
 *
 * New reasons or changed content raise `version`; only an answer to the version that was shown settles it (D10).
 */
export const checkpointStatuses = ["pending", "approved", "rejected", "expired", "superseded"] as const;
export type CheckpointStatus = (typeof checkpointStatuses)[number];

/** What choosing an option does (C-64): the meaning belongs to the option, not to its label. */
export const effects = ["continue", "skip", "modify", "edit", "pause", "retry", "manual"] as const;
export type Effect = (typeof effects)[number];

export interface CheckpointOption {
  readonly label: string;
  readonly description: string;
  readonly effect: Effect;
  readonly isRecommended: boolean;
}

/**
 * When it was asked: before the work, before more of it, about its result, about one action of the agent, about changed proof (D3, D26, D28,
 * D29), about what critics found, about a spec that is ready (C-70); in the middle of the recovery ladder, at its end (D19), about a session that was paused (D20), or about a ceiling that was
 * met in a night.
 */
export const goalQuestions = [
  "start",
  "continue",
  "diff",
  "permission",
  "hiccup",
  "proof",
  "critics",
  "approval",
  "clarify",
  "escalation",
  "breaker",
  "ceiling",
] as const;
export type GoalQuestion = (typeof goalQuestions)[number];

/**
 * What a person is asked about a campaign: its plan before anything runs; each milestone before its first day; whether a
 * milestone is done whose goals were not all verified; another plan, when it may not plan anew by itself; its money.
 */
export const campaignQuestions = ["plan", "milestone", "confirm", "replan", "money"] as const;
export type CampaignQuestion = (typeof campaignQuestions)[number];

/** What a person is asked about no goal and no campaign: whether the policy is to be as the shown diff says. */
export type PolicyQuestion = "tuning";

/** The subject of such a question: one is open at a time. */
export const policySubject = "policy";

export type CheckpointKind = GoalQuestion | CampaignQuestion | PolicyQuestion;
export const checkpointKinds: readonly CheckpointKind[] = [...goalQuestions, ...campaignQuestions, "tuning"];

/** One reason on the card, with the words for it. */
export interface Reason {
  readonly trigger: Trigger;
  readonly context: string;
}

/** Facts at the time of asking that the card shows. Amounts in micro-dollars. */
export interface CheckpointFacts {
  readonly costMicroUsd: number;
  readonly costIsEstimated: boolean;
  readonly estimateMicroUsd: number | null;
  readonly spentTodayMicroUsd: number;
  /** Goals of the session that wait behind this answer. */
  readonly goalsWaiting: number;
  /** Files, commands or lines behind the reasons. */
  readonly details: readonly string[];
  /** How those files differ, safe to show; absent where it is not what is asked. */
  readonly diff?: string;
  /** Identifies a permission request over restarts (D29). */
  readonly fingerprint: string | null;
  /** The diff that is asked about, as `details` show it; absent where no policy is asked about. */
  readonly policy?: readonly PolicyChange[];
}

export interface Checkpoint {
  readonly checkpointId: string;
  readonly kind: CheckpointKind;
  /** What is asked about: a goal id (or a milestone's). One pending checkpoint per subject (D10). */
  readonly subject: string;
  readonly goalId: string | null;
  readonly campaignId: string | null;
  readonly runId: string | null;
  readonly version: number;
  /** The most important reason (C-61). */
  readonly trigger: Trigger;
  readonly reasons: readonly Reason[];
  readonly context: string;
  readonly options: readonly CheckpointOption[];
  readonly recommendation: string;
  readonly facts: CheckpointFacts;
  readonly contentHash: string;
  readonly status: CheckpointStatus;
  readonly chosenOption: string | null;
  readonly humanNotes: string | null;
  readonly resolvedBy: string | null;
  readonly resolvedVia: string | null;
  readonly resolvedAt: Date | null;
  readonly createdAt: Date;
  readonly askedAt: Date;
  readonly remindedAt: Date | null;
  readonly expiresAt: Date;
  /** Who paused the session from this card; shown while it stays open (D11). */
  readonly pausedBy: string | null;
  /** Who has seen an escalation and takes care of it. */
  readonly acknowledgedBy: string | null;
  readonly acknowledgedAt: Date | null;
  /** What the newest version changed, for the card. */
  readonly changed: string | null;
}

/** A question about a goal, or about its session. */
export type GoalCheckpoint = Checkpoint & { readonly kind: GoalQuestion; readonly goalId: string };

/** A question about a campaign. */
export type CampaignCheckpoint = Checkpoint & { readonly kind: CampaignQuestion; readonly campaignId: string };

/** A question about the policy, with the diff that an approval applies. */
export type PolicyCheckpoint = Checkpoint & {
  readonly kind: PolicyQuestion;
  readonly changes: readonly PolicyChange[];
};

/** The same checkpoint as one about a goal; null when it is about a campaign. */
export function aboutGoal(checkpoint: Checkpoint): GoalCheckpoint | null {
  const { kind, goalId } = checkpoint;
  return isCampaignQuestion(kind) || kind === "tuning" || goalId === null ? null : { ...checkpoint, kind, goalId };
}

/** The same checkpoint as one about a campaign; null when it is about a goal. */
export function aboutCampaign(checkpoint: Checkpoint): CampaignCheckpoint | null {
  const { kind, campaignId } = checkpoint;
  return isCampaignQuestion(kind) && campaignId !== null ? { ...checkpoint, kind, campaignId } : null;
}

/** The same checkpoint as one about the policy; null when it is about a goal or a campaign. */
export function aboutPolicy(checkpoint: Checkpoint): PolicyCheckpoint | null {
  const { kind, facts } = checkpoint;
  return kind === "tuning" ? { ...checkpoint, kind, changes: facts.policy ?? [] } : null;
}

function isCampaignQuestion(kind: CheckpointKind): kind is CampaignQuestion {
  return campaignQuestions.some((each) => each === kind);
}

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
}

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
      readonly reason: "requester" | "not-named";
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
  | { readonly type: "not-offered"; readonly offered: readonly string[] }
  | { readonly type: "instructions-needed" }
  /** Edit without a command to run instead. */
  | { readonly type: "command-needed" }
  /** Words about how to go about it, for a goal that runs a fixed command: nobody would read them. */
  | { readonly type: "fixed-command" };

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
  if (checkpoint.status === "expired") return { type: "expired", at: checkpoint.resolvedAt ?? checkpoint.expiresAt };
  if (checkpoint.status !== "pending") {
    const { status, resolvedBy: by, chosenOption: choice, resolvedAt: at } = checkpoint;
    return { type: "already-answered", status, by, choice, at };
  }
  if (now >= checkpoint.expiresAt) return { type: "expired", at: checkpoint.expiresAt };
  if (answer.version !== null && answer.version !== checkpoint.version) {
    return { type: "changed", version: checkpoint.version };
  }
  if (runsCommand && answer.instructions !== null) return { type: "fixed-command" };

  if (checkpoint.kind === "escalation" && sameWord(answer.choice, acknowledgeLabel)) return { type: "acknowledged" };
  const option = findOption(answerable(checkpoint), answer.choice);
  if (option === null) return { type: "not-offered", offered: checkpoint.options.map((each) => each.label) };

  switch (option.effect) {
    case "continue":
      return { type: "recorded", option, status: "approved" };
    case "skip":
    case "retry":
    case "manual":
      return { type: "recorded", option, status: "rejected" };
    case "pause":
      return { type: "paused", option };
    case "edit":
      return answer.command === undefined
        ? { type: "command-needed" }
        : { type: "recorded", option, status: "approved" };
    case "modify":
      if (answer.instructions === null && answer.criteria === null && answer.budgetMicroUsd === null) {
        return { type: "instructions-needed" };
      }
      return { type: "recorded", option, status: "approved" };
  }
}

/** What can be said to an escalation without deciding it. */
export const acknowledgeLabel = "Acknowledge";

const pauseOption: CheckpointOption = {
  label: "Pause",
  description: "Pause the session for manual review",
  effect: "pause",
  isRecommended: false,
};

/** What may be answered: what the card offers, and Pause in the middle of a ladder and at its end, where it has no button. */
export function answerable(checkpoint: Pick<Checkpoint, "kind" | "options">): readonly CheckpointOption[] {
  const isAboutRecovery = checkpoint.kind === "escalation" || checkpoint.kind === "clarify";
  return isAboutRecovery ? [...checkpoint.options, pauseOption] : checkpoint.options;
}

/** The option with that label, whatever its case; "modify" also means the one that takes changes. Null: not offered. */
export function findOption(options: readonly CheckpointOption[], label: string): CheckpointOption | null {
  const named = options.find((option) => sameWord(option.label, label));
  return named ?? (sameWord(label, "modify") ? optionWithEffect(options, "modify") : null);
}

/** What a goal with a fixed command offers in the place of instructions (D50). */
export const editLabel = "Edit the command";

/** What a question about a proof that cannot fail offers in its place. */
export const criterionLabel = "Give another criterion";

/** Whether it is asked about a proof that cannot fail, and not about changed files. */
export function offersCriterion({ options }: Pick<Checkpoint, "options">): boolean {
  return options.some(({ label }) => label === criterionLabel);
}

/** Buttons carry a label in lower case with dashes. */
function sameWord(one: string, other: string): boolean {
  const plain = (word: string): string => word.trim().toLowerCase().replaceAll("-", " ");
  return plain(one) === plain(other);
}

/** The option that `approve` or `reject` means on this card (C-64); null when it has none. */
export function optionWithEffect(options: readonly CheckpointOption[], effect: Effect): CheckpointOption | null {
  return options.find((option) => option.effect === effect) ?? null;
}

/** `cp-1a2b3c4d.2`: what a button carries, an id and the version that was shown (D10). */
export function checkpointAddress(checkpoint: Pick<Checkpoint, "checkpointId" | "version">): string {
  return `${checkpoint.checkpointId}.${checkpoint.version}`;
}

/** Reads `cp-1a2b3c4d` or `cp-1a2b3c4d.2`. */
export function parseCheckpointAddress(text: string): { checkpointId: string; version: number | null } {
  const match = /^(.+?)\.(\d{1,9})$/.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) return { checkpointId: text, version: null };
  return { checkpointId: match[1], version: Number(match[2]) };
}
