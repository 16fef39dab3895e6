import { cleanText } from "../text.ts";

/**
 * Secrets in output: found by value (the ones we know) and by shape (the ones we do not). Values in, values out.
 * PRODUCT.md: masked before anything is stored, logged or posted.
 */

export const maskedText = "[masked]";

/** Half-open, in UTF-16 units. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** A known value shorter than this is not masked: it would black out ordinary words and protects nothing. */
const shortestSecret = 6;

/** A line without an end is held back up to this length before a part of it is let go. */
const longestHeldLine = 16_384;

/** Kept back of an over-long line, so that a token that is still arriving is not cut. */
const heldTail = 4_096;

/** No private key is longer; a BEGIN line older than this has no END to wait for. */
const longestKey = 16_384;

/**
 * Shapes of secrets. Where only a part is secret it is the group named `secret`. Every repetition that could start
 * anywhere is bounded, so that no output makes them slow.
 */
const shapes: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----[\s\S]{1,16000}?-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----/dg,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:\s{1,4}[A-Za-z0-9+/=]{20,200}){0,400}(?:\s{1,4}[A-Za-z0-9+/=]{1,200})?/dg,
  /\bxox[a-z]-[A-Za-z0-9-]{10,}/dg,
  /\bxapp-\d-[A-Za-z0-9-]{10,}/dg,
  /\bhooks\.slack\.com\/(?:services|workflows)\/(?<secret>[A-Za-z0-9/_-]{8,})/dg,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/dg,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/dg,
  /\bglpat-[A-Za-z0-9_-]{20,}/dg,
  /\bsk-[A-Za-z0-9_-]{20,}/dg,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/dg,
  /\bAIza[A-Za-z0-9_-]{35}/dg,
  /\bnpm_[A-Za-z0-9]{30,}/dg,
  /\b_authToken\s?=\s?(?<secret>[^\s"']{4,})/dg,
  /\beyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{5,}/dg,
  /\b[A-Za-z0-9_-]{23,28}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,45}\b/dg,
  /\b[Bb]earer\s{1,3}(?<secret>[A-Za-z0-9._~+/-]{16,}=*)/dg,
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{0,200}:(?<secret>[^\s@/]{1,500})@/dgi,
  /(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|credential)s?(?:=|["']?\s{0,3}[:=]\s{0,3}["'])["']?(?<secret>[^\s"'`&;,(){}<>$[\]]{4,})/dgi,
];

/** Where `text` holds a secret: sorted, not overlapping. */
export function secretRanges(text: string, secrets: readonly string[]): readonly Range[] {
  const found: Range[] = [];
  for (const value of knownValues(secrets)) {
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length)) {
      found.push({ start: at, end: at + value.length });
    }
  }
  for (const shape of shapes) {
    for (const match of text.matchAll(shape)) {
      const [start, end] = match.indices?.groups?.["secret"] ?? match.indices?.[0] ?? [0, 0];
      found.push({ start, end });
    }
  }
  found.sort((left, right) => left.start - right.start);
  return merged(found);
}

/** `text` with every secret replaced by `[masked]`. Line structure and everything else stays. */
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

/** What a terminal would not print as text: colours and titles removed, control characters made visible. */
export function cleanOutput(text: string): string {
  return cleanText(text.replace(escapes, ""));
}

/** Output as it may be stored or shown: cleaned first, because an escape sequence can hide inside a token. */
export function safeOutput(text: string, secrets: readonly string[]): string {
  return maskSecrets(cleanOutput(text), secrets);
}

/**
 * The part of a stream that can be let go, safe, and the rest, raw, to be given again in front of what comes next.
 * Whole lines are let go; an unfinished private key and an unfinished line wait, the line up to 16 kB.
 */
export function safePart(
  pending: string,
  secrets: readonly string[],
): { readonly text: string; readonly rest: string } {
  const cut = beforeOpenKey(pending, cutOf(pending, secrets));
  return { text: safeOutput(pending.slice(0, cut), secrets), rest: pending.slice(cut) };
}

/** `at`, moved out of a secret that it would cut in two: to its start, or to its end. */
export function outsideSecret(text: string, at: number, secrets: readonly string[], side: "start" | "end"): number {
  const around = secretRanges(text, secrets).find((range) => range.start < at && at < range.end);
  if (around === undefined) return at;
  return side === "start" ? around.start : around.end;
}

function cutOf(pending: string, secrets: readonly string[]): number {
  const lineEnd = pending.lastIndexOf("\n") + 1;
  if (pending.length - lineEnd <= longestHeldLine) return lineEnd;
  const cut = outsideSecret(pending, pending.length - heldTail, secrets, "start");
  // A "secret" that fills the whole line must not hold it back for ever.
  return cut > lineEnd ? cut : pending.length;
}

function beforeOpenKey(pending: string, cut: number): number {
  const begin = pending.lastIndexOf("-----BEGIN ", cut);
  if (begin === -1 || begin >= cut || pending.length - begin > longestKey) return cut;
  const isKey = /^-----BEGIN [A-Z ]{0,30}PRIVATE KEY/.test(pending.slice(begin, begin + 64));
  const isOpen = !pending.slice(begin, cut).includes("-----END ");
  return isKey && isOpen ? begin : cut;
}

/** Longest first; a value of several lines also by its lines, because output may indent them. */
function knownValues(secrets: readonly string[]): readonly string[] {
  const values = new Set<string>();
  for (const secret of secrets) {
    for (const value of [secret, ...secret.split("\n"), encodeURIComponent(secret)]) {
      const trimmed = value.trim();
      if (trimmed.length >= shortestSecret) values.add(trimmed);
    }
  }
  return [...values].sort((left, right) => right.length - left.length);
}

function merged(sorted: readonly Range[]): readonly Range[] {
  const result: Range[] = [];
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
