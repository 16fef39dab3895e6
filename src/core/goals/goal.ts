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

/** Statuses after which no turn follows unless a person asks for one. */
export const endedStatuses: readonly GoalStatus[] = ["complete", "failed", "deferred", "manual_followup"];

export const priorities = ["high", "medium", "low"] as const;
export type Priority = (typeof priorities)[number];

export const tiers = ["STRICT", "STANDARD", "LIGHT", "EXEMPT"] as const;
export type Tier = (typeof tiers)[number];

/**
 * The step that the next turn begins with. start: ask and begin. recover: decide how to continue after failures. implement: work.
 * verify: verify the work. finish: complete the goal (after a question about it).
 */
export const phases = ["start", "recover", "implement", "verify", "finish"] as const;
export type Phase = (typeof phases)[number];

/** What a blocked goal waits for: an answer, a person, or a lost goal that it builds on. */
export type BlockedOn = "question" | "person" | "ground";

/** A phase after the run has begun. */
export type PhaseOfRun = Exclude<Phase, "start">;

/** What a person may request for a goal whose turn may be running. The worker reads it at its next lease renewal (D4). */
export const stopRequests = ["pause", "skip", "stop", "modify"] as const;
export type StopRequest = (typeof stopRequests)[number];

/** The source of the goal's work (D30); the order is the precedence (S4-AP-14). */
export type Linkage =
  | { readonly kind: "feature"; readonly feature: string; readonly issue: string }
  | { readonly kind: "bug"; readonly bug: string }
  | { readonly kind: "spec"; readonly path: string }
  /** An issue of a forge; the system builds `url`. */
  | { readonly kind: "issue"; readonly url: string }
  | { readonly kind: "none" };

/** An instruction that a person added (Modify, Retry, a reply). Prompts contain it as fenced text (D35). */
export interface Instruction {
  readonly by: string;
  readonly text: string;
  readonly at: string;
}

/** A trigger that a person settled in this run, with the hash of the content that was settled (D3). */
export interface SettledTrigger {
  readonly trigger: Trigger;
  readonly contentHash: string;
}

export interface Goal {
  readonly goalId: string;
  readonly repositoryId: string;
  readonly sessionId: string | null;
  /** The campaign whose plan contains the goal, the campaign day on which it was last worked, and its milestone. */
  readonly campaignId: string | null;
  readonly campaignDay: number | null;
  readonly milestoneId: string | null;
  readonly position: number;
  readonly content: string;
  readonly tags: readonly string[];
  readonly priority: Priority;
  /** The tier that a person chose. Null: `tierOf` derives it from rules. */
  readonly tier: Tier | null;
  readonly worklogFlags: WorklogFlags | null;
  readonly estimatedMinutes: number | null;
  readonly estimateMicroUsd: number | null;
  /** A ceiling that a person set with Modify. Null: computed (D22). */
  readonly ceilingMicroUsd: number | null;
  readonly linkage: Linkage;
  /** The linked document's text, read when the goal was added (D30). */
  readonly linkedText: string | null;
  readonly criteria: string | null;
  readonly filesAllowed: readonly string[];
  readonly proofAllowed: readonly string[];
  readonly runCommand: string | null;
  /** Number of tasks worked in parallel. Null when the goal has no task list (C-97). */
  readonly taskParallel: number | null;
  readonly taskSettings: TaskSettings | null;
  readonly instructions: readonly Instruction[];
  /** True when the person who added it said so, or when no person added it. */
  readonly isUnplanned: boolean;
  /** The session whose plan did not contain this goal, although it is worked there. */
  readonly unplannedIn: string | null;
  /** Goals that this goal builds on: it starts on their commits (D37). */
  readonly after: readonly string[];
  /** The goal in `after` whose end parked this one. Null when none did. */
  readonly parkedFor: string | null;
  /** When the goal joined a session that was already open. Null when the session began with it. */
  readonly joinedAt: Date | null;
  readonly errorCount: number;
  readonly recoveryLevel: number;
  readonly isHiccup: boolean;
  readonly status: GoalStatus;
  /** Null when the goal is not blocked. */
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
  /** One line for people: how the goal ended or why it waits. */
  readonly outcome: string | null;
  readonly createdBy: string;
  /** The account of that person, for votes. Null for goals from before votes existed. */
  readonly requester: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The derived state of D18, finer than the status. */
export type GoalState = "ready" | "running" | "retrying" | "waiting" | "parked" | "idle" | "ended";

/** Facts about a goal that its row does not contain. */
export interface GoalNow {
  /** True when a question about the goal is open. */
  readonly isAsked: boolean;
  /** True when its lease has expired by the database clock: its worker is gone, and no other has continued (`cutGoals`). */
  readonly isCut: boolean;
}

/** Returns the state that lists and cards show, from the goal's row, its open question and its lease. */
export function stateOf(
  goal: Pick<Goal, "status" | "leasedBy" | "wakeAt">,
  { isAsked, isCut }: GoalNow,
  now: Date,
): GoalState {
  if (endedStatuses.includes(goal.status)) return "ended";
  // A stopped goal counts as parked even while its turn is still ending (F-308).
  if (goal.status === "blocked") return isAsked ? "waiting" : "parked";
  if (goal.leasedBy !== null && !isCut) return "running";
  if (goal.wakeAt === null) return "idle";
  return goal.wakeAt <= now ? "ready" : "retrying";
}

/**
 * Returns the text that an approval covers; a change of it voids the approval: content, linked text, criteria, repository,
 * estimate, command, instructions (D14). The caller hashes it. The order of the fields is fixed here.
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
 * True when the goal is outside its session's plan. This holds for one session; another session does not inherit it.
 * A goal that a person adds to an open session is part of the plan. D37, C-68, S4-TG-05.
 */
export function isUnplannedNow(goal: Pick<Goal, "isUnplanned" | "unplannedIn" | "sessionId">): boolean {
  return goal.isUnplanned || (goal.unplannedIn !== null && goal.unplannedIn === goal.sessionId);
}

/** Returns the kind of work that the linkage asks of the agent (D30, S4-AP-11…15). */
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

/** Outcome of a goal that no executor can work: a person must do it (S4-AP-15). */
export const notExecuted = "Manual goal - no automated execution";
