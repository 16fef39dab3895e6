import { isPythonFile, isShellFile } from "./languages.ts";
import type { Token } from "./tokens.ts";

/**
 * Words and strings as the language reads them, not as they are written: `"vit\x65st"` and `vit\u0065st` name vitest, Python reads
 * `𝐩ytest` as pytest, and a shell reads `d''ate` as date. Searches for names use these tokens.
 */
export function spelledTokens(tokens: readonly Token[], path: string): readonly Token[] {
  if (isShellFile(path)) return joinedWords(tokens);
  const isPython = isPythonFile(path);
  return tokens.map((token) => {
    const text = spelled(token, isPython);
    return text === token.text ? token : { ...token, text };
  });
}

function spelled({ type, text }: Token, isPython: boolean): string {
  if (type === "word") {
    const plain = text.includes("\\") ? text.replace(unicodeEscape, readEscape) : text;
    // Python reads mathematical letters as plain ones; other languages do not.
    return isPython ? plain.normalize("NFKC") : plain;
  }
  if (type !== "string" || !text.includes("\\")) return text;
  return isPython ? text.replace(pythonEscape, readEscape) : text.replace(scriptEscape, readEscape);
}

const unicodeEscape = /\\u(?:([\da-f]{4})|\{([\da-f]{1,8})\})/gi;
/** Two backslashes must match first: what follows them is not escaped. */
const scriptEscape = /\\(?:\\|u([\da-f]{4})|u\{([\da-f]{1,8})\}|x([\da-f]{2})|([0-7]{1,3})|\r?\n|([ac-eg-mo-qsw-z]))/gi;
const pythonEscape =
  /\\(?:\\|u([\da-f]{4})|U([\da-f]{8})|x([\da-f]{2})|([0-7]{1,3})|\r?\n|N\{(?:LATIN (?:SMALL|CAPITAL) LETTER )?([A-Z]|LOW LINE)\})/gi;

/** The character of an escaped letter, digit or sign of a name. Any other escape stays as written, because no name contains it. */
function readEscape(written: string, ...parts: readonly unknown[]): string {
  const [four, more, two, octal, letter] = parts.map((part) => (typeof part === "string" ? part : undefined));
  if (/^\\\r?\n$/.test(written)) return "";
  const hex = four ?? more ?? two;
  const named = written.startsWith("\\N") ? letterNamed(written) : letter;
  const code = hex !== undefined ? Number.parseInt(hex, 16) : octal !== undefined ? Number.parseInt(octal, 8) : null;
  const plain = code === null ? named : code <= 0x7f ? String.fromCharCode(code) : undefined;
  return plain !== undefined && /^[\w./:@-]$/.test(plain) ? plain : written;
}

function letterNamed(written: string): string | undefined {
  if (/LOW LINE/i.test(written)) return "_";
  const letter = /([A-Z])\}$/i.exec(written)?.[1];
  return /SMALL/i.test(written) ? letter?.toLowerCase() : letter;
}

/** In a shell, adjacent parts are one word, quoted or not: `d''ate`, `"da"te`, `da\te`. */
function joinedWords(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const first = tokens[at];
    if (first === undefined) continue;
    let next = at + 1;
    while (tokens[next] !== undefined && tokens[next]?.start === tokens[next - 1]?.end && isPart(tokens[next]))
      next += 1;
    const parts = tokens.slice(at, next);
    if (!isPart(first) || parts.length === 1) {
      joined.push(first);
      continue;
    }
    const text = parts
      .map((part) => (part.type === "string" ? part.text.slice(1, -1) : part.text.replace("\\", "")))
      .join("");
    joined.push({ ...first, type: "word", text, end: parts.at(-1)?.end ?? first.end });
    at = next - 1;
  }
  return joined;
}

function isPart(token: Token | undefined): boolean {
  if (token === undefined) return false;
  if (token.type === "string") return /^(["'])\w*\1$/.test(token.text);
  return (token.type === "word" && !token.text.startsWith("$")) || token.text === "\\";
}
