import { firstLine } from "../text.ts";
import type { Failure, FailureKind } from "./failure.ts";
import { normalApproach } from "./tried.ts";

/** What to do differently, from built-in rules by kind of failure. Used when no model can propose an approach; `source` says so. */
export type Alternative =
  | {
      readonly type: "found";
      /** A short, stable name. */
      readonly approach: string;
      readonly instruction: string;
      readonly source: "built-in rule";
    }
  | { readonly type: "none" };

interface Rule {
  readonly approach: string;
  readonly instruction: string;
}

const smallSteps: Rule = {
  approach: "in small steps",
  instruction:
    "Split the goal into the smallest steps that can be checked one by one. Do only the first ones that are needed, and check each before the next.",
};
const testFirst: Rule = {
  approach: "a failing test first",
  instruction:
    "Before you change anything else, write the smallest test or command that shows the problem, run it and read its output. Then change as little as makes it pass.",
};
const otherDesign: Rule = {
  approach: "another design",
  instruction:
    "Undo the way in which it was tried before. Read the code around it again, name two other ways to reach the goal, and take the simpler one.",
};
const readFirst: Rule = {
  approach: "read what fails first",
  instruction:
    "Run the failing check yourself first, read every file and line that its output names, and fix the cause there with the smallest change. Leave everything else as it is.",
};
const lessAtOnce: Rule = {
  approach: "less at once",
  instruction:
    "Avoid long-running and memory-hungry commands: no watch modes, no whole test suites, no installs. Run only what concerns the files you change, and finish early.",
};
const statusLines: Rule = {
  approach: "short commands with visible progress",
  instruction:
    "Give every command a time limit of its own, say what you do before you do it, and do not wait for servers or prompts: run them in the background or not at all.",
};
const onlyAllowed: Rule = {
  approach: "only inside the allowed files",
  instruction:
    "Reach the goal with changes in the allowed files alone. When that is impossible, change nothing and say which other file is needed and why.",
};
const revertFirst: Rule = {
  approach: "revert what is outside first",
  instruction:
    "Put every file outside of the allowed ones back to what it was, look at the difference, and only then go on in the allowed files.",
};

const rules: Partial<Record<FailureKind, readonly Rule[]>> = {
  work: [readFirst, smallSteps, otherDesign],
  criteria: [readFirst, testFirst, otherDesign, smallSteps],
  crash: [lessAtOnce, smallSteps],
  timeout: [statusLines, lessAtOnce, smallSteps],
  unavailable: [smallSteps, otherDesign],
  boundary: [onlyAllowed, revertFirst],
  push: [readFirst, smallSteps],
};

/**
 * Returns one alternative that was not yet tried for this failure (S4-RM-07); `none` when no rule is left. `tried`
 * are the approaches with the same fingerprint.
 */
export function builtInAlternative(
  failure: Pick<Failure, "kind" | "error">,
  tried: readonly { readonly approach: string }[],
  { criteria }: { readonly criteria: readonly string[] },
): Alternative {
  const known = new Set(tried.map((each) => normalApproach(each.approach)));
  const rule = (rules[failure.kind] ?? []).find((each) => !known.has(normalApproach(each.approach)));
  if (rule === undefined) return { type: "none" };
  const which = criteria.length === 0 ? "" : ` It is about ${criteria.join(", ")}.`;
  return {
    type: "found",
    approach: rule.approach,
    instruction: `${rule.instruction}${which}`,
    source: "built-in rule",
  };
}

/** The output that a criterion expects. These are the criterion author's words and do not describe the failure. */
const awaited = /expected output (?:with "(?:[^"\\]|\\.)*"|that matches \/(?:[^/\\]|\\.)*\/)/g;

/** True when the error says that something is missing or unknown (S4-RM-08). */
export function needsClarification(error: string | null): boolean {
  if (error === null) return false;
  const said = error.replace(awaited, "").toLowerCase();
  return ["not found", "missing", "undefined", "unknown"].some((word) => said.includes(word));
}

/** Returns the built-in text for the question of rung 3. */
export function clarifyingQuestion(failure: Pick<Failure, "error">, goalContent: string): string {
  return `The error says that something is missing or not known. Goal: ${firstLine(goalContent, 200)}. It failed with: ${firstLine(failure.error, 300)}. What should it use, or where is it?`;
}
