import { usdIn } from "../money.ts";
import { parseGoalEntry } from "../goals/new-goal.ts";
import { shorten } from "../text.ts";
import type { ListItem } from "../text/blocks.ts";
import type { Complain, DraftGoal } from "./draft.ts";

export type ReadItem =
  | { readonly type: "goal"; readonly goal: Omit<DraftGoal, "milestone"> }
  /** Marked `[x]`. */
  | { readonly type: "done" }
  /** It has a problem, which was reported. */
  | { readonly type: "wrong" };

interface Place {
  /** The day of the heading above it. */
  readonly day: number | null;
  readonly longest: number;
}

/**
 * The options of a goal in an outline: the keys of `goal add --from`, and its day. There is no `name` and no `after`: its text is the item
 * itself, and days order goals.
 */
const kinds: Readonly<Record<string, "text" | "number" | "usd" | "list" | "flag">> = {
  tags: "list",
  tag: "list",
  cost: "usd",
  priority: "text",
  minutes: "number",
  feature: "text",
  issue: "text",
  bug: "text",
  spec: "text",
  criteria: "text",
  "done-when": "text",
  tier: "text",
  run: "text",
  allow: "list",
  "allow-proof": "list",
  tasks: "text",
  parallel: "number",
  unplanned: "flag",
  "no-worklog": "flag",
  "skip-verify": "flag",
  "no-checkpoints": "flag",
  "verbose-log": "flag",
  "retry-memory": "flag",
  day: "number",
};

/** The values of a flag, as people write them. Any other value is left to the check of the goal, which says what it expected. */
const flags: ReadonlyMap<string, boolean> = new Map([
  ["", true],
  ["yes", true],
  ["true", true],
  ["no", false],
  ["false", false],
]);

type Value = string | number | boolean | readonly string[];

/** Reads a list item as a goal: its text, with an optional `[ ]` or `[x]` before it, and options and details as items below it. */
export function readItem(item: ListItem, { day, longest }: Place, complain: Complain): ReadItem {
  const at = `line ${item.line}`;
  const mark = /^\[([ xX])\](?:\s+|$)/.exec(item.text);
  if (mark !== null && mark[1] !== " ") return { type: "done" };

  const blocks: string[] = [];
  const options = new Map<string, Value>();
  const places = new Map<string, string>();
  let isWrong = false;
  const wrong: Complain = (where, problem) => {
    isWrong = true;
    complain(where, problem);
  };
  for (const block of item.blocks)
    blocks.push(block.type === "list" ? readDetails(block.items, { options, places }, wrong) : block.raw.trimEnd());
  const content = blocks
    .filter((block) => block !== "")
    .join("\n\n")
    .slice(mark?.[0].length ?? 0);
  if (content.split("\n").some(isDoneWhen)) wrong(at, `"Done when:" needs an empty line before it`);

  const own = options.get("day") ?? day;
  if (typeof own !== "number" && own !== null)
    wrong(places.get("day") ?? at, `day: a number is expected, not "${shorten(String(own), 40)}"`);
  options.delete("day");
  const check = parseGoalEntry({ text: content, ...Object.fromEntries(options) }, longest);
  if (check.type === "invalid") {
    complain(places.get(check.field ?? "") ?? at, check.problem);
    return { type: "wrong" };
  }
  if (isWrong) return { type: "wrong" };
  const dayAt = places.get("day") ?? at;
  return { type: "goal", goal: { at, dayAt, day: typeof own === "number" ? own : null, request: check.request } };
}

/** True when a line says only "Done when", with any marks around it. */
function isDoneWhen(line: string): boolean {
  const [, said = ""] = /^\W*(\w[^\n]{0,40})/.exec(line) ?? [];
  return /^done when\W*$/i.test(said);
}

/** The options of a goal by name, and the place of each in the file. */
interface Options {
  readonly options: Map<string, Value>;
  readonly places: Map<string, string>;
}

/** Takes the options out of the items below a goal. Returns the rest, which are details. */
function readDetails(items: readonly ListItem[], { options, places }: Options, complain: Complain): string {
  const details: string[] = [];
  for (const item of items) {
    const [, name, words] = /^([A-Za-z][A-Za-z-]{0,30})[ \t]*:(?=\s|$)([\s\S]*)$/.exec(item.text.trim()) ?? [];
    if (name === undefined) details.push(item.raw.trimEnd());
    else {
      const option = { name: name.toLowerCase(), words: (words ?? "").trim(), at: `line ${item.line}` };
      places.set(option.name, option.at);
      readOption(option, options, complain);
    }
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
  if (kind === "flag") {
    options.set(name, flags.get(plain.toLowerCase()) ?? plain);
    return;
  }
  // A value that is not a number is kept. The check of the goal says what it expected.
  const isNumber = kind !== "text" && /^-?\$?\d+(?:[.,]\d+)?$/.test(plain);
  const number = (kind === "usd" ? usdIn : Number)(plain.replace("$", ""));
  options.set(name, isNumber && !Number.isNaN(number) ? number : plain);
}

/** Splits "a, b" or a list of items. Commas inside braces belong to globs. */
function piecesOf(words: string): string[] {
  return words
    .split("\n")
    .flatMap(partedAtCommas)
    .map((piece) => piece.replace(/^\s*[-*+]\s/, "").trim())
    .filter((piece) => piece !== "");
}

function partedAtCommas(line: string): string[] {
  const pieces: string[] = [];
  let depth = 0;
  let from = 0;
  const lastBrace = line.lastIndexOf("}");
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at];
    // A brace that is never closed is an ordinary character.
    if (character === "{" && at < lastBrace) depth += 1;
    else if (character === "}" && depth > 0) depth -= 1;
    else if (character === "," && depth === 0) {
      pieces.push(line.slice(from, at));
      from = at + 1;
    }
  }
  return [...pieces, line.slice(from)];
}
