import { isPythonFile, isShellFile } from "./languages.ts";
import type { IsOwn } from "./own-names.ts";
import type { Token } from "./tokens.ts";

/**
 * Finds code that runs text which is in none of its program files: text that it builds or reads, a module within a `data:` address, or
 * decoded text. A check of the source cannot see what that text does (F-201). A call of an interpreter's own `eval`, which the file
 * defines, runs no text.
 */
export function runsTextAt(tokens: readonly Token[], index: number, path: string, isOwn: IsOwn): string | null {
  const token = tokens[index];
  if (token === undefined || (token.text === "eval" && isOwn(index))) return null;
  if (isShellFile(path)) return inShell(tokens, index);
  if (token.type === "string")
    return /^.data:(?:text|application)\/(?:javascript|ecmascript|wasm|node)\b/i.test(token.text)
      ? "a module in its own address"
      : null;
  if (token.type !== "word") return null;
  if (isPythonFile(path)) return inPython(tokens, index);
  return /\.(?:[cm]?[jt]sx?|vue|svelte)$/i.test(path) ? inScript(tokens, index) : null;
}

const globals = /^(?:globalThis|global|window|self)$/;

function inScript(tokens: readonly Token[], index: number): string | null {
  const [owner, before, token, next] = [tokens[index - 2], tokens[index - 1], tokens[index], tokens[index + 1]];
  const text = token?.text ?? "";
  const isMember = before?.text === ".";
  if (isMember && /^(?:runIn(?:This|New)?Context|compileFunction|_compile)$/.test(text) && next?.text === "(")
    return text;
  if (isMember && text === "Script" && owner?.text === "vm") return "vm.Script";
  // A function made from text, by the constructor of any function.
  if (isMember && text === "constructor" && next?.text === "(" && tokens[index + 2]?.type === "string")
    return "constructor of text";
  if (isMember && !globals.test(owner?.text ?? "")) return null;
  if (before?.text === "function" || before?.text === "class" || before?.text === "interface") return null;
  if (text === "eval") {
    // A method or a key of that name does not count: `eval(code) {`, `{ eval: … }`.
    const isPassed = next?.text === ")" && before?.text === ",";
    return (next?.text === "(" && !isMethod(tokens, index)) || isPassed || isMember ? "eval" : null;
  }
  return text === "Function" && next?.text === "(" ? "new Function" : null;
}

/** True for a declaration: a body or a type follows its brackets. */
function isMethod(tokens: readonly Token[], index: number): boolean {
  let depth = 0;
  for (const { text } of tokens.slice(index + 1, index + 40)) {
    if (depth === -1) return text === "{" || text === ":";
    if (text === "(") depth += 1;
    if (text === ")") depth = depth === 1 ? -1 : depth - 1;
  }
  return false;
}

function inPython(tokens: readonly Token[], index: number): string | null {
  const [owner, before, token, next] = [tokens[index - 2], tokens[index - 1], tokens[index], tokens[index + 1]];
  const text = token?.text ?? "";
  if (before?.text === ".") {
    if (text === "loads" && owner?.text === "marshal") return "marshal.loads";
    return /^(?:exec|eval)$/.test(text) && owner?.text === "builtins" ? text : null;
  }
  if (before?.text === "def" || next?.text !== "(") return null;
  return /^(?:exec|eval|execfile)$/.test(text) ? text : null;
}

/** Commands that decode text which is not readable as it is written. */
const decoding =
  /\b(?:base64 {1,3}(?:-d|-D|-di|--decode)|openssl {1,3}(?:enc|base64) [^|;)]{0,60}-d|xxd {1,3}-r|uudecode|rev(?! ?-))\b/;

/** Maximum number of tokens of a line that are read. */
const longestLine = 60;

/** Finds `eval "$(… | base64 -d)"` and `… | base64 -d | sh`, but neither `eval "$(ssh-agent -s)"` nor `base64 -d > key.json`. */
function inShell(tokens: readonly Token[], index: number): string | null {
  const token = tokens[index];
  if (!/^(?:eval|source|sh|bash|dash|ksh|zsh)$/.test(token?.text ?? "")) return null;
  // A shell that is given a script reads the text as input and does not run it.
  const next = tokens[index + 1];
  const isNamed = next?.type === "word" && next.line === token?.line;
  const isPiped = tokens[index - 1]?.text === "|" && !isNamed;
  const isRunning = /^(?:eval|source)$/.test(token?.text ?? "") || next?.text === "-";
  if (!isPiped && !isRunning) return null;
  const from = Math.max(0, index - (isPiped ? longestLine : 0));
  const near = tokens.slice(from, index + (isPiped ? 0 : longestLine)).filter((each) => each.line === token?.line);
  const line = near.map(({ text, start }, at) => (start > (near[at - 1]?.end ?? start) ? ` ${text}` : text)).join("");
  return decoding.test(line) ? `${token?.text ?? ""} of decoded text` : null;
}
