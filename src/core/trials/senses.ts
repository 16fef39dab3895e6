import { isGoFile, isPythonFile } from "./languages.ts";
import { nameIn, type Token } from "./tokens.ts";

/**
 * By what a source begins to tell that it is tested without a name of what tests it: the list of what is loaded, the program that
 * was started, a number of its process that is low where everything is new, a value that says what it is equal to (F-201).
 */
export function senseAt(tokens: readonly Token[], index: number, path: string): string | null {
  const token = tokens[index];
  const name = nameIn(token);
  if (token === undefined || name === null) return null;
  const isPython = isPythonFile(path);
  // What vite puts around each module, and what its assertions ask a value whether it is equal.
  if (/^__vite\w{0,60}$|^asymmetricMatch$/.test(name)) return name;
  // Node's own list of what is loaded, the modules of its runner too.
  if (name === "moduleLoadList") return name;
  // What Go's runner is, the options that it gives to a program, and the end of that program's name.
  if (isGoFile(path) && token.type === "string" && /^(?:testing|\.test|-?test\.\w{1,40})$/.test(name)) return name;
  const compared = comparedAt(tokens, index);
  if (compared !== null) return compared;
  if (token.type === "string") return startedWith(tokens, index) ? `${token.text} in what was started` : null;
  return isPython ? inPython(tokens, index) : null;
}

function inPython(tokens: readonly Token[], index: number): string | null {
  const [owner, dot, token] = [tokens[index - 2], tokens[index - 1], tokens[index]];
  if (dot?.text !== "." || owner?.text !== "sys") return null;
  const [before, next, behind] = [tokens[index - 3], tokens[index + 1], tokens[index + 2]];
  if (token?.text === "modules") {
    const isGone =
      before?.text === "in" && tokens.slice(Math.max(0, index - 9), index - 3).some(({ text }) => text === "for");
    const isTaken = before?.text === "(" && takers.test(tokens[index - 4]?.text ?? "");
    const isRead = next?.text === "." && /^(?:keys|values|items)$/.test(behind?.text ?? "");
    return isGone || isTaken || isRead ? "the list of sys.modules" : null;
  }
  if (!/^__(?:stdin|stdout|stderr)__$/.test(token?.text ?? "")) return null;
  const isHeld = [before, next].some((each) => /^(?:is|not|[!=]=)$/.test(each?.text ?? ""));
  return isHeld ? `sys.${token?.text ?? ""}` : null;
}

const takers = /^(?:len|list|set|tuple|sorted|any|all|str|repr|iter|dict|frozenset|map|filter)$/;

const order = /^(?:<|>|<=|>=)$/;

/** `process.pid < 1000`, `os.getpid() > 99`, `[ $$ -lt 1000 ]`, `Error.stackTraceLimit === 100`; a number alone says nothing. */
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

/** So many tokens lie between what was started and what it is asked for. */
const nearby = 16;

const asks = /^(?:includes|endsWith|startsWith|indexOf|lastIndexOf|search|match|endswith|startswith|find)$/;

/**
 * `process.argv[1].includes("test")`, `Object.keys(env).some((each) => each.startsWith("TEST"))`; and neither what a program
 * was asked (`argv.includes("test")`, `argv[2]`) nor one variable (`env.KEY.startsWith("sk_test")`).
 */
function startedWith(tokens: readonly Token[], index: number): boolean {
  if (!/^.(?:.{0,40}[^a-z])?(?:tests?|specs?|__main__)(?:[^a-z].{0,40})?.$/i.test(tokens[index]?.text ?? ""))
    return false;
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

const plainKinds = /^(?:int|float|complex|str|bytes|bytearray|list|tuple|dict|set|frozenset|Decimal|Fraction)$/;

/** So many tokens of a class are read. */
const longestClass = 400;

/** `class Price(int):` with an `__eq__` of its own: it is what it says of itself, and equal to what it wants. */
export function equalsAt(tokens: readonly Token[], index: number): string | null {
  const [token, name, open] = [tokens[index], tokens[index + 1], tokens[index + 2]];
  if (token?.text !== "class" || name?.type !== "word" || open?.text !== "(") return null;
  const near = tokens.slice(index + 3, index + longestClass);
  const close = near.findIndex(({ text }) => text === ")");
  const kind = near.slice(0, Math.max(0, close)).find(({ text }) => plainKinds.test(text))?.text;
  if (kind === undefined) return null;
  const next = near.findIndex(({ text }) => text === "class");
  const own = next === -1 ? near : near.slice(0, next);
  return own.some(({ text }) => /^__(?:eq|ne)__$/.test(text))
    ? `what ${name.text}, a kind of ${kind}, is equal to`
    : null;
}
