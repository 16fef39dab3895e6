import { isGoFile, isPerlFile, isPhpFile, isPythonFile, isRubyFile } from "./languages.ts";
import { perlSenseAt } from "./perl.ts";
import { isAskedOfStart, phpSenseAt } from "./php.ts";
import { rubySenseAt } from "./ruby.ts";
import { pythonSenseAt } from "./python-senses.ts";
import { nameIn, type Token } from "./tokens.ts";

/**
 * Signs by which source can tell that it is tested without naming a runner: the list of loaded modules, the started program, a process
 * number that is low in a fresh container, or an object that defines its own equality (F-201).
 */
export function senseAt(tokens: readonly Token[], index: number, path: string): string | null {
  const token = tokens[index];
  const name = nameIn(token);
  if (token === undefined || name === null) return null;
  // Names that vite puts around each module, and the method by which its assertions ask a value whether it is equal.
  if (/^__vite\w{0,60}$|^asymmetricMatch$/.test(name)) return name;
  // Node's list of loaded modules, which includes those of its runner.
  if (name === "moduleLoadList") return name;
  // Go's test package, the options that it gives to a test program, and the end of that program's name.
  if (isGoFile(path) && token.type === "string" && /^(?:testing|\.test|-?test\.\w{1,40})$/.test(name)) return name;
  // Results in the format that runners read: code that prints them decides how the tests ended.
  if (token.type === "string" && /^(?:TAP version \d|(?:not )?ok \d{1,6} - )/.test(name)) return "results of tests";
  const compared = comparedAt(tokens, index) ?? threadAt(tokens, index, path) ?? processAt(tokens, index, path);
  if (compared !== null) return compared;
  if (isPerlFile(path)) return perlSenseAt(tokens, index);
  if (isRubyFile(path) && token.type === "word") return rubySenseAt(tokens, index);
  const ofPhp = isPhpFile(path) ? phpSenseAt(tokens, index) : null;
  if (ofPhp !== null) return ofPhp;
  if (token.type === "string") return startedWith(tokens, index, path) ? `${token.text} in what was started` : null;
  return isPythonFile(path) ? pythonSenseAt(tokens, index) : null;
}

const order = /^(?:<|>|<=|>=)$/;

/**
 * A comparison of a process property with a number: `process.pid < 1000`, `os.getpid() > 99`, `[ $$ -lt 1000 ]`, `Error.stackTraceLimit
 * === 100`. A number alone says nothing.
 */
function comparedAt(tokens: readonly Token[], index: number): string | null {
  const { text } = tokens[index] ?? { text: "" };
  if (/^["']?(?:\$\$|\$\{?PPID\}?)["']?$/.test(text)) {
    const isTold = tokens[index + 1]?.text === "-" && /^(?:lt|gt|le|ge)$/.test(tokens[index + 2]?.text ?? "");
    return isTold ? "the number of its process" : null;
  }
  if (/^(?:pid|ppid|getpid|getppid)$/.test(text)) {
    if (!/^(?:process|os)$/.test(tokens[index - 2]?.text ?? "") || tokens[index - 1]?.text !== ".") return null;
    const end = text.startsWith("get") ? index + 3 : index + 1;
    const isBehind = order.test(tokens[index - 3]?.text ?? "") && tokens[index - 4]?.type === "number";
    const isBefore = order.test(tokens[end]?.text ?? "") && tokens[end + 1]?.type === "number";
    return isBehind || isBefore ? "the number of its process" : null;
  }
  if (text !== "stackTraceLimit") return null;
  const isTold = /^(?:[<>]=?|[!=]==?)$/.test(tokens[index + 1]?.text ?? "") && tokens[index + 2]?.type === "number";
  return isTold ? "Error.stackTraceLimit" : null;
}

/** Events to which Node's runner listens from the start. */
const listened = /^.(?:uncaughtException|unhandledRejection|beforeExit|exit|message|disconnect).$/;

/** Node's name for its own process. */
const nodes = "process";

/** Finds `thread::current().name() == Some("main")`: Rust runs a test in a thread with the test's name. */
function threadAt(tokens: readonly Token[], index: number, path: string): string | null {
  if (!path.endsWith(".rs") || tokens[index]?.text !== "name" || tokens[index - 4]?.text !== "current") return null;
  const [before, next] = [tokens[index - 8], tokens[index + 3]];
  const isCompared = [before, next].some((each) => /^[!=]=$/.test(each?.text ?? ""));
  return isCompared ? "the name of its thread" : null;
}

/** Finds reads of what a runner has started in the same process: `process.listenerCount("uncaughtException")`, `executionAsyncId() > 1`. */
function processAt(tokens: readonly Token[], index: number, path: string): string | null {
  const { text } = tokens[index] ?? { text: "" };
  if (/^(?:executionAsyncId|triggerAsyncId)$/.test(text)) {
    const isCalled = tokens[index + 1]?.text === "(" && tokens[index + 2]?.text === ")";
    const isBefore = equality.test(tokens[index + 3]?.text ?? "") && tokens[index + 4]?.type === "number";
    const start = tokens[index - 1]?.text === "." ? index - 2 : index;
    const isBehind = equality.test(tokens[start - 1]?.text ?? "") && tokens[start - 2]?.type === "number";
    return isCalled && (isBefore || isBehind) ? `${text}()` : null;
  }
  if (tokens[index - 1]?.text !== "." || tokens[index - 2]?.text !== "process") return null;
  if (/^(?:eventNames|_?getActive(?:ResourcesInfo|Handles|Requests))$/.test(text)) return `${nodes}.${text}()`;
  if (text === "execArgv") {
    const isTold = tokens[index + 2]?.text === "length" && equality.test(tokens[index + 3]?.text ?? "");
    return isTold ? `${nodes}.execArgv` : null;
  }
  if (/^(?:title|channel|connected|send)$/.test(text))
    return isOfNode(path) && isAskedOfProcess(tokens, index) && !isOwnProcess(tokens) ? `${nodes}.${text}` : null;
  if (!/^(?:listenerCount|listeners|rawListeners)$/.test(text)) return null;
  const event = tokens[index + 2];
  return event?.type !== "string" || listened.test(event.text) ? `${nodes}.${text}()` : null;
}

function isOfNode(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|vue|svelte)$/i.test(path) || !/\.\w{1,10}$/.test(path);
}

/** Cache of answers by file, since the question is asked for each such word. */
const own = new WeakMap<readonly Token[], boolean>();

/** True when a file declares a name `process` of its own: a value, a parameter, or a destructured member. */
function isOwnProcess(tokens: readonly Token[]): boolean {
  const known = own.get(tokens);
  if (known !== undefined) return known;
  const isOwn = tokens.some(({ text, type }, at) => {
    if (text !== nodes || type !== "word") return false;
    const [before, next] = [tokens[at - 1]?.text ?? "", tokens[at + 1]?.text ?? ""];
    // Node's module under its own name does not count.
    if (/^(?:const|let|var|import|as)$/.test(before)) return !isNodes(tokens, at);
    if (/^(?:function|class)$/.test(before) || next === "=>") return true;
    if (before === "{" && next === "}") return /^(?:=|from)$/.test(tokens[at + 2]?.text ?? "") && !isNodes(tokens, at);
    return /^[(,]$/.test(before) && isArgument(tokens, at);
  });
  own.set(tokens, isOwn);
  return isOwn;
}

/** `import process from "node:process"`, `const process = require("process")`, `const process = globalThis.process`. */
function isNodes(tokens: readonly Token[], at: number): boolean {
  const near = tokens.slice(at + 1, at + 7).map(({ text }) => text);
  return near.some((each) => /^["'](?:node:)?process["']$/.test(each)) || near.join("").startsWith("=globalThis.");
}

/** Maximum number of tokens of parameters that are read. */
const mostGiven = 60;

/** True when a name in brackets is a parameter: a function body follows the brackets. */
function isArgument(tokens: readonly Token[], at: number): boolean {
  let depth = 0;
  for (let here = at + 1; here < Math.min(tokens.length, at + mostGiven); here += 1) {
    const { text } = tokens[here] ?? { text: "" };
    if (/^[([{]$/.test(text)) depth += 1;
    if (/^[)\]}]$/.test(text)) depth -= 1;
    if (depth === -1) {
      const next = tokens[here + 1]?.text ?? "";
      return text === ")" && (next === "=>" || (/^[{:]$/.test(next) && !isBranch(tokens, at)));
    }
  }
  return false;
}

/** `if (process.connected) {`, `while (`. */
function isBranch(tokens: readonly Token[], at: number): boolean {
  const before = tokens.slice(Math.max(0, at - mostGiven), at).toReversed();
  const open = before.findIndex(({ text }) => text === "(");
  return /^(?:if|while|for|switch|with)$/.test(before[open + 1]?.text ?? "") || tokens[at + 1]?.text === ".";
}

/**
 * True when code checks the title of its process, or whether a parent process is connected: both differ under a runner. False for a
 * program that talks to its parent (`if (process.send) process.send("ready")`).
 */
function isAskedOfProcess(tokens: readonly Token[], index: number): boolean {
  const [next, member] = [tokens[index + 1]?.text ?? "", tokens[index + 2]?.text ?? ""];
  const before = tokens[index - 3]?.text ?? "";
  const isCompared = equality.test(next) || equality.test(before);
  if (tokens[index]?.text === "title")
    return isCompared || (next === "." && (member === "length" || asks.test(member)));
  const isCondition =
    before === "!" ||
    /^(?:&&|\|\|)$/.test(next) ||
    (/^(?:&&|\|\|)$/.test(before) && !/^[.(]$/.test(next)) ||
    (before === "(" && next === ")" && /^(?:if|while|Boolean)$/.test(tokens[index - 4]?.text ?? ""));
  const isAsked = isCompared || isCondition || (next === "?" && member !== ".");
  return isAsked && !isSpeaking(tokens, index);
}

/** True when code near there sends something to the parent process: `process.send(…)`, `process.channel?.unref()`. */
function isSpeaking(tokens: readonly Token[], index: number): boolean {
  const from = Math.max(0, index - speaking);
  return tokens.slice(from, index + speaking).some(({ text }, offset) => {
    if (!/^(?:send|disconnect|unref|ref)$/.test(text)) return false;
    const at = from + offset;
    const isCalled = [1, 2, 3].some(
      (far) =>
        tokens[at + far]?.text === "(" && tokens.slice(at + 1, at + far).every((each) => /^[?.!]+$/.test(each.text)),
    );
    const left = tokens
      .slice(Math.max(0, at - 6), at)
      .map((each) => each.text)
      .join("");
    return isCalled && /\bprocess(?:[?!]?\.channel)?[?!]?\.$/.test(left);
  });
}

/** Number of tokens before and after that are searched for messages to the parent process. */
const speaking = 60;

const equality = /^(?:[<>]=?|[!=]==?)$/;

/** Maximum number of tokens between the started program and the string that it is compared with. */
const nearby = 16;

const asks = /^(?:includes|endsWith|startsWith|indexOf|lastIndexOf|search|match|endswith|startswith|find)$/;

/**
 * True for `process.argv[1].includes("test")` and `Object.keys(env).some((each) => each.startsWith("TEST"))`. False for arguments of the
 * program (`argv.includes("test")`, `argv[2]`) and for one variable (`env.KEY.startsWith("sk_test")`).
 */
function startedWith(tokens: readonly Token[], index: number, path: string): boolean {
  if (!/^.(?:.{0,40}[^a-z])?(?:tests?|specs?|__main__)(?:[^a-z].{0,40})?.$/i.test(tokens[index]?.text ?? ""))
    return false;
  if (isPhpFile(path)) return isAskedOfStart(tokens, index);
  const isIn = tokens[index + 1]?.text === "in";
  if (!isIn && !(tokens[index - 1]?.text === "(" && asks.test(tokens[index - 2]?.text ?? ""))) return false;
  const from = isIn ? index + 2 : Math.max(0, index - nearby);
  const to = isIn ? index + nearby : index - 2;
  for (let at = from; at < to; at += 1) if (isStart(tokens, at)) return true;
  return false;
}

function isStart(tokens: readonly Token[], at: number): boolean {
  const [token, sign, member] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  if (token?.type !== "word") return false;
  if (/^(?:execArgv|orig_argv)$/.test(token.text)) return true;
  if (/^(?:env|environ)$/.test(token.text)) return sign?.text === ")";
  if (token.text !== "argv") return false;
  if (sign?.text === "[") return /^[01]$/.test(member?.text ?? "");
  if (sign?.text === ".") return /^(?:some|find|join|every|at|toString)$/.test(member?.text ?? "");
  return (
    sign?.text === ")" && tokens[at - 3]?.text === "(" && !/^(?:slice|parse\w{0,20})$/.test(tokens[at - 4]?.text ?? "")
  );
}
