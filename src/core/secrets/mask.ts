import { cleanText } from "../text.ts";
import { keyLinesEnd, longestKey, shapesIn } from "./shapes.ts";
import { type TextRange, searchFor } from "./values.ts";

/**
 * Masks secrets in output: known ones by value, unknown ones by shape. Pure, and linear in the text for any content and any number of
 * known secrets. PRODUCT.md: masked before anything is stored, logged or posted.
 */

export const maskedText = "[masked]";

/** An unfinished line is held back up to this length before a part of it is released. */
const longestHeldLine = 16_384;

/** The length of an over-long line that is held back, so that an arriving token is not cut. */
const heldTail = 4_096;

/** Returns where `text` contains secrets: sorted, not overlapping. */
export function secretRanges(text: string, secrets: readonly string[]): readonly TextRange[] {
  const found = [...searchFor(secrets).rangesIn(text), ...shapesIn(text)];
  found.sort((left, right) => left.start - right.start);
  return merged(found);
}

/** Returns `text` with every secret replaced by `[masked]`. Line structure and everything else stays. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  let result = "";
  let from = 0;
  for (const range of secretRanges(text, secrets)) {
    result += text.slice(from, range.start) + maskedText;
    from = range.end;
  }
  return result + text.slice(from);
}

// oxlint-disable-next-line no-control-regex -- escape sequences start with one
const escapes = /\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\u0007\u001b]{0,2000}(?:\u0007|\u001b\\)|[@-Z\\^_])/g;

/** Maximum length of an escape sequence that is removed. */
const longestEscape = 2_004;

/** Removes what a terminal does not print as text: colours and titles. Control characters become visible. */
export function cleanOutput(text: string): string {
  return cleanText(text.replace(escapes, ""));
}

/** Returns output that may be stored or shown. It is cleaned first, because an escape sequence can hide inside a token. */
export function safeOutput(text: string, secrets: readonly string[]): string {
  return maskSecrets(cleanOutput(text), secrets);
}

/**
 * Like `safeOutput`, for a text that was cut at its end. Omits the last word, which may continue after the cut, and a known secret
 * that may have begun there.
 */
export function safeBeginning(text: string, secrets: readonly string[]): string {
  const clean = cleanOutput(text);
  const open = searchFor(secrets).openAt(clean);
  let end = clean.length;
  while (end > 0 && end > clean.length - heldTail && !/\s/.test(clean[end - 1] ?? "")) end -= 1;
  return maskSecrets(clean.slice(0, Math.min(open, outsideSecret(clean, end, secrets, "start"))), secrets);
}

/**
 * State of a stream whose released part ended inside a secret too long to wait for. It is stored as the first character of the pending
 * text. `cleanOutput` never returns these characters.
 */
const insideToken = "\u0000";
const insideKey = "\u0001";

/**
 * Returns the part of a stream that can be released, masked, and the rest, to be given again before the following text (and to
 * `safeRest` at the end). Whole lines are released. An unfinished private key and an unfinished line wait, the line up
 * to 16 kB. The continuation of a secret that was too long to wait for is omitted.
 */
export function safePart(
  pending: string,
  secrets: readonly string[],
): { readonly text: string; readonly rest: string } {
  const { text, isKey, unread } = resumed(pending, unfinishedEscape(pending));
  const lineEnd = text.lastIndexOf("\n") + 1;
  const { longest } = searchFor(secrets);
  const held = Math.max(heldTail, longest);
  if (text.length - lineEnd <= Math.max(longestHeldLine, 2 * held)) {
    return letGo(text, openKeyCut(text, lineEnd), { isKey, unread, secrets });
  }
  const cut = outsideSecret(text, text.length - held, secrets, "start");
  if (cut > lineEnd) return letGo(text, openKeyCut(text, cut), { isKey, unread, secrets });
  const behind = outsideSecret(text, text.length - held, secrets, "end");
  if (behind < text.length) return letGo(text, openKeyCut(text, behind), { isKey, unread, secrets });
  // One secret fills the whole line: it is released masked, and its continuation is omitted.
  const part = letGo(text, openKeyCut(text, text.length), { isKey, unread, secrets });
  return part.rest.startsWith(insideKey) || part.rest !== unread ? part : { ...part, rest: insideToken + unread };
}

/** Returns the rest when a stream has ended. */
export function safeRest(pending: string, secrets: readonly string[]): string {
  const { text } = resumed(pending, pending.length);
  return maskSecrets(text, secrets);
}

/** Returns the rest of a stream when `following` is omitted: up to its last whole word outside a secret that continues there. */
export function safeBefore(pending: string, following: string, secrets: readonly string[]): string {
  const { text } = resumed(pending, pending.length);
  const cut = outsideSecret(text + cleanOutput(following), text.length, secrets, "start");
  const end = Math.max(text.lastIndexOf("\n", cut), text.lastIndexOf(" ", cut));
  return maskSecrets(text.slice(0, Math.max(0, end)), secrets);
}

/** Returns the part of a text from `border` on, starting after a secret that began before it. */
export function safeAfter(text: string, border: number, secrets: readonly string[]): string {
  const at = border > 0 && !text.slice(border).isWellFormed() ? border + 1 : border;
  const before = cleanOutput(text.slice(0, at));
  const clean = before + cleanOutput(text.slice(at));
  return maskSecrets(clean.slice(outsideSecret(clean, before.length, secrets, "end")), secrets);
}

/** Returns `at`, or the start or end of a secret that a cut there would split. */
export function outsideSecret(text: string, at: number, secrets: readonly string[], side: "start" | "end"): number {
  const around = secretRanges(text, secrets).find((range) => range.start < at && at < range.end);
  if (around === undefined) return at;
  return side === "start" ? around.start : around.end;
}

/** Returns the pending text, cleaned up to `end`, without the continuation of a secret that was released before. */
function resumed(
  pending: string,
  end: number,
): { readonly text: string; readonly isKey: boolean; readonly unread: string } {
  const isToken = pending.startsWith(insideToken);
  const isKey = pending.startsWith(insideKey);
  const unread = pending.slice(end);
  const text = cleanOutput(pending.slice(isToken || isKey ? 1 : 0, end));
  if (isToken) {
    const next = text.search(/[\s"'`<>]/);
    // Without a delimiter, all of the text belongs to the secret.
    return next === -1
      ? { text: "", isKey: false, unread: insideToken + unread }
      : { text: text.slice(next), isKey: false, unread };
  }
  if (!isKey) return { text, isKey, unread };
  const after = keyLinesEnd(text, 0);
  const isOver = text.slice(after).trim() !== "";
  return { text: isOver ? text.slice(after) : "", isKey: !isOver, unread };
}

interface MaskState {
  /** True when the text is inside a released key, and all of it belonged to that key. */
  readonly isKey: boolean;
  readonly unread: string;
  readonly secrets: readonly string[];
}

function letGo(
  text: string,
  { cut, isOpenKey }: { readonly cut: number; readonly isOpenKey: boolean },
  { isKey, unread, secrets }: MaskState,
): { text: string; rest: string } {
  const mark = isOpenKey || isKey ? insideKey : "";
  return { text: maskSecrets(text.slice(0, cut), secrets), rest: mark + text.slice(cut) + unread };
}

/** Moves `cut` before an unfinished private key. A key too long to wait for is cut, and continues after the cut. */
function openKeyCut(text: string, cut: number): { readonly cut: number; readonly isOpenKey: boolean } {
  const begin = cut === 0 ? -1 : text.lastIndexOf("-----BEGIN ", cut - 1);
  const isKey = begin !== -1 && /^-----BEGIN [A-Z ]{0,30}PRIVATE KEY/.test(text.slice(begin, begin + 64));
  if (!isKey || text.slice(begin, cut).includes("-----END ")) return { cut, isOpenKey: false };
  if (text.length - begin <= longestKey) return { cut: begin, isOpenKey: false };
  const lineEnd = text.indexOf("\n", begin);
  const isOpenKey = lineEnd !== -1 && text.slice(keyLinesEnd(text.slice(0, cut), lineEnd), cut).trim() === "";
  return { cut, isOpenKey };
}

/** Returns the index of an escape sequence or a two-character line end that may continue after the end of the text. */
function unfinishedEscape(text: string): number {
  const escape = text.lastIndexOf("\u001b");
  const isOpen =
    escape !== -1 &&
    text.length - escape < longestEscape &&
    text.slice(escape).replace(escapes, "").startsWith("\u001b");
  if (isOpen) return escape;
  return text.endsWith("\r") ? text.length - 1 : text.length;
}

function merged(sorted: readonly TextRange[]): readonly TextRange[] {
  const result: TextRange[] = [];
  for (const range of sorted) {
    const last = result.at(-1);
    if (last !== undefined && range.start <= last.end) {
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    } else if (range.end > range.start) {
      result.push(range);
    }
  }
  return result;
}
