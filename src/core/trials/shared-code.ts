import { isPythonFile, isScriptFile, isShellFile } from "./languages.ts";
import type { IsOwn } from "./own-names.ts";
import type { Token } from "./tokens.ts";

/**
 * What a source begins to change that all code shares: by that it decides what a test compares, calls or hears, and still
 * fails where the test asks for something else, so that no near miss shows it (F-201).
 */

/** Objects of the language and of Node, without what programs set every day. */
const objects: ReadonlySet<string> = new Set(
  (
    "Object Array String Number BigInt Boolean Function Promise Map Set WeakMap WeakSet Symbol RegExp Date Math JSON Reflect " +
    "Proxy Error TypeError Buffer Iterator process console"
  ).split(" "),
);

/** Python's own; there `Set` and the like are names of types. */
const pythonObjects: ReadonlySet<string> = new Set(["builtins", "__builtins__"]);

/** Of Groovy what is set by `metaClass`; every other language has names like these for what is its own: `process.arguments = …`. */
const groovyClasses: ReadonlySet<string> = new Set(
  "Object String Number Integer BigDecimal Boolean List Map Set Date Math".split(" "),
);

function objectsOf(path: string): ReadonlySet<string> | null {
  if (isScriptFile(path)) return objects;
  if (isPythonFile(path)) return pythonObjects;
  return /\.(?:groovy|gradle)$/i.test(path) ? groovyClasses : null;
}

const everyDay = /^process\.(?:exitCode|title|env(?:\..*)?)$|^Error\.stackTraceLimit$/;

/** What sets a property of its first argument. */
const setters: ReadonlySet<string> = new Set(
  "defineProperty defineProperties assign setPrototypeOf set setattr patch delattr".split(" "),
);

/** Python's doors into what others run. */
const doors: ReadonlySet<string> = new Set(
  "settrace setprofile memmove memset f_globals f_lineno get_objects get_referrers".split(" "),
);

/** Commands of which a script of tests counts on their meaning. */
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
  // A member of something else with that name is none, but of what holds all of them.
  if (before === "." && !/^(?:globalThis|global|window|self)$/.test(tokens[index - 2]?.text ?? "")) return null;
  const { name, next } = memberFrom(tokens, index);
  if (everyDay.test(name) || (shared === groovyClasses && !name.includes(".metaClass"))) return null;
  const isSet = name !== token.text && tokens[next]?.text === "=";
  return isSet || isGivenToSetter(tokens, index, next) ? name : null;
}

/**
 * Whether what stands from `index` up to `next` is the first argument of what sets something in it. A `set` of something else than
 * `Reflect` does so with a name and a value alone (`own.set(Date, "now", f)`): `kinds.set(Date, f)` puts it into a map.
 */
export function isGivenToSetter(tokens: readonly Token[], index: number, next: number): boolean {
  const setter = tokens[index - 2]?.text ?? "";
  if (tokens[index - 1]?.text !== "(" || !setters.has(setter) || tokens[next]?.text !== ",") return false;
  const isOfOther = setter === "set" && tokens[index - 3]?.text === "." && tokens[index - 4]?.text !== "Reflect";
  return !isOfOther || hasThreeArguments(tokens, next);
}

/** So many tokens of arguments are read; where there are more, it may have as many arguments. */
const longestArguments = 200;

/** `first`: the comma behind the first argument. What is spread may be several. */
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

/** `Array.prototype.push` and `Object["is"]` as they are written, and where the text goes on. */
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
