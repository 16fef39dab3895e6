import type { Tokens } from "marked";
import { parseGoalEntry } from "../goals/new-goal.ts";
import { shorten } from "../text.ts";
import type { Complain, DraftGoal } from "./draft.ts";

export type ReadItem =
  | { readonly type: "goal"; readonly goal: Omit<DraftGoal, "milestone"> }
  /** Marked `[x]`. */
  | { readonly type: "done" }
  /** Something is wrong with it, and was said. */
  | { readonly type: "wrong" };

interface Place {
  readonly line: number;
  /** Of the heading it stands under. */
  readonly day: number | null;
  readonly longest: number;
}

/** What can be said of a goal in an outline: the keys of `goal add --from`, and its day. */
const kinds: Readonly<Record<string, "text" | "number" | "list">> = {
  tags: "list",
  tag: "list",
  cost: "number",
  priority: "text",
  minutes: "number",
  feature: "text",
  issue: "text",
  bug: "text",
  spec: "text",
  criteria: "text",
  tier: "text",
  run: "text",
  allow: "list",
  "allow-proof": "list",
  tasks: "text",
  parallel: "number",
  day: "number",
};

type Value = string | number | readonly string[];

/** Reads a list item as a goal: its text, `[ ]` or `[x]` before it, options and further details as items under it. */
export function readItem(item: Tokens.ListItem, { line, day, longest }: Place, complain: Complain): ReadItem {
  const at = `line ${line}`;
  const mark = /^\[([ xX])\](?:\s+|$)/.exec(item.text);
  if (mark !== null && mark[1] !== " ") return { type: "done" };

  const blocks: string[] = [];
  const options = new Map<string, Value>();
  let tokenLine = line;
  let isWrong = false;
  const wrong: Complain = (where, problem) => {
    isWrong = true;
    complain(where, problem);
  };
  for (const token of item.tokens) {
    // The cast follows from `type`: the union's last member, for extensions, has any.
    if (token.type === "list") blocks.push(readDetails(token as Tokens.List, tokenLine, options, wrong));
    else if (token.type !== "space") blocks.push(token.raw.trimEnd());
    tokenLine += token.raw.split("\n").length - 1;
  }
  const content = blocks
    .filter((block) => block !== "")
    .join("\n\n")
    .slice(mark?.[0].length ?? 0);
  if (/^\W*done when\W*$/im.test(content)) wrong(at, `"Done when:" needs an empty line before it`);

  const own = options.get("day") ?? day;
  if (typeof own !== "number" && own !== null)
    wrong(at, `day: a number is expected, not "${shorten(String(own), 40)}"`);
  options.delete("day");
  const check = parseGoalEntry({ text: content, ...Object.fromEntries(options) }, longest);
  if (check.type === "invalid") {
    complain(at, check.problem);
    return { type: "wrong" };
  }
  if (isWrong) return { type: "wrong" };
  return { type: "goal", goal: { at, day: typeof own === "number" ? own : null, request: check.request } };
}

/** Takes the options out of the items under a goal; what is left are details of it. */
function readDetails(list: Tokens.List, firstLine: number, options: Map<string, Value>, complain: Complain): string {
  const details: string[] = [];
  let line = firstLine;
  for (const item of list.items) {
    const [, name, words] = /^([A-Za-z][A-Za-z-]{0,30})[ \t]*:(?=\s|$)([\s\S]*)$/.exec(item.text.trim()) ?? [];
    if (name === undefined) details.push(item.raw.trimEnd());
    else readOption({ name: name.toLowerCase(), words: (words ?? "").trim(), at: `line ${line}` }, options, complain);
    line += item.raw.split("\n").length - 1;
  }
  return details.join("\n");
}

interface Option {
  readonly name: string;
  readonly words: string;
  readonly at: string;
}

function readOption({ name, words, at }: Option, options: Map<string, Value>, complain: Complain): void {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind === undefined) {
    return complain(at, `"${name}:" is no option of a goal; they are ${Object.keys(kinds).join(", ")}`);
  }
  const plain = /^`([^`]+)`$/.exec(words)?.[1] ?? words;
  if (kind === "list") {
    const earlier = options.get(name);
    options.set(name, [...(Array.isArray(earlier) ? earlier : []), ...piecesOf(plain)]);
    return;
  }
  if (options.has(name)) return complain(at, `"${name}:" is there twice`);
  // What is no number stays as it is: the check of the goal says what it expected.
  const isNumber = kind === "number" && /^\$?\d+(?:\.\d+)?$/.test(plain);
  options.set(name, isNumber ? Number(plain.replace("$", "")) : plain);
}

/** "a, b", or a list of items; commas in braces belong to globs. */
function piecesOf(words: string): string[] {
  return words
    .split(/\n|,(?![^{}]*\})/)
    .map((piece) => piece.replace(/^\s*[-*+]\s/, "").trim())
    .filter((piece) => piece !== "");
}
