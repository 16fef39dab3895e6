import type { Goal, GoalStatus } from "./goal.ts";

/** Where a goal stands: its status, made finer by its lease and by what it is blocked on. */
export const machineStates = [
  "pending",
  "begun",
  "worked",
  "asked",
  "parked",
  "complete",
  "failed",
  "deferred",
  "manual_followup",
] as const;

export type MachineState = (typeof machineStates)[number];

/** The columns that only transitions write, but for the words that go along with them. */
export type MachineColumn =
  | "status"
  | "blockedOn"
  | "phase"
  | "runId"
  | "wakeAt"
  | "stopRequested"
  | "parkedFor"
  | "errorCount"
  | "recoveryLevel"
  | "isHiccup"
  | "interruptions"
  | "leasedBy"
  | "leasedUntil";

export type MachineChanges = Partial<Pick<Goal, MachineColumn | "outcome" | "branch">>;

/** What of a goal its next state depends on. */
export type MachineGoal = Pick<Goal, "status" | "blockedOn" | "leasedBy" | "phase" | "parkedFor" | "stopRequested">;

export type EndedStatus = Extract<GoalStatus, "complete" | "failed" | "deferred" | "manual_followup">;

/** The state that a goal's row is in. A lease counts until somebody ends it, also when it has expired. */
export function machineState(goal: Pick<Goal, "status" | "blockedOn" | "leasedBy">): MachineState {
  if (goal.leasedBy !== null) return "worked";
  switch (goal.status) {
    case "pending":
      return "pending";
    case "in_progress":
      return "begun";
    case "blocked":
      return goal.blockedOn === "question" ? "asked" : "parked";
    case "complete":
    case "failed":
    case "deferred":
    case "manual_followup":
      return goal.status;
  }
}
