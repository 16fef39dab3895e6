import { isPythonFile, isScriptFile, isShellFile } from "./languages.ts";
import type { IsOwn } from "./own-names.ts";
import type { Token } from "./tokens.ts";

/**
 * Finds changes to objects that all code shares. By these, source decides what a test compares, calls or receives. It still fails where a
 * near miss asks for another value, so that no near miss shows it (F-201).
 */

/** Objects of the language and of Node, without those that programs set every day. */
const objects: ReadonlySet<string> = new Set(
  (
    "Object Array String Number BigInt Boolean Function Promise Map Set WeakMap WeakSet Symbol RegExp Date Math JSON Reflect " +
    "Proxy Error TypeError Buffer Iterator process console"
  ).split(" "),
);

/** Python's shared objects; in Python, `Set` and the like are names of types. */
const pythonObjects: ReadonlySet<string> = new Set(["builtins", "__builtins__"]);

/**
 * Groovy classes, which are changed by `metaClass`. Every other language uses such names for objects of its own: `process.arguments = …`.
 */
const groovyClasses: ReadonlySet<string> = new Set(
  "Object String Number Integer BigDecimal Boolean List Map Set Date Math".split(" "),
);

function objectsOf(path: string): ReadonlySet<string> | null {
  if (isScriptFile(path)) return objects;
  if (isPythonFile(path)) return pythonObjects;
  return /\.(?:groovy|gradle)$/i.test(path) ? groovyClasses : null;
}

const everyDay = /^process\.(?:exitCode|title|env(?:\..*)?)$|^Error\.stackTraceLimit$/;

/** Functions that set a property of their first argument. */
const setters: ReadonlySet<string> = new Set(
  "defineProperty defineProperties assign setPrototypeOf set setattr patch delattr".split(" "),
);

/** Python's ways to reach into running code. */
const doors: ReadonlySet<string> = new Set(
  "settrace setprofile memmove memset f_globals f_lineno get_objects get_referrers".split(" "),
);

/** Commands whose meaning a test script relies on. */
const commands: ReadonlySet<string> = new Set(
  "test exit return echo printf true false diff cmp grep expr command eval exec source set trap kill read cat sed awk".split(
    " ",
  ),
);

/** "Object.is" of `Object.is = …`, "Array.prototype" of `Object.defineProperty(Array.prototype, …)`, "exit" of `alias exit=:`. */
export function sharedAt(tokens: readonly Token[], index: number, path: string, isOwn: IsOwn): string | null {
  const token = tokens[index];
  if (token?.type !== "word") return null;
  if (isShellFile(path)) return commandAt(tokens, index);
  const before = tokens[index - 1]?.text;
  if (isPythonFile(path) && doors.has(token.text) && (before === "." || before === "import")) {
    const isOwnBuffer = tokens[index + 1]?.text === "(" && isOwn(index + 2) && tokens[index + 3]?.text === ",";
    return /^mem(?:set|move)$/.test(token.text) && isOwnBuffer ? null : token.text;
  }
  const shared = objectsOf(path);
  if (shared?.has(token.text) !== true || isOwn(index)) return null;
  // A member of that name counts only on the global object.
  if (before === "." && !/^(?:globalThis|global|window|self)$/.test(tokens[index - 2]?.text ?? "")) return null;
  const { name, next } = memberFrom(tokens, index);
  if (everyDay.test(name) || (shared === groovyClasses && !name.includes(".metaClass"))) return null;
  const isSet = name !== token.text && tokens[next]?.text === "=";
  return isSet || isGivenToSetter(tokens, index, next) ? name : null;
}

/**
 * True when the tokens from `index` to `next` are the first argument of a function that sets a property. A `set` of an object other than
 * `Reflect` counts only with three arguments (`own.set(Date, "now", f)`): `kinds.set(Date, f)` fills a map.
 */
export function isGivenToSetter(tokens: readonly Token[], index: number, next: number): boolean {
  const setter = tokens[index - 2]?.text ?? "";
  if (tokens[index - 1]?.text !== "(" || !setters.has(setter) || tokens[next]?.text !== ",") return false;
  const isOfOther = setter === "set" && tokens[index - 3]?.text === "." && tokens[index - 4]?.text !== "Reflect";
  return !isOfOther || hasThreeArguments(tokens, next);
}

/** Maximum number of tokens of arguments that are read; a longer call counts as having three arguments. */
const longestArguments = 200;

/** `first`: the comma after the first argument. A spread counts as several arguments. */
function hasThreeArguments(tokens: readonly Token[], first: number): boolean {
  let depth = 0;
  for (let at = first + 1; at < first + longestArguments; at += 1) {
    const text = tokens[at]?.text;
    if (text === undefined) return false;
    if (/^[([{]$/.test(text)) depth += 1;
    if (/^[)\]}]$/.test(text)) depth -= 1;
    if (depth < 0) return false;
    const isSpread = at === first + 1 && text === "." && tokens[at + 1]?.text === ".";
    if (depth === 0 && (isSpread || (text === "," && !/^[)]$/.test(tokens[at + 1]?.text ?? ")")))) return true;
  }
  return true;
}

/** The dotted name that begins there, such as `Array.prototype.push` or `Object["is"]`, and the token after it. */
export function memberFrom(tokens: readonly Token[], index: number): { readonly name: string; readonly next: number } {
  let name = tokens[index]?.text ?? "";
  let next = index + 1;
  for (;;) {
    const [sign, member, end] = [tokens[next], tokens[next + 1], tokens[next + 2]];
    if (sign?.text === "." && member?.type === "word") {
      name += `.${member.text}`;
      next += 2;
    } else if (sign?.text === "[" && end?.text === "]") {
      name += member?.type === "string" ? `.${member.text.slice(1, -1)}` : "[…]";
      next += 3;
    } else return { name, next };
  }
}

/** `test() {`, `function test`, `alias exit=:`. */
function commandAt(tokens: readonly Token[], index: number): string | null {
  const [before, token, open, close] = [tokens[index - 1], tokens[index], tokens[index + 1], tokens[index + 2]];
  if (token === undefined || !commands.has(token.text)) return null;
  const isFunction = open?.text === "(" && close?.text === ")";
  return isFunction || before?.text === "function" || before?.text === "alias" ? token.text : null;
}
