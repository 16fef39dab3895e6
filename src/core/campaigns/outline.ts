import { cleanText } from "../text.ts";
import { faultIn, fewest } from "../text/bounds.ts";
import type { Complain, DraftRequest } from "./draft.ts";
import { isKeyOfGoal, readGoalList } from "./goal-list.ts";
import { planOfDraft } from "./lay-draft.ts";
import { readMarkdown } from "./markdown.ts";
import type { Plan } from "./plan.ts";

export type ParsedPlan =
  | { readonly type: "ok"; readonly plan: Plan }
  /** Each with its line or entry. At least one. */
  | { readonly type: "invalid"; readonly problems: readonly string[] };

/** Maximum size of a file that is read. */
const most = { characters: 100_000, line: 25_000 } as const;

/**
 * Parses the plan in a file: a Markdown outline (`# goal`, `## milestone`, list items as goals, `### Day 3`), or a YAML or JSON list of
 * goals as `goal add --from` takes them, alone or under `goals:`. Goals without a day are placed on days. Every problem is reported with
 * its place and what is expected there. Never throws. `given.goal` replaces the goal of the file; the file's title stays the name.
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

/** The line number of a place that starts with "line 12". Other places, such as "goal 3 (line 12)", are sorted last. */
function lineOf(at: string): number {
  return Number(/^line (\d+)/.exec(at)?.[1] ?? Number.MAX_SAFE_INTEGER);
}

function readPlan(source: string, given: DraftRequest, complain: Complain, found: readonly unknown[]): Plan | null {
  checkText(source, complain);
  if (found.length > 0) return null;
  const draft = looksLikeList(source) ? readGoalList(source, given, complain) : readMarkdown(source, given, complain);
  // Checking a plan that was read only in part would report goals that are only misspelt.
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

/** True when a text is meant to be YAML or JSON. Mainly its first line decides that is neither empty nor a comment. */
function looksLikeList(source: string): boolean {
  const lines = source.split("\n");
  const first = lines.find((line) => line.trim() !== "" && !/^(?:#|---|%)/.test(line)) ?? "";
  // An item that starts with the key of a text, or with an object in braces, is not a goal of an outline.
  if (/^\s*-\s+(?:(?:text|content|description)\s*:|\{\s*["\w]+\s*:)/.test(first)) return true;
  // Another key first: the text of a goal in an outline may also begin with such a word, so a line with a text key is required, and
  // below a heading, which may be a comment of YAML, every item must begin with a key.
  const [, indent = null] = /^([ \t]*)-\s/.exec(first) ?? [];
  const namesTexts = lines.some((line) => /^(?:-\s+|[ \t]+)(?:text|content|description)[ \t]*:/.test(line));
  const items = lines.filter((line) => indent !== null && line.startsWith(`${indent}- `));
  const hasHeading = lines.some((line) => /^#{1,6}\s/.test(line));
  const keyed = hasHeading ? items : items.slice(0, 1);
  if (namesTexts && keyed.length > 0 && keyed.every(beginsWithKey)) return true;
  if (/^(?:name|goal|goals|milestones)\s*:/.test(first)) {
    return !hasHeading || lines.some((line) => /^goals\s*:/.test(line));
  }
  return !hasHeading && /^\s*(?:[{[]|-\s+["'])/.test(first);
}

function beginsWithKey(item: string): boolean {
  const key = /^\s*-\s+([a-z-]+)\s*:/.exec(item)?.[1];
  return key !== undefined && isKeyOfGoal(key);
}
