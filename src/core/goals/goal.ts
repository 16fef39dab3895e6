import type { TaskSettings } from "../task-loop/state.ts";
import type { WorklogFlags } from "../worklog/flags.ts";
import type { Trigger } from "../checkpoints/triggers.ts";

/**
 * A goal: one piece of work, and where it stands.
 *
 *   pending ──claim──► in_progress ──────────────► complete | failed | manual_followup
 *      ▲  ▲               │   ▲
 *      │  └──resume───────┤   └─answered─┐
 *      │                  └──ask──► blocked (open card) ──Skip──► deferred
 *      └──────────────────────────  blocked (parked)
 *
 * `blocked` waits for a person: with an open checkpoint it is *waiting*, without one it is *parked* (D18).
 */
export const goalStatuses = [
  "pending",
  "in_progress",
  "blocked",
  "complete",
  "failed",
  "deferred",
  "manual_followup",
] as const;
export type GoalStatus = (typeof goalStatuses)[number];

/** No turn follows one of these unless a person says so. */
export const endedStatuses: readonly GoalStatus[] = ["complete", "failed", "deferred", "manual_followup"];

export const priorities = ["high", "medium", "low"] as const;
export type Priority = (typeof priorities)[number];

export const tiers = ["STRICT", "STANDARD", "LIGHT", "EXEMPT"] as const;
export type Tier = (typeof tiers)[number];

/**
 * What the next turn does first: ask and begin; find out how to go on after failures; work; verify what was worked;
 * complete it (after a question about it).
 */
export const phases = ["start", "recover", "implement", "verify", "finish"] as const;
export type Phase = (typeof phases)[number];

/** What a blocked goal waits for: an answer, a person's word, or a goal that it is on top of and that is lost. */
export type BlockedOn = "question" | "person" | "ground";

/** A phase of a run that has begun. */
export type PhaseOfRun = Exclude<Phase, "start">;

/** What a person asked of a goal whose turn may be running; the worker learns it at the next renewal (D4). */
export const stopRequests = ["pause", "skip", "stop", "modify"] as const;
export type StopRequest = (typeof stopRequests)[number];

/** Where the goal's work comes from (D30); the order is the precedence (S4-AP-14). */
export type Linkage =
  | { readonly kind: "feature"; readonly feature: string; readonly issue: string }
  | { readonly kind: "bug"; readonly bug: string }
  | { readonly kind: "spec"; readonly path: string }
  /** An issue of a forge; `url` is made by us. */
  | { readonly kind: "issue"; readonly url: string }
  | { readonly kind: "none" };

/** An instruction a person added (Modify, Retry, a reply); it reaches prompts fenced (D35). */
export interface Instruction {
  readonly by: string;
  readonly text: string;
  readonly at: string;
}

/** A trigger that a person settled in this run, with the content it was settled for (D3). */
export interface SettledTrigger {
  readonly trigger: Trigger;
  readonly contentHash: string;
}

export interface Goal {
  readonly goalId: string;
  readonly repositoryId: string;
  readonly sessionId: string | null;
  /** The campaign whose plan it comes from, the day of it on which it was worked last, and its milestone. */
  readonly campaignId: string | null;
  readonly campaignDay: number | null;
  readonly milestoneId: string | null;
  readonly position: number;
  readonly content: string;
  readonly tags: readonly string[];
  readonly priority: Priority;
  /** As somebody chose it; null: rules say it (`tierOf`). */
  readonly tier: Tier | null;
  readonly worklogFlags: WorklogFlags | null;
  readonly estimatedMinutes: number | null;
  readonly estimateMicroUsd: number | null;
  /** A ceiling a person set with Modify; null: computed (D22). */
  readonly ceilingMicroUsd: number | null;
  readonly linkage: Linkage;
  /** The linked document's text, read when the goal was added (D30). */
  readonly linkedText: string | null;
  readonly criteria: string | null;
  readonly filesAllowed: readonly string[];
  readonly proofAllowed: readonly string[];
  readonly runCommand: string | null;
  /** Tasks worked side by side; null: it has no task list (C-97). */
  readonly taskParallel: number | null;
  readonly taskSettings: TaskSettings | null;
  readonly instructions: readonly Instruction[];
  /** Whoever added it said so, or it came from no person. */
  readonly isUnplanned: boolean;
  /** The session that it was not planned into as it is. */
  readonly unplannedIn: string | null;
  /** Goals that it is on top of: it begins on their commits (D37). */
  readonly after: readonly string[];
  /** The one of them whose end has parked it; null: nothing of that kind. */
  readonly parkedFor: string | null;
  /** When it joined its session, which was open by then; null: the session began with it. */
  readonly joinedAt: Date | null;
  readonly errorCount: number;
  readonly recoveryLevel: number;
  readonly isHiccup: boolean;
  readonly status: GoalStatus;
  /** Null: it is not blocked. */
  readonly blockedOn: BlockedOn | null;
  readonly phase: Phase;
  readonly turn: number;
  readonly interruptions: number;
  readonly wakeAt: Date | null;
  readonly leasedBy: string | null;
  readonly leasedUntil: Date | null;
  readonly stopRequested: StopRequest | null;
  readonly runId: string | null;
  readonly branch: string | null;
  /** One line for people: how it ended or why it waits. */
  readonly outcome: string | null;
  readonly createdBy: string;
  /** The account of that person, for votes; null: from before there were any. */
  readonly requester: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** D18's derived state, finer than the status. */
export type GoalState = "ready" | "running" | "retrying" | "waiting" | "parked" | "idle" | "ended";

/** What a goal's row does not say by itself. */
export interface GoalNow {
  /** A question about it is open. */
  readonly isAsked: boolean;
  /** Its lease is over by the database's clock: its worker is gone, and none has gone on with it (`cutGoals`). */
  readonly isCut: boolean;
}

/** What a goal is at a moment, as lists and cards name it: its row and what is known of its question and its lease. */
export function stateOf(
  goal: Pick<Goal, "status" | "leasedBy" | "wakeAt">,
  { isAsked, isCut }: GoalNow,
  now: Date,
): GoalState {
  if (endedStatuses.includes(goal.status)) return "ended";
  // One that was stopped is parked, though its turn still ends (F-308).
  if (goal.status === "blocked") return isAsked ? "waiting" : "parked";
  if (goal.leasedBy !== null && !isCut) return "running";
  if (goal.wakeAt === null) return "idle";
  return goal.wakeAt <= now ? "ready" : "retrying";
}

/**
 * The text whose change makes an approval void: content, criteria, repository, estimate (D14). Hashed by the caller;
 * key order is fixed here.
 */
export function approvedContent(
  goal: Pick<
    Goal,
    "content" | "criteria" | "repositoryId" | "estimateMicroUsd" | "runCommand" | "linkedText" | "instructions"
  >,
): string {
  return JSON.stringify([
    goal.repositoryId,
    goal.content,
    goal.linkedText,
    goal.criteria,
    goal.estimateMicroUsd,
    goal.runCommand,
    goal.instructions.map((each) => each.text),
  ]);
}

/**
 * Whether it is outside of its session's plan: a fact of the goal in that session, which another session does not inherit.
 * What a person adds to a session that is open is part of its plan. D37, C-68, S4-TG-05.
 */
export function isUnplannedNow(goal: Pick<Goal, "isUnplanned" | "unplannedIn" | "sessionId">): boolean {
  return goal.isUnplanned || (goal.unplannedIn !== null && goal.unplannedIn === goal.sessionId);
}

/** What the linkage asks the agent to do (D30, S4-AP-11…15). */
export function workKind(goal: Pick<Goal, "linkage">): "implement" | "fix" | "write-spec" {
  switch (goal.linkage.kind) {
    case "feature":
    case "issue":
    case "none":
      return "implement";
    case "bug":
      return "fix";
    case "spec":
      return "write-spec";
  }
}

/** How a goal ends that nothing can work: it is a person's from the beginning (S4-AP-15). */
export const notExecuted = "Manual goal - no automated execution";
