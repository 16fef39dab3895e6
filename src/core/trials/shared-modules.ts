import { isPythonFile, isShellFile } from "./languages.ts";
import { isLoader } from "./loading.ts";
import { isGivenToSetter, memberFrom } from "./shared-code.ts";
import type { Token } from "./tokens.ts";
import { bracketAt } from "./type-places.ts";

/**
 * Modules of the language that tests use to compare, read and wait; each exists once in a process. Source that sets their members decides
 * what a test sees, and can still lie about the one wanted value (F-201).
 */
const scriptModules = /^(?:node:)?(assert|assert\/strict|fs|fs\/promises|util|timers|timers\/promises|child_process)$/;

/** Modules whose names have other meanings, too: only changes of a prototype count. */
const scriptKinds = /^(?:node:)?(events|stream)$/;

const pythonModules =
  /^(?:math|cmath|operator|json|re|difflib|filecmp|decimal|fractions|datetime|time|collections|itertools|functools|pathlib|subprocess|shutil)$/;

/** Members that programs commonly set once for themselves. */
const everyDay =
  /^(?:util\.inspect\..{1,60}|json\.JSONEncoder\.default|decimal\.(?:Default|Basic|Extended)Context\..{1,40})$/;

/** "assert.equal" of `import check from "node:assert"; check.equal = …`, "math.isclose" of `import math as m; m.isclose = …`. */
export function modulesChanged(tokens: readonly Token[], path: string): readonly string[] {
  if (isShellFile(path)) return [];
  const isPython = isPythonFile(path);
  const bound = isPython ? boundInPython(tokens) : boundInScript(tokens);
  if (bound.size === 0) return [];
  const changed = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    const owner = token.type === "word" ? bound.get(token.text) : undefined;
    if (owner === undefined || tokens[index - 1]?.text === ".") continue;
    const { name, next } = memberFrom(tokens, index);
    const whole = owner + name.slice(token.text.length);
    const isGiven = isGivenToSetter(tokens, index, next);
    const isMember = name !== token.text && (!isPython || tokens[index + 1]?.text === ".");
    const isSet = isMember && tokens[next]?.text === "=" && !isType(tokens, index, isPython);
    const isOfKind = !/^(?:events|stream)\b/.test(owner) || whole.includes(".prototype");
    if ((isSet || isGiven) && isOfKind && !everyDay.test(whole)) changed.add(whole);
  }
  return [...changed];
}

/** True for a type annotation such as `at: datetime.datetime = None`, but not for `if late: math.isclose = …`. */
function isType(tokens: readonly Token[], index: number, isPython: boolean): boolean {
  const before = tokens[index - 1];
  if (isPython && bracketAt(tokens, index) !== -1) return true;
  if (before === undefined || before.line !== tokens[index]?.line) return before?.text === ":" && !isPython;
  if (before.text !== ":") return !/^[;{})=]$|^(?:else|do)$/.test(before.text);
  let first = index;
  while (first > index - longestLine && tokens[first - 1]?.line === before.line) first -= 1;
  return !isPython || !/^(?:if|elif|else|for|while|try|except|finally|with|def|class)$/.test(tokens[first]?.text ?? "");
}

/** Maximum number of tokens of a line that are read. */
const longestLine = 60;

/** The names under which a script knows such modules and their imported members. */
function boundInScript(tokens: readonly Token[]): ReadonlyMap<string, string> {
  const bound = new Map<string, string>();
  for (const [index, { type, text }] of tokens.entries()) {
    if (type !== "string") continue;
    const inner = text.slice(1, -1);
    const owner = (scriptModules.exec(inner) ?? scriptKinds.exec(inner))?.[1];
    if (owner === undefined) continue;
    if (tokens[index - 1]?.text === "from") bindNames(tokens, index - 2, owner, bound);
    else if (tokens[index - 1]?.text === "(" && isLoader(tokens[index - 2]?.text)) {
      let at = index - 3;
      while (tokens[at]?.line === tokens[index]?.line && /^(?:[.(]|[a-zA-Z]{1,20})$/.test(tokens[at]?.text ?? ""))
        at -= 1;
      if (tokens[at]?.text === "=") bindNames(tokens, at - 1, owner, bound);
    }
  }
  return bound;
}

/** Maximum number of tokens of an import that are read. */
const mostNames = 200;

/** Reads names backwards from `from` or `=`: `check`, `* as check`, `check, { strict as same }`, `{ strict: same }`. */
function bindNames(tokens: readonly Token[], last: number, owner: string, bound: Map<string, string>): void {
  let isWithin = false;
  for (let at = last; at > Math.max(-1, last - mostNames); at -= 1) {
    const { type, text } = tokens[at] ?? { type: "sign", text: "" };
    if (/^(?:import|const|let|var|;)$/.test(text)) return;
    if (text === "}") isWithin = true;
    else if (text === "{") isWithin = false;
    else if (type === "word" && text !== "as" && text !== "type") {
      const isRenamed = /^(?:as|:)$/.test(tokens[at - 1]?.text ?? "") && tokens[at - 2]?.text !== "*";
      const member = isRenamed ? (tokens[at - 2]?.text ?? "") : text;
      bound.set(text, isWithin && member !== "default" ? `${owner}.${member}` : owner);
      if (isRenamed || tokens[at - 1]?.text === "as") at -= 2;
    }
  }
}

/** `import math as m`, `import json, re`, `from pathlib import Path as P`. */
function boundInPython(tokens: readonly Token[]): ReadonlyMap<string, string> {
  const bound = new Map<string, string>();
  let from: string | null = null;
  for (let at = 0; at < tokens.length; at += 1) {
    const { text, line } = tokens[at] ?? { text: "", line: 0 };
    if (text === "from") from = tokens[at + 1]?.text ?? null;
    if (text !== "import") continue;
    const isFrom = from !== null && tokens[at - 2]?.text === "from";
    const isOpen = tokens[at + 1]?.text === "(";
    const end = Math.min(tokens.length, at + mostNames);
    for (let each = isOpen ? at + 2 : at + 1; each < end; each += 1) {
      const { type, text: name, line: own } = tokens[each] ?? { type: "sign", text: ")", line };
      if (isOpen ? name === ")" : own !== line) break;
      if (type !== "word" || tokens[each - 1]?.text === ".") continue;
      const isRenamed = tokens[each + 1]?.text === "as";
      const known = isRenamed ? (tokens[each + 2]?.text ?? name) : name;
      if (isFrom && pythonModules.test(from ?? "")) bound.set(known, `${from}.${name}`);
      if (!isFrom && pythonModules.test(name)) bound.set(known, name);
      if (isRenamed) each += 2;
    }
  }
  return bound;
}
