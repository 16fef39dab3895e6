import type { Goal } from "../goals/goal.ts";
import type { Lesson } from "../memory/lesson.ts";
import type { Task } from "../task-loop/tasks.ts";
import type { LoopPhase } from "../task-loop/workflow.ts";
import { shorten } from "../text.ts";
import { fenced, fencedLines, fenceRule, workFenceRule } from "./fence.ts";
import { allowedParts } from "./allowed.ts";
import { boundParts, type RecoveryContext, recoveryParts } from "./goal.ts";
import { lessonParts } from "./lessons.ts";

/** Prompts for one task of a goal: to do it, or to check it. */

type About = Pick<Goal, "content" | "linkedText" | "criteria" | "instructions" | "filesAllowed">;

/** The goal as a check is told it: with what people said to the agent, and what they have allowed since, once each. */
type CheckedGoal = Pick<Goal, "content" | "linkedText" | "filesAllowed" | "instructions"> &
  Pick<RecoveryContext, "clarification"> & { readonly allowedNow: readonly string[] };

/** A task, and the finding for which it was added. `found` is null for a task of the original list. */
type Told = Task & { readonly found: string | null };

/** The prompt for the work on one task, with what its last check found. */
export function taskPrompt(
  goal: About,
  task: Told,
  {
    feedback,
    earlier = "none",
    checks,
    recovery,
    lessons,
    allowedNow,
  }: {
    readonly feedback: string | null;
    /** What happened to the work of its last attempt. `kept`: the new attempt begins with it. */
    readonly earlier?: "none" | "kept" | "discarded";
    readonly checks: readonly string[];
    readonly recovery: RecoveryContext;
    /** Lessons of past runs of similar goals. */
    readonly lessons: readonly Lesson[];
    /** What it asked for and a person has allowed, once each (D29). */
    readonly allowedNow: readonly string[];
  },
): string {
  const parts = [
    `Implement one task of a larger goal. ${workFenceRule}`,
    ...(feedback === null
      ? []
      : ["Your last attempt at this task was not accepted:", fenced("task-feedback", feedback)]),
    ...earlierParts(earlier, feedback !== null),
    ...(task.found === null
      ? []
      : [
          "The task was added for this, which was found after the others had passed. Go on with exactly that; leave what passes, the criteria and the files that prove them as they are.",
          fenced("found", task.found),
        ]),
    fenced("goal", goal.content),
    ...documentParts(goal),
    ...(goal.criteria === null
      ? []
      : [
          "The whole is done when these criteria hold in the end; the system checks them itself, after every task:",
          fenced("criteria", goal.criteria),
        ]),
    fenced("task", `${task.id}: ${task.title}`),
    "The task is done when these hold:",
    fenced("acceptance-criteria", numbered(task.acceptanceCriteria)),
    ...lessonParts(lessons),
    ...recoveryParts(recovery),
    ...goal.instructions.map((each) => fenced(`instruction by ${each.by}`, each.text)),
    ...fileParts(goal, task),
    ...boundParts([], checks),
    ...allowedParts(allowedNow),
    "Do this task only; others are done elsewhere. Work only inside the current directory, a git worktree made for this task. You need not commit. You may leave `.cos/phase-report.json` with what you did.",
  ];
  return `${parts.join("\n\n")}\n`;
}

/** What an earlier attempt left, so that the feedback about it can be understood. */
function earlierParts(earlier: "none" | "kept" | "discarded", wasRefused: boolean): string[] {
  if (earlier === "none") return [];
  if (earlier === "discarded")
    return wasRefused
      ? ["The work of that attempt was discarded: this directory is the goal's branch as it is now, without it."]
      : [];
  return wasRefused
    ? ["Your work on it, as it was last kept, is in this directory: go on with exactly what fails; leave what passes."]
    : ["What an earlier attempt at this task left is in this directory: look at it first, and go on from it."];
}

/** The check of one task in a single prompt that contains everything. `phase`: the phase whose report the check leaves. */
export function legacyCheckPrompt(goal: CheckedGoal, task: Told, phase: LoopPhase): string {
  return `${[
    `Check one task; repair nothing. ${fenceRule}`,
    ...subject(goal, task),
    [
      "Use your own search and read tools before the shell. For every criterion find direct evidence: a place as path:line, or a command you ran with its exit code.",
      "The system looks whether each file has that line and whether you ran each command; what it does not find proves nothing, and a no anywhere about a criterion counts.",
      "PASS: the evidence shows that it holds. FAIL: it shows that it does not. INCONCLUSIVE: you could not find out; do not guess.",
      "Write `.cos/evidence.json`:",
      '{"criteria": [{"criterion": "1", "verdict": "PASS", "evidence": [{"ref": "src/a.ts:12", "note": "what it shows", "confidence": 0.9}]}]}',
      "with one entry for each criterion (its number or its words) and at least one piece of evidence each, and `.cos/phase-report.json`:",
      `{"schemaVersion": 1, "phase": "${phase}", "outcome": "…", "statusUpdates": {"taskPassed": true, "taskFailed": false}, "reasons": [], "evidenceRefs": []}`,
      "Where it does not pass, what the next attempt should know besides goes into `.cos/task-feedback.md`: it is handed on as you write it.",
    ].join("\n"),
  ].join("\n\n")}\n`;
}

/** The check of one task with skills: short, because the skills contain the rest. `inline`: their texts, for agents that read no files. */
export function layeredCheckPrompt(
  goal: CheckedGoal,
  task: Told,
  skills: readonly string[],
  inline: readonly string[],
): string {
  return `${[
    `Check one task; repair nothing. ${fenceRule}`,
    `Follow these skills, in this order: ${skills.map((path) => `\`${path}\``).join(", ")}. Leave \`.cos/evidence.json\` and \`.cos/phase-report.json\` (phase "spec_check_layered") as they say.`,
    ...subject(goal, task),
    ...inline,
  ].join("\n\n")}\n`;
}

function subject(goal: CheckedGoal, task: Told): string[] {
  return [
    fenced("goal", goal.content),
    ...documentParts(goal),
    fenced("task", `${task.id}: ${task.title}`),
    ...(task.found === null
      ? []
      : [
          "The task was added for this, which was found after the others had passed. Judge whether it is put right, by what can be read and run here; the system itself verifies and pushes the whole afterwards.",
          fenced("found", task.found),
        ]),
    fenced("acceptance-criteria", numbered(task.acceptanceCriteria)),
    ...saidParts(goal),
    ...(task.filesAllowed.length === 0 ? [] : ["It may touch:", fencedLines("allowed-files", task.filesAllowed)]),
    ...(goal.filesAllowed.length === 0 ? [] : ["Its goal may touch:", fencedLines("allowed-files", goal.filesAllowed)]),
    ...allowedParts(goal.allowedNow),
  ];
}

/** What people said to the agent that did the work. Following it must not fail the check. */
function saidParts({ instructions, clarification }: Pick<CheckedGoal, "instructions" | "clarification">): string[] {
  const answer =
    clarification?.answer == null
      ? []
      : [
          fenced("question", shorten(clarification.question, 500)),
          fenced(`answer by ${clarification.by ?? "a person"}`, clarification.answer),
        ];
  const said = [...instructions.map((each) => fenced(`instruction by ${each.by}`, each.text)), ...answer];
  if (said.length === 0) return [];
  return [
    "People said this to the agent that did the work. Where it and the criteria contradict each other, it counts, and the criterion is judged as if it said so:",
    ...said,
  ];
}

function documentParts({ linkedText }: Pick<Goal, "linkedText">): string[] {
  return linkedText === null ? [] : ["The document it refers to:", fenced("document", linkedText)];
}

/** Both lists of files that limit a task: its own, and that of its goal. */
function fileParts(goal: Pick<Goal, "filesAllowed">, task: Task): string[] {
  const others = " a change of any other file fails the task.";
  if (task.filesAllowed.length === 0 || goal.filesAllowed.length === 0)
    return boundParts([...task.filesAllowed, ...goal.filesAllowed], [], others);
  return [
    ...boundParts(task.filesAllowed, [], others),
    "Of those its goal may change only files that match:",
    fencedLines("allowed-files of the goal", goal.filesAllowed),
  ];
}

function numbered(lines: readonly string[]): string {
  return lines.map((line, index) => `${index + 1}. ${line}`).join("\n");
}
