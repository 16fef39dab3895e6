import { settingShapes } from "./setting-shapes.ts";
import type { TextRange } from "./values.ts";

/** Finds unknown secrets by their shape. */

/** Maximum length of a private key that is masked as one. A stream waits that long for its end. */
export const longestKey = 32_768;

/**
 * Shapes of secrets. When only a part is secret, it is the group named `secret`. Every repetition that could start
 * anywhere is bounded and short, or consumes all that matches, so that no output makes matching slow.
 */
const shapes: readonly RegExp[] = [
  /\bxox[a-z]-[A-Za-z0-9-]{10,}/dg,
  /\bxapp-\d-[A-Za-z0-9-]{10,}/dg,
  /\bhooks\.slack\.com\/(?:services|workflows)\/(?<secret>[A-Za-z0-9/_-]{8,})/dg,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/dg,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/dg,
  /\bglpat-[A-Za-z0-9_-]{20,}/dg,
  /\bsk-[A-Za-z0-9_-]{20,}/dg,
  /\b[sr]k_(?:live|test)_[A-Za-z0-9]{10,}/dg,
  /\bwhsec_[A-Za-z0-9+/=]{16,}/dg,
  /\bhf_[A-Za-z0-9]{20,}/dg,
  /\bpypi-[A-Za-z0-9_-]{30,}/dg,
  /\bdo[opr]_v1_[a-f0-9]{32,}/dg,
  /\bshp(?:at|ca|pa|ss)_[A-Fa-f0-9]{20,}/dg,
  /\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}/dg,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/dg,
  /\bAIza[A-Za-z0-9_-]{35}/dg,
  /\bnpm_[A-Za-z0-9]{30,}/dg,
  /\b[A-Za-z0-9_-]{23,28}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,45}\b/dg,
  /\b_authToken\s?=\s?(?<secret>[^\s"']{4,})/dg,
  /\b[Bb]earer\s{1,3}(?<secret>[A-Za-z0-9._~+/-]{16,}=*)/dg,
  /\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?[a-z-]{2,20}\s{1,3}(?<secret>[^\s"']{4,})/dgi,
  // Needs a character that words do not have, so "Basic knowledge" does not match.
  /\bbasic\s{1,3}(?=[A-Za-z]{0,200}[0-9+/=])(?<secret>[A-Za-z0-9+/]{8,}={0,2})/dgi,
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{0,200}:(?<secret>[^\s@/]{1,500})@/dgi,
  // A password may contain `@` and `/`: the last `@` before the host ends it, in the address of a database the last one of all.
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/[]{0,200}:(?<secret>[^\s/"'`<>\\]{1,500})@/dgi,
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/[]{0,200}:(?!\d{1,5}[/?#,])(?<secret>[^\s@/"'`<>\\${(:][^\s@/"'`<>\\]{0,500}\/[^\s"'`<>\\]{0,500})@/dgi,
  /\b(?!(?:git\+)?(?:https?|wss?|s?ftp|ssh|git):)[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/[]{0,200}:(?!\d{1,5}[/?#,])(?<secret>[^\s"'`<>\\${(:][^\s"'`<>\\]{0,500})@/dgi,
  /(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|credential)s?(?:=|["']?\s{0,3}[:=]\s{0,3}["'])["']?(?<secret>[^\s"'`&;,(){}<>$[\]]{4,})/dgi,
  ...settingShapes,
];

/** Returns where a text contains something that looks like a secret; not sorted, may overlap. Linear in the text. */
export function shapesIn(text: string): TextRange[] {
  const found: TextRange[] = [...keysIn(text), ...webTokensIn(text)];
  for (const shape of shapes) {
    for (const match of text.matchAll(shape)) {
      const [start, end] = match.indices?.groups?.["secret"] ?? match.indices?.[0] ?? [0, 0];
      found.push({ start, end });
    }
  }
  return found;
}

/** Finds JSON web tokens: three parts with dots between. Each run of their characters is scanned once. */
function webTokensIn(text: string): TextRange[] {
  if (!text.includes("eyJ")) return [];
  const found: TextRange[] = [];
  for (const run of text.matchAll(/[A-Za-z0-9_.-]+/g)) {
    const parts = run[0].split(".");
    let at = run.index;
    for (const [index, part] of parts.entries()) {
      const [second = "", third = ""] = parts.slice(index + 1, index + 3);
      const start = second.length >= 10 && third.length >= 5 ? webTokenStart(part) : -1;
      const end = at + part.length + second.length + third.length + 2;
      if (start !== -1) found.push({ start: at + start, end });
      at += part.length + 1;
    }
  }
  return found;
}

/** Returns where a word begins with `eyJ` and ten more characters; -1 when nowhere. */
function webTokenStart(part: string): number {
  for (let at = part.indexOf("eyJ"); at !== -1 && at + 13 <= part.length; at = part.indexOf("eyJ", at + 3)) {
    if (at === 0 || part[at - 1] === "-") return at;
  }
  return -1;
}

const beginning = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;
const ending = /-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;

/** Finds private keys from BEGIN to END. When one of them is missing, the lines that look like a key's. */
function keysIn(text: string): TextRange[] {
  const ends = [...text.matchAll(ending)];
  if (ends.length === 0 && !text.includes("-----BEGIN ")) return [];
  const found: TextRange[] = [];
  let next = 0;
  let last = 0;
  for (const begin of text.matchAll(beginning)) {
    if (begin.index < last) continue;
    const inside = begin.index + begin[0].length;
    while ((ends[next]?.index ?? text.length) < inside) next += 1;
    const end = ends[next];
    const isClosed = end !== undefined && end.index - inside <= longestKey;
    last = isClosed ? end.index + end[0].length : keyLinesEnd(text, inside);
    found.push({ start: begin.index, end: last });
  }
  for (const end of ends) found.push({ start: keyLinesStart(text, end.index), end: end.index + end[0].length });
  return found;
}

/** Characters of a key in one line, including line ends escaped as in JSON, and blanks before more of the key. */
const keyPart = /(?:[A-Za-z0-9+/=]|\\[nr]|[ \t]{1,4}(?=[A-Za-z0-9+/=]{20}))*/y;

/** Returns the end of text from `from` on that looks like a key: Base64, headers, blank lines between, and a last, shorter line. */
export function keyLinesEnd(text: string, from: number): number {
  keyPart.lastIndex = from;
  let end = from + (keyPart.exec(text)?.[0].length ?? 0);
  let at = text.indexOf("\n", end);
  if (at !== -1 && text.slice(end, at).trim() !== "") return end;
  while (at !== -1) {
    const next = text.indexOf("\n", at + 1);
    const line = text.slice(at + 1, next === -1 ? text.length : Math.min(next, at + 1 + longestLine));
    const said = line.trim();
    const isLast = /^[A-Za-z0-9+/=]{4,19}$/.test(said);
    if (isLast || isKeyLine(said)) end = isLast ? at + 1 + line.trimEnd().length : next === -1 ? text.length : next;
    if (isLast || (said !== "" && !isKeyLine(said))) return end;
    at = next;
  }
  return end;
}

/** Returns where the lines before an END begin that look like a key's. The last of them may be short. */
function keyLinesStart(text: string, end: number): number {
  let start = end;
  let isLast = true;
  while (start > 0) {
    const lineEnd = text[start - 1] === "\n" ? start - 1 : start;
    // Searches back at most one line length: otherwise many ENDs in one long line would each scan all of it.
    const from = Math.max(0, lineEnd - longestLine);
    const newline = text.slice(from, lineEnd).lastIndexOf("\n");
    const lineStart = newline === -1 ? from : from + newline + 1;
    const line = text.slice(lineStart, lineEnd).trim();
    if (!isKeyLine(line) && !(isLast && /^[A-Za-z0-9+/=]{1,19}$/.test(line))) return start;
    start = newline === -1 ? keyCharactersStart(text, from) : lineStart;
    isLast = false;
  }
  return start;
}

function keyCharactersStart(text: string, from: number): number {
  let start = from;
  while (start > 0 && /[A-Za-z0-9+/=]/.test(text[start - 1] ?? "")) start -= 1;
  return start;
}

const longestLine = 4_096;

function isKeyLine(line: string): boolean {
  return /^(?:[A-Za-z0-9+/=]{20,}|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): .*)$/.test(line);
}
