/** A shell command in its pieces, as far as they can be told without running it. */

/** A simple command; or a block as a whole: `( … )`, `{ …; }`, or what lies between `if` and `fi`, `for` and `done` and the like. */
export interface ShellPiece {
  readonly text: string;
  readonly isBlock: boolean;
}

/** What pipes join, and what stands behind the last of them. */
export interface Pipeline {
  readonly pieces: readonly ShellPiece[];
  readonly behind: "&&" | "||" | "";
}

/** Pipelines up to a `;`, an end of line or an `&`, which leaves them to run beside the others. */
export interface ShellStatement {
  readonly pipelines: readonly Pipeline[];
  readonly text: string;
  readonly isBeside: boolean;
}

/** A command up to an operator, and that one. */
interface Cut {
  readonly text: string;
  readonly behind: string;
  readonly isBlock?: boolean;
}

const operator = /^(?:&&|\|\||\|&|[|;\n]|&(?!>))/;

/** The statements of a command; null where a text within it goes over lines of its own (`<<`), or something in it does not end. */
export function statementsOf(command: string): readonly ShellStatement[] | null {
  const cuts = cutsOf(command);
  const whole = cuts === null ? null : joinedBlocks(cuts);
  if (whole === null) return null;
  const statements: ShellStatement[] = [];
  let pipelines: Pipeline[] = [];
  let pieces: ShellPiece[] = [];
  let begin = 0;
  for (const [index, { text, behind, isBlock = false }] of whole.entries()) {
    pieces.push({ text, isBlock });
    if (/^\|&?$/.test(behind)) continue;
    pipelines.push({ pieces, behind: behind === "&&" || behind === "||" ? behind : "" });
    pieces = [];
    if (behind === "&&" || behind === "||") continue;
    statements.push({ pipelines, text: textOf(whole.slice(begin, index + 1)), isBeside: behind === "&" });
    pipelines = [];
    begin = index + 1;
  }
  return pieces.length > 0 || pipelines.length > 0 ? null : statements;
}

function textOf(cuts: readonly Cut[]): string {
  return cuts.map(({ text, behind }, index) => (index < cuts.length - 1 ? `${text} ${behind}` : text)).join(" ");
}

/** Words that may stand before a command, in a block or as its name. */
const leading = /^(?:(?:then|do|else|elif|!|time)(?:\s+|$)|\w+\s*\(\)\s*|function\s+\w+\s*(?:\(\)\s*)?)/;
const opening = /^(?:(?:if|for|while|until|case|select)(?![\w-])|\{(?=\s|$))\s*/;
const closing = /^(?:(?:fi|done|esac)(?![\w=-])|\})/;
const within = /^(?:(?:then|do|else|elif)(?![\w=-])|function\s|\w+\s*\(\))/;

/** What blocks are made of, put together; null where one does not end, or ends that did not begin. */
function joinedBlocks(cuts: readonly Cut[]): readonly Cut[] | null {
  const joined: Cut[] = [];
  let begin = 0;
  let depth = 0;
  for (const [index, { text, behind }] of cuts.entries()) {
    if (depth === 0) begin = index;
    if (depth === 0 && (closing.test(text) || (within.test(text) && depthOf(text) <= 0))) return null;
    depth += depthOf(text);
    if (depth < 0) return null;
    if (depth > 0) continue;
    const whole = textOf(cuts.slice(begin, index + 1));
    joined.push({ text: whole, behind, isBlock: begin < index || /^[({]/.test(whole) });
  }
  return depth === 0 ? joined : null;
}

/** How many blocks a piece opens, less those that it ends. */
function depthOf(text: string): number {
  let rest = text;
  let opened = 0;
  for (;;) {
    if (closing.test(rest)) return opened - 1;
    const mark = opening.exec(rest);
    const [taken] = mark ?? leading.exec(rest) ?? [""];
    if (taken === "") return opened;
    if (mark !== null) opened += 1;
    rest = rest.slice(taken.length);
  }
}

function cutsOf(command: string): readonly Cut[] | null {
  const cuts: Cut[] = [];
  let text = "";
  let depth = 0;
  const end = (behind: string): void => {
    // A line that goes on below, and one that is empty, end nothing.
    if (text.trim() !== "") cuts.push({ text: text.trim(), behind });
    text = "";
  };
  for (let at = 0; at < command.length; ) {
    const skipped = skippedAt(command, at, text);
    if (skipped === null) return null;
    const sign = command[at] ?? "";
    const [found = ""] = depth > 0 || skipped !== "" ? [] : (operator.exec(command.slice(at, at + 3)) ?? []);
    if (sign === "(" && skipped === "") depth += 1;
    if (sign === ")" && skipped === "") depth = Math.max(0, depth - 1);
    if (found === "" || (/^[&|]$/.test(found) && (text.endsWith(">") || text.endsWith("<")))) {
      const taken = skipped === "" ? sign : skipped;
      text += taken.startsWith("#") ? "" : taken;
      at += taken.length;
      continue;
    }
    end(found);
    at += found.length;
  }
  end("");
  return depth === 0 ? cuts : null;
}

/** What stands at a place and holds no operator: a text in quotes, a sign behind a backslash, a comment. Null: it cannot be told. */
function skippedAt(command: string, at: number, before: string): string | null {
  const sign = command[at] ?? "";
  if (sign === "\\") return command.slice(at, at + 2);
  if (command.startsWith("<<<", at)) return "<<<";
  if (command.startsWith("<<", at)) return null;
  if (sign === "#" && /^$|\s$/.test(before.slice(-1))) return commentAt(command, at);
  if (sign !== "'" && sign !== '"' && sign !== "`") return "";
  for (let last = at + 1; last < command.length; last += 1) {
    if (command[last] === "\\" && sign !== "'") last += 1;
    else if (command[last] === sign) return command.slice(at, last + 1);
  }
  return null;
}

function commentAt(command: string, at: number): string {
  const end = command.indexOf("\n", at);
  return command.slice(at, end === -1 ? command.length : end);
}

const assignment = /^\w+\+?=(?:"(?:[^"\\]|\\.)*"|'[^']*'|`[^`]*`|\$\([^)]*\)|(?!\$\()[^\s"'`])*(?:\s+|$)/s;
const wrapper = /^(?:!|time|env|nohup|nice|timeout|exec|stdbuf|setsid|sudo|command(?!\s+-))(?:\s+|$)/;
const wrapperOption = /^(?:-[knsu]\s+\S+|-\S+|\d+(?:\.\d+)?[smhd]?)\s+/;

/** A simple command from its program on, without what is set for it and who starts it: `CI=1 timeout 60 npm test`; nothing where it only sets. */
export function programOnward(text: string): string {
  let rest = text;
  for (;;) {
    const [set = ""] = assignment.exec(rest) ?? [];
    const [starter = ""] = set === "" ? (wrapper.exec(rest) ?? []) : [];
    if (set === "" && starter === "") return rest;
    rest = rest.slice(set.length + starter.length);
    if (starter !== "") while (wrapperOption.test(rest)) rest = rest.replace(wrapperOption, "");
  }
}

const group = /^(?:\((?!\()(.*)\)|\{\s(.*)\})[^(){}]*$/s;

/** What stands in `( … )` and `{ …; }`; null for what is neither. */
export function insideOf(program: string): string | null {
  const [, round, curly] = group.exec(program) ?? [];
  return round ?? curly ?? null;
}

/** The simple commands of a block, one behind the other, whatever asks for them; without the heads of its loops. */
export function commandsIn(block: string): readonly string[] {
  return (cutsOf(block) ?? []).map(({ text }) => simpleIn(text)).filter((each) => each !== "");
}

function simpleIn(text: string): string {
  let rest = text;
  while (!/^(?:for|case|select)\s/.test(rest)) {
    const [taken = ""] = closing.exec(rest) ?? opening.exec(rest) ?? leading.exec(rest) ?? [];
    if (taken === "") return rest;
    rest = rest.slice(taken.length).trimStart();
  }
  return "";
}

/** So deep blocks are read within each other. */
const mostLevels = 8;

/**
 * All simple commands of a command in their order, those of its blocks too: `if (cd app && npm test); then …`. A function stands as it is.
 * Null where it cannot be told.
 */
export function simpleCommandsOf(command: string, level = 0): readonly string[] | null {
  const statements = level < mostLevels ? statementsOf(command) : null;
  if (statements === null) return null;
  const found: string[] = [];
  for (const { text, isBlock } of statements.flatMap(({ pipelines }) => pipelines.flatMap(({ pieces }) => pieces))) {
    const inside = insideOf(programOnward(text));
    const isPlain = inside === null && (!isBlock || isFunction.test(text));
    for (const part of inside === null ? (isPlain ? [] : commandsIn(text)) : [inside]) {
      const simple = simpleCommandsOf(part, level + 1);
      if (simple === null) return null;
      found.push(...simple);
    }
    if (isPlain) found.push(text);
  }
  return found;
}

const isFunction = /^(?:function\s|[\w-]{1,100}\s{0,9}\(\s{0,9}\))/;
