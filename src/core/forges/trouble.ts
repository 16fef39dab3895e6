import { askedWaitMs } from "../asked-wait.ts";
import { firstLine, formatDuration } from "../text.ts";

/** Why a request to a forge failed, by what a person can do about it. */
export type ForgeTroubleKind =
  /** The token is wrong, has expired or was revoked. */
  | "login"
  /** The token lacks the right. */
  | "forbidden"
  | "not-found"
  /** Too many requests; repeated after a while. */
  | "limited"
  /** No usable answer; it may be temporary. */
  | "unreachable"
  /** The forge understood the request, and refused it. */
  | "refused";

export interface ForgeTrouble {
  readonly kind: ForgeTroubleKind;
  /** A sentence without its full stop. */
  readonly reason: string;
  /** What to do. */
  readonly next: string;
  /** How long the forge asks us to wait; null when it does not say. */
  readonly waitMs: number | null;
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** The forge's own words, masked, one line. */
  readonly said: string;
}

/** An answer that is not a success, or a missing answer. */
export interface FailedAnswer {
  readonly status: number | null;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The forge's words, masked, or why there was no answer. */
  readonly message: string;
}

/** The forge that was asked: `GitHub`, `github.com`, and the setting that holds the token. */
export interface Asker {
  readonly title: string;
  readonly host: string;
  readonly setting: string;
}

/**
 * Classifies a failed answer. GitHub uses 403 for a rate limit and for a missing right; the headers tell which.
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
export function forgeTrouble(answer: FailedAnswer, asker: Asker, now: Date): ForgeTrouble {
  const { status, message } = answer;
  const { title, host, setting } = asker;
  const waitMs = waitIn(answer, now);
  const said = firstLine(message, 300);
  const of = { waitMs, status, said };
  if (status === null || status >= 500 || status === 408)
    return { ...of, kind: "unreachable", reason: `${host} does not answer as it should (${said})`, next: later };
  if (status === 429 || (status === 403 && isLimit(answer))) {
    const wait = waitMs === null ? "" : ` for ${formatDuration(waitMs)}`;
    return { ...of, kind: "limited", reason: `${host} takes no more requests of ours${wait}`, next: later };
  }
  if (status === 401)
    return {
      ...of,
      kind: "login",
      reason: `${title} (${host}) does not take our token: it is wrong, has ended or was revoked`,
      next: `make another one there, set it as ${setting} and start again (docs/pull-requests.md)`,
    };
  if (status === 403)
    return {
      ...of,
      kind: "forbidden",
      reason: `our token may not do this at ${host} (${said})`,
      next: `give the token of ${setting} what docs/pull-requests.md lists`,
    };
  if (status === 404 || status === 410)
    return {
      ...of,
      kind: "not-found",
      reason: `${host} does not show us this repository or pull request`,
      next: `let the token of ${setting} see it (docs/pull-requests.md); one that was moved is made known by its new URL: cos repo add URL`,
    };
  if (status >= 300 && status < 400)
    return {
      ...of,
      kind: "not-found",
      reason: `${host} has moved this repository`,
      next: "make it known by its new URL: cos repo add URL",
    };
  return { ...of, kind: "refused", reason: `${host} refused it (${said})`, next: "do what its words say" };
}

const later = "it is tried again by itself";

function isLimit({ headers, message }: FailedAnswer): boolean {
  return (
    headers["retry-after"] !== undefined ||
    headers["x-ratelimit-remaining"] === "0" ||
    /rate limit|abuse detection/i.test(message)
  );
}

/**
 * The wait that the forge asks for: `Retry-After` as seconds or a date, else the time until a used-up limit is reset. Times are by the
 * forge's clock, from its `Date` header: ours may be wrong.
 */
function waitIn({ headers }: FailedAnswer, ours: Date): number | null {
  const there = new Date(headers["date"] ?? "");
  const now = Number.isNaN(there.getTime()) ? ours : there;
  const after = headers["retry-after"];
  const asked = after === undefined ? null : /^\d+$/.test(after) ? Number(after) * 1000 : untilDate(after, now);
  if (asked !== null) return askedWaitMs(asked, 1000);
  const isUsedUp = headers["x-ratelimit-remaining"] === "0" || headers["ratelimit-remaining"] === "0";
  const reset = headers["x-ratelimit-reset"] ?? headers["ratelimit-reset"];
  if (!isUsedUp || reset === undefined || !/^\d{1,12}$/.test(reset)) return null;
  return askedWaitMs(Number(reset) * 1000 - now.getTime(), 1000);
}

function untilDate(text: string, now: Date): number | null {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at - now.getTime();
}

/** A trouble in one line, with what to do. */
export function forgeTroubleSentence({ reason, next }: Pick<ForgeTrouble, "reason" | "next">): string {
  return `${reason}: ${next}`;
}
