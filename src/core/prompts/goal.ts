import { type Goal, workKind } from "../goals/goal.ts";
import { isFromPull } from "../forges/remarks.ts";
import { count, shorten } from "../text.ts";
import type { Lesson } from "../memory/lesson.ts";
import { allowedParts } from "./allowed.ts";
import { fenced, fencedLines, workFenceRule } from "./fence.ts";
import { lessonParts } from "./lessons.ts";

/**
 * The prompt of an agent for a goal. Text from people and from the repository is fenced as data (D35): it says what is wanted, never what
 * is allowed.
 */
export function goalPrompt(
  goal: Pick<Goal, "goalId" | "content" | "linkage" | "linkedText" | "criteria" | "instructions" | "filesAllowed">,
  context: {
    readonly checks: readonly string[];
    /** What it asked for and a person has allowed, once each (D29). */
    readonly allowedNow: readonly string[];
    readonly resumed: boolean;
    /** What the newest verification found wrong. */
    readonly feedback: string | null;
    /** What was tried before on this ladder, and what should be different now (D19). */
    readonly recovery: RecoveryContext;
    /** Lessons of past runs. */
    readonly lessons: readonly Lesson[];
    /** What an earlier session of this goal did, when this agent does not know it. */
    readonly progress?: readonly string[] | undefined;
  },
): string {
  const parts = [
    ...(context.resumed && context.feedback === null
      ? [
          "You were interrupted. What you had not finished may have been taken back: look at what is there, and go on with the same goal.",
        ]
      : []),
    ...(context.feedback === null ? [] : feedbackParts(context.feedback)),
    `${taskOf(goal)} ${workFenceRule}`,
    fenced("goal", goal.content),
  ];
  if (goal.linkedText !== null) parts.push("The document it refers to:", fenced("document", goal.linkedText));
  if (goal.criteria !== null)
    parts.push(
      "It is done when these criteria hold; the system checks them itself:",
      fenced("criteria", goal.criteria),
    );
  const [opening, ...done] = context.progress ?? [];
  if (opening !== undefined) parts.push(opening, fenced("worklog", done.join("\n")));
  parts.push(...lessonParts(context.lessons), ...recoveryParts(context.recovery));
  for (const instruction of goal.instructions) parts.push(fenced(`instruction by ${instruction.by}`, instruction.text));
  parts.push(...boundParts(goal.filesAllowed, context.checks));
  parts.push(
    ...allowedParts(context.allowedNow),
    [
      "Do not give up before you have tried three different ways. If it still cannot be done, write `.cos/give-up.md`, which a person gets:",
      `the criterion (${goal.criteria === null ? "write GOAL" : "its id"}), "1. what you tried → how it failed" for each of at least three attempts, "Hypothesis: …", and "Options:" with a numbered list to decide between.`,
    ].join(" "),
    "Work only inside the current directory, which is a git worktree made for this goal. You need not commit: what you leave is committed for you. Do not answer questions that are meant for people and do not call `cos`.",
  );
  return `${parts.join("\n\n")}\n`;
}

/** Which files may be changed, and which commands must still pass. */
export function boundParts(filesAllowed: readonly string[], checks: readonly string[], otherwise = ""): string[] {
  return [
    ...(filesAllowed.length === 0
      ? []
      : [`Change only files that match:${otherwise}`, fencedLines("allowed-files", filesAllowed)]),
    ...(checks.length === 0 ? [] : ["These commands must still pass:", fencedLines("checks", checks)]),
  ];
}

export interface RecoveryContext {
  readonly failed: readonly {
    readonly approach: string;
    readonly error: string;
    /** Work of the attempt that was not recorded. Absent when there is none, or when it is in the worktree. */
    readonly left?: { readonly commit: string; readonly files: number } | undefined;
  }[];
  readonly instruction: string | null;
  readonly clarification: {
    readonly question: string;
    readonly answer: string | null;
    readonly by: string | null;
  } | null;
}

/** What the next attempt is told from the recovery ladder. */
export function recoveryParts({ failed, instruction, clarification }: RecoveryContext): string[] {
  const parts: string[] = [];
  if (failed.length > 0) {
    const lines = failed.map(({ approach, error, left }, index) => {
      const kept =
        left === undefined ? "" : `; what it left is kept as commit ${left.commit} (${count(left.files, "file")})`;
      return `${index + 1}. ${approach}: ${shorten(error, 500)}${kept}`;
    });
    parts.push("Earlier attempts at this goal failed:", fenced("attempts", lines.join("\n")));
    if (failed.some(({ left }) => left !== undefined))
      parts.push(
        "What they left is not in this directory. Look at those commits (`git show`), and take over what is good.",
      );
  }
  if (instruction !== null) parts.push("Go about it differently this time:", fenced("approach", instruction));
  if (clarification?.answer != null) {
    parts.push(
      "A person was asked:",
      fenced("question", shorten(clarification.question, 500)),
      fenced(`answer by ${clarification.by ?? "a person"}`, clarification.answer),
    );
  }
  return parts;
}

function feedbackParts(feedback: string): string[] {
  if (isFromPull(feedback))
    return [
      "The work was finished and pushed, and this came back. Go on with exactly that; leave what passes, the criteria and the files that prove them as they are.",
      fenced("pull request", feedback),
    ];
  return [
    "The system has verified your work and found this. Go on with exactly what fails; leave what passes, the criteria and the files that prove them as they are.",
    fenced("verification", feedback),
  ];
}

function taskOf(goal: Pick<Goal, "linkage">): string {
  switch (workKind(goal)) {
    case "implement":
      return "Implement this goal in this repository, with tests where the repository has tests.";
    case "fix":
      return "Fix this bug: first reproduce it with a failing test, then fix it, then keep the test as a regression test.";
    case "write-spec":
      return "Write or revise the specification that this goal asks for.";
  }
}
