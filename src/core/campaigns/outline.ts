import { cleanText } from "../text.ts";
import { faultIn, fewest } from "../text/bounds.ts";
import type { Complain, DraftRequest } from "./draft.ts";
import { isKeyOfGoal, readGoalList } from "./goal-list.ts";
import { planOfDraft } from "./lay-draft.ts";
import { readMarkdown } from "./markdown.ts";
import type { Plan } from "./plan.ts";

export type ParsedPlan =
  | { readonly type: "ok"; readonly plan: Plan }
  /** Each with its line or entry; at least one. */
  | { readonly type: "invalid"; readonly problems: readonly string[] };

/** What is read at all. */
const most = { characters: 100_000, line: 25_000 } as const;

/**
 * The plan in a file: a Markdown outline (`# goal`, `## milestone`, list items as goals, `### Day 3`), or a YAML or JSON
 * list of goals as `goal add --from` takes them, alone or under `goals:`. Goals without a day are laid on days. Every
 * problem is named with its place and what is expected there. Never throws. `given.goal` wins over what the file says;
 * its title stays the name.
 */
export function parsePlanFile(text: string, given: DraftRequest): ParsedPlan {
  const found: { readonly at: string; readonly problem: string }[] = [];
  const complain: Complain = (at, problem) => void found.push({ at, problem });
  const source = cleanText(text);
  const plan = readPlan(source, given, complain, found);
  if (found.length === 0 && plan !== null) return { type: "ok", plan };
  const inOrder = found.toSorted((one, other) => lineOf(one.at) - lineOf(other.at));
  return { type: "invalid", problems: fewest(inOrder.map(({ at, problem }) => `${at}: ${problem}`)) };
}

/** The number of a place such as "line 12"; what has no line comes last. */
function lineOf(at: string): number {
  return Number(/^line (\d+)/.exec(at)?.[1] ?? Number.MAX_SAFE_INTEGER);
}

function readPlan(source: string, given: DraftRequest, complain: Complain, found: readonly unknown[]): Plan | null {
  checkText(source, complain);
  if (found.length > 0) return null;
  const draft = looksLikeList(source) ? readGoalList(source, given, complain) : readMarkdown(source, given, complain);
  // What could be said of a half-read plan would be about goals that are only misspelt.
  return draft === null || found.length > 0 ? null : planOfDraft(draft, given, complain);
}

function checkText(source: string, complain: Complain): void {
  if (source.trim() === "") return complain("the plan", "it is empty");
  if (source.length > most.characters) {
    return complain("the plan", `it has ${source.length} characters, at most ${most.characters} are read`);
  }
  const fault = faultIn(source, most);
  if (fault !== null) complain(`line ${fault.line}`, fault.problem);
}

/** Whether a text means to be YAML or JSON, told by its first line that is neither empty nor a comment. */
function looksLikeList(source: string): boolean {
  const lines = source.split("\n");
  const first = lines.find((line) => line.trim() !== "" && !/^(?:#|---|%)/.test(line)) ?? "";
  // A goal's text, or an object in braces, begins no goal of an outline.
  if (/^\s*-\s+(?:(?:text|content|description)\s*:|\{\s*["\w]+\s*:)/.test(first)) return true;
  // The same with its keys in another order: of an outline, a goal's text may begin with the word of a key, too.
  const [, key] = /^\s*-\s+([a-z-]+)\s*:/.exec(first) ?? [];
  const namesTexts = lines.some((line) => /^(?:-\s+|[ \t]+)(?:text|content|description)[ \t]*:/.test(line));
  if (key !== undefined && namesTexts && isKeyOfGoal(key)) return true;
  const hasHeading = lines.some((line) => /^#{1,6}\s/.test(line));
  if (/^(?:name|goal|goals|milestones)\s*:/.test(first)) {
    return !hasHeading || lines.some((line) => /^goals\s*:/.test(line));
  }
  return !hasHeading && /^\s*(?:[{[]|-\s+["'])/.test(first);
}
