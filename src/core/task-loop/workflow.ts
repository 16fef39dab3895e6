import { noFlags, type TaskFlags } from "./flags.ts";

/**
 * The task loop as a state machine (seed 003 §2): phases, and transitions in order of priority, as data. The drawing in docs/task-loop.md
 * is generated from them.
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

/** The run ends with these phases (S3-TR-14). */
const terminalPhases: readonly LoopPhase[] = ["task_loop_handoff", "run_stopped_setup_failure"];

/** The result of a phase. It exists only for one transition and is not stored, so nothing has to be cleared. */
export interface LoopStatus extends TaskFlags {
  /** The phase did its work: exit code 0. */
  readonly succeeded: boolean;
  readonly stopRequested: boolean;
  /** A person is asked a question; after the answer, the same phase starts again with the same wave. */
  readonly restartPhase: boolean;
  readonly setupFailed: boolean;
  readonly mode: "legacy" | "layered" | null;
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
  pushFailed: false,
  missingWork: false,
  implementationComplete: false,
};

interface Transition {
  readonly from: LoopPhase;
  readonly to: LoopPhase;
  readonly priority: number;
  /** In words, for the drawing and the record. */
  readonly when: string;
  readonly holds: (status: LoopStatus) => boolean;
}

type Edge = readonly [from: LoopPhase, to: LoopPhase, when: string, holds: Transition["holds"]];

const setupFailed: Transition["holds"] = (status) => status.setupFailed;
const restarts: Transition["holds"] = (status) => status.restartPhase;
const succeeded: Transition["holds"] = (status) => status.succeeded;

/** The edges of each phase, in order of priority. */
const edges: readonly Edge[] = [
  ["implement_task", "run_stopped_setup_failure", "setup failed", setupFailed],
  ["implement_task", "implement_task", "asked, begins again", restarts],
  ["implement_task", "spec_check_mode_select", "implemented", succeeded],

  ["spec_check_mode_select", "spec_check_layered", "layered skills", (status) => status.mode === "layered"],
  ["spec_check_mode_select", "spec_check_legacy", "otherwise", () => true],

  ["spec_check_legacy", "run_stopped_setup_failure", "setup failed", setupFailed],
  ["spec_check_legacy", "spec_check_legacy", "asked, begins again", restarts],
  ["spec_check_legacy", "spec_check_persist", "checked", succeeded],
  ["spec_check_layered", "run_stopped_setup_failure", "setup failed", setupFailed],
  ["spec_check_layered", "spec_check_layered", "asked, begins again", restarts],
  ["spec_check_layered", "spec_check_persist", "checked", succeeded],

  ["spec_check_persist", "run_stopped_setup_failure", "setup failed", setupFailed],
  ["spec_check_persist", "implement_task", "the task failed", (status) => status.taskFailed === true],
  [
    "spec_check_persist",
    "implement_task",
    "passed, more tasks",
    (status) => status.taskPassed === true && status.hasMoreTasks === true,
  ],
  [
    "spec_check_persist",
    "completeness_verification",
    "all tasks are complete",
    (status) => status.allTasksComplete === true,
  ],

  ["fix_ci", "run_stopped_setup_failure", "setup failed", setupFailed],
  ["fix_ci", "fix_ci", "asked, begins again", restarts],
  ["fix_ci", "spec_check_mode_select", "repaired", succeeded],

  ["completeness_verification", "fix_ci", "the push was refused", (status) => status.pushFailed],
  ["completeness_verification", "implement_task", "work is missing", (status) => status.missingWork],
  ["completeness_verification", "task_loop_handoff", "complete", (status) => status.implementationComplete],
];

/**
 * Every edge of the machine; a walk takes each (`tests/walks/loop-table.test.ts`). S3-TR-01…15, C-44, C-47. Differences from the seed are
 * listed in docs/departures.md.
 */
export const taskTransitions: readonly Transition[] = edges.map(([from, to, when, holds], index) => ({
  from,
  to,
  when,
  holds,
  priority: edges.slice(0, index).filter(([other]) => other === from).length + 1,
}));

export interface NextPhase {
  readonly phase: LoopPhase;
  readonly reason: string;
}

/**
 * The next phase: the first transition that holds, by priority (S3-TR-10). A stop request changes nothing (S3-TR-15). When no transition
 * holds, the phase stays (S3-TR-11).
 */
export function nextPhase(phase: LoopPhase, status: LoopStatus): NextPhase {
  if (status.stopRequested) return { phase, reason: "a stop was requested" };
  const mayLeave = status.succeeded || status.setupFailed;
  const found = taskTransitions.find((each) => each.from === phase && mayLeave && each.holds(status));
  if (found === undefined) return { phase, reason: status.succeeded ? "nothing follows yet" : "it did not succeed" };
  return { phase: found.to, reason: found.when };
}

/** The machine as a Mermaid diagram, for the documentation. */
export function drawMachine(): string {
  const drawn = taskTransitions.map((each) => `    ${each.from} --> ${each.to}: ${each.priority}. ${each.when}`);
  const ends = terminalPhases.map((phase) => `    ${phase} --> [*]`);
  return ["stateDiagram-v2", "    [*] --> implement_task", ...drawn, ...ends].join("\n");
}
