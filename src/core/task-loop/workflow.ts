import { noFlags, type TaskFlags } from "./flags.ts";

/**
 * The task loop as a machine (seed 003 §2): phases, and transitions in the order of their priority as data. The drawing in
 * docs/task-loop.md is made of them.
 */
export const loopPhases = [
  "implement_task",
  "spec_check_mode_select",
  "spec_check_legacy",
  "spec_check_layered",
  "spec_check_persist",
  "fix_ci",
  "completeness_verification",
  "task_loop_handoff",
  "run_stopped_setup_failure",
] as const;
export type LoopPhase = (typeof loopPhases)[number];

/** Nothing follows in this run (S3-TR-14). */
export const terminalPhases: readonly LoopPhase[] = ["task_loop_handoff", "run_stopped_setup_failure"];

/** What a phase left behind. */
export interface LoopStatus extends TaskFlags {
  /** The phase did what it is for: exit code 0. */
  readonly succeeded: boolean;
  readonly stopRequested: boolean;
  readonly restartPhase: boolean;
  readonly setupFailed: boolean;
  readonly mode: "legacy" | "layered" | null;
  readonly commitFailed: boolean;
  readonly pushFailed: boolean;
  readonly missingWork: boolean;
  readonly implementationComplete: boolean;
}

export const nothingYet: LoopStatus = {
  ...noFlags,
  succeeded: true,
  stopRequested: false,
  restartPhase: false,
  setupFailed: false,
  mode: null,
  commitFailed: false,
  pushFailed: false,
  missingWork: false,
  implementationComplete: false,
};

export interface Transition {
  readonly from: LoopPhase;
  readonly to: LoopPhase;
  readonly priority: number;
  /** In words, for the drawing and for the record. */
  readonly when: string;
  readonly holds: (status: LoopStatus) => boolean;
  /** Flags that the transition clears. */
  readonly clears: readonly (keyof LoopStatus)[];
}

const always = (): boolean => true;

function edge(
  from: LoopPhase,
  to: LoopPhase,
  priority: number,
  when: string,
  holds: Transition["holds"],
  clears: Transition["clears"] = [],
): Transition {
  return { from, to, priority, when, holds, clears };
}

/** Every edge of the machine. S3-TR-01…15, C-44, C-47. */
export const transitions: readonly Transition[] = [
  edge("implement_task", "run_stopped_setup_failure", 1, "setup failed", (status) => status.setupFailed),
  edge("implement_task", "implement_task", 2, "asked to begin again", (status) => status.restartPhase, [
    "restartPhase",
  ]),
  edge("implement_task", "spec_check_mode_select", 3, "implemented", (status) => status.succeeded),

  edge("spec_check_mode_select", "spec_check_layered", 1, "layered skills", (status) => status.mode === "layered"),
  edge("spec_check_mode_select", "spec_check_legacy", 2, "otherwise", always),

  edge("spec_check_legacy", "run_stopped_setup_failure", 1, "setup failed", (status) => status.setupFailed),
  edge("spec_check_legacy", "spec_check_persist", 2, "checked", (status) => status.succeeded),
  edge("spec_check_layered", "run_stopped_setup_failure", 1, "setup failed", (status) => status.setupFailed),
  edge("spec_check_layered", "spec_check_persist", 2, "checked", (status) => status.succeeded),

  edge("spec_check_persist", "fix_ci", 1, "the commit failed", (status) => status.commitFailed),
  edge("spec_check_persist", "fix_ci", 2, "the push failed", (status) => status.pushFailed),
  edge("spec_check_persist", "implement_task", 3, "the task failed", (status) => status.taskFailed === true),
  edge(
    "spec_check_persist",
    "implement_task",
    4,
    "passed, more tasks",
    (status) => status.taskPassed === true && status.hasMoreTasks === true,
  ),
  edge(
    "spec_check_persist",
    "completeness_verification",
    5,
    "all tasks are complete",
    (status) => status.allTasksComplete === true,
  ),

  edge("fix_ci", "spec_check_mode_select", 1, "repaired", (status) => status.succeeded, ["commitFailed", "pushFailed"]),

  edge("completeness_verification", "implement_task", 1, "work is missing", (status) => status.missingWork, [
    "missingWork",
  ]),
  edge("completeness_verification", "task_loop_handoff", 2, "complete", (status) => status.implementationComplete),
];

export interface NextPhase {
  readonly phase: LoopPhase;
  readonly reason: string;
  readonly cleared: readonly (keyof LoopStatus)[];
}

/**
 * Where the loop goes from a phase: the first transition that holds, by priority (S3-TR-10). A stop request moves nothing
 * (S3-TR-15); where nothing holds, the phase stays (S3-TR-11). Flags are normalised by the caller, so that a check never
 * leaves the loop without a way.
 */
export function nextPhase(phase: LoopPhase, status: LoopStatus): NextPhase {
  if (terminalPhases.includes(phase)) return { phase, reason: "the loop has ended", cleared: [] };
  if (status.stopRequested) return { phase, reason: "a stop was requested", cleared: [] };
  const mayLeave = status.succeeded || status.setupFailed;
  const found = transitions
    .filter((each) => each.from === phase)
    .toSorted((one, other) => one.priority - other.priority)
    .find((each) => mayLeave && each.holds(status));
  if (found === undefined)
    return { phase, reason: status.succeeded ? "nothing follows yet" : "it did not succeed", cleared: [] };
  return { phase: found.to, reason: found.when, cleared: found.clears };
}

/** The machine as a Mermaid diagram, for the documentation. */
export function drawMachine(): string {
  const edges = transitions.map((each) => `    ${each.from} --> ${each.to}: ${each.priority}. ${each.when}`);
  const ends = terminalPhases.map((phase) => `    ${phase} --> [*]`);
  return ["stateDiagram-v2", "    [*] --> implement_task", ...edges, ...ends].join("\n");
}
