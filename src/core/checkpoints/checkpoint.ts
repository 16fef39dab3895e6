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
  /** Absent where it is not, and of older questions. */
  readonly spentTodayIsEstimated?: boolean;
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
  /** When that was; null: it is as it was asked first. */
  readonly changedAt?: Date | null;
}

/** Since when it says what it says now. */
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
