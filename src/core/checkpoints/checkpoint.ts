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
 * The kinds of questions about a goal, by when they are asked: before the work, before more work, about its result, about one action
 * of the agent, after interruptions, about changed proof (D3, D26, D28, D29), about findings of critics, about a finished spec (C-70),
 * in the middle of the recovery ladder, at its end (D19), about a paused session (D20), and about a ceiling met in a night.
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
 * The questions about a campaign: its plan before anything runs, each milestone before its first day, whether a milestone is done
 * although not all its goals are verified, a new plan that needs approval, and its money.
 */
export const campaignQuestions = ["plan", "milestone", "confirm", "replan", "money"] as const;
export type CampaignQuestion = (typeof campaignQuestions)[number];

/** The question that is about no goal and no campaign: whether to change the policy as the shown diff says. */
export type PolicyQuestion = "tuning";

/** The subject of a policy question: only one is open at a time. */
export const policySubject = "policy";

export type CheckpointKind = GoalQuestion | CampaignQuestion | PolicyQuestion;
export const checkpointKinds: readonly CheckpointKind[] = [...goalQuestions, ...campaignQuestions, "tuning"];

/** One reason on the card, with its text. */
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
  /** Absent when it is not estimated, and for older questions. */
  readonly spentTodayIsEstimated?: boolean;
  /** Goals of the session that wait behind this answer. */
  readonly goalsWaiting: number;
  /** Files, commands or lines behind the reasons. */
  readonly details: readonly string[];
  /** The diff of those files, safe to show. Absent when the question is not about a diff. */
  readonly diff?: string;
  /** Identifies a permission request across restarts (D29). */
  readonly fingerprint: string | null;
  /** The policy changes that the question is about, as `details` shows them. Absent for other questions. */
  readonly policy?: readonly PolicyChange[];
}

export interface Checkpoint {
  readonly checkpointId: string;
  readonly kind: CheckpointKind;
  /** The subject of the question: a goal id or a milestone id. One pending checkpoint per subject (D10). */
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
  /** The person who paused the session from this card; shown while the question stays open (D11). */
  readonly pausedBy: string | null;
  /** The person who has seen an escalation and takes care of it. */
  readonly acknowledgedBy: string | null;
  readonly acknowledgedAt: Date | null;
  /** What the newest version changed, for the card. */
  readonly changed: string | null;
  /** When the newest version was made. Null when the question never changed. */
  readonly changedAt?: Date | null;
}

/** Returns the time since when the question reads as it does now. */
export function askedSoAt({ askedAt, changedAt }: Pick<Checkpoint, "askedAt" | "changedAt">): Date {
  return changedAt ?? askedAt;
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

/** Returns the checkpoint typed as a question about a goal. Null when it is about a campaign or the policy. */
export function aboutGoal(checkpoint: Checkpoint): GoalCheckpoint | null {
  const { kind, goalId } = checkpoint;
  return isCampaignQuestion(kind) || kind === "tuning" || goalId === null ? null : { ...checkpoint, kind, goalId };
}

/** Returns the checkpoint typed as a question about a campaign. Null when it is about a goal or the policy. */
export function aboutCampaign(checkpoint: Checkpoint): CampaignCheckpoint | null {
  const { kind, campaignId } = checkpoint;
  return isCampaignQuestion(kind) && campaignId !== null ? { ...checkpoint, kind, campaignId } : null;
}

/** Returns the checkpoint typed as a question about the policy. Null when it is about a goal or a campaign. */
export function aboutPolicy(checkpoint: Checkpoint): PolicyCheckpoint | null {
  const { kind, facts } = checkpoint;
  return kind === "tuning" ? { ...checkpoint, kind, changes: facts.policy ?? [] } : null;
}

function isCampaignQuestion(kind: CheckpointKind): kind is CampaignQuestion {
  return campaignQuestions.some((each) => each === kind);
}

/** Returns the address that a button carries, such as `cp-1a2b3c4d.2`: the id and the version shown (D10). */
export function checkpointAddress(checkpoint: Pick<Checkpoint, "checkpointId" | "version">): string {
  return `${checkpoint.checkpointId}.${checkpoint.version}`;
}

/** Parses `cp-1a2b3c4d` or `cp-1a2b3c4d.2`. */
export function parseCheckpointAddress(text: string): { checkpointId: string; version: number | null } {
  const match = /^(.+?)\.(\d{1,9})$/.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) return { checkpointId: text, version: null };
  return { checkpointId: match[1], version: Number(match[2]) };
}
