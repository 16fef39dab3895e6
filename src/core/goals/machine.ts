import type { Goal, GoalStatus } from "./goal.ts";

/** The states of a goal: its status, refined by its lease and by what it is blocked on. */
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

/** The columns that only transitions write. Not listed: texts such as `outcome`, which they may write too. */
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

/** The columns of a goal that its next state depends on. */
export type MachineGoal = Pick<Goal, "status" | "blockedOn" | "leasedBy" | "phase" | "parkedFor" | "stopRequested">;

export type EndedStatus = Extract<GoalStatus, "complete" | "failed" | "deferred" | "manual_followup">;

/** Returns the state of a goal's row. An expired lease still counts until a transition ends it. */
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
