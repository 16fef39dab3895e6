import { isPythonFile, isShellFile } from "./languages.ts";
import type { IsOwn } from "./own-names.ts";
import type { Token } from "./tokens.ts";

/**
 * What a source begins to run that stands in none of its programs: text that it puts together or reads, a module within an address,
 * a file that is no program by its name. Nobody can see there what it says of its surroundings (F-201).
 * An interpreter's `eval` that the file itself defines runs none.
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
  // A function out of text, by way of any function.
  if (isMember && text === "constructor" && next?.text === "(" && tokens[index + 2]?.type === "string")
    return "constructor of text";
  if (isMember && !globals.test(owner?.text ?? "")) return null;
  if (before?.text === "function" || before?.text === "class" || before?.text === "interface") return null;
  if (text === "eval") {
    // A method, or a name, that is called so is none: `eval(code) {`, `{ eval: … }`.
    const isPassed = next?.text === ")" && before?.text === ",";
    return (next?.text === "(" && !isMethod(tokens, index)) || isPassed || isMember ? "eval" : null;
  }
  return text === "Function" && next?.text === "(" ? "new Function" : null;
}

/** What has a body behind its brackets is declared there. */
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

/** What makes text readable that nobody reads as it is written. */
const decoding =
  /\b(?:base64 {1,3}(?:-d|-D|-di|--decode)|openssl {1,3}(?:enc|base64) [^|;)]{0,60}-d|xxd {1,3}-r|uudecode|rev(?! ?-))\b/;

/** So many tokens of a line are read. */
const longestLine = 60;

/** `eval "$(… | base64 -d)"`, `… | base64 -d | sh`; and neither `eval "$(ssh-agent -s)"` nor `base64 -d > key.json`. */
function inShell(tokens: readonly Token[], index: number): string | null {
  const token = tokens[index];
  if (!/^(?:eval|source|sh|bash|dash|ksh|zsh)$/.test(token?.text ?? "")) return null;
  // A script that is named reads the text, and does not run it.
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
