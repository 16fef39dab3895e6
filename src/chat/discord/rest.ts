import {
  DiscordAPIError,
  DiscordjsError,
  DiscordjsErrorCodes,
  HTTPError,
  RateLimitError,
  REST,
  RESTJSONErrorCodes as Codes,
  type RESTOptions,
} from "discord.js";
import type { NotNow, PostOutcome } from "../platform.ts";
import { fetchTheirs, NotTheirs } from "../their-answers.ts";
import { Undrawn } from "../undrawn.ts";
import type { DiscordSettings } from "./settings.ts";

/**
 * Opens a client of Discord's REST API that never retries by itself: before a message is posted again, it must be searched for (D17).
 * `waits`: whether a call waits for a rate limit to end. Deliveries do not, because their whole channel waits.
 */
export function openDiscordRest(settings: DiscordSettings, { waits }: { readonly waits: boolean }): REST {
  const rest = new REST(restOptions(settings, waits)).setToken(settings.token);
  // The client would drop a token that was refused once. Discord decides whether it is valid again.
  rest.setToken = () => rest;
  return rest;
}

/**
 * Options of the REST client: no retries, a timeout of ten seconds. `waits`: whether a call may wait for a rate limit to end. The
 * client's default request function uses the undici that was loaded first in the process; the Slack client's undici cannot send its
 * files.
 */
export function restOptions({ apiUrl }: Pick<DiscordSettings, "apiUrl">, waits: boolean) {
  return {
    version: "10",
    retries: 0,
    timeout: 10_000,
    // As in the client's own documentation; its types describe another fetch.
    makeRequest: fetchTheirs as unknown as RESTOptions["makeRequest"],
    // The client's own global limit is rejected too when `waits` is false.
    rejectOnRateLimit: waits ? null : () => true,
    ...(apiUrl === null ? {} : { api: apiUrl }),
  };
}

/** Returns the code of Discord's answer; null for failures without one. */
export function codeOf(error: unknown): number | null {
  return error instanceof DiscordAPIError && typeof error.code === "number" && error.code !== 0 ? error.code : null;
}

/** Describes an error in the words of Discord or of the network. */
export function errorWord(error: unknown): string {
  if (error instanceof RateLimitError) return `rate limited for ${Math.ceil(error.timeToReset / 1000)} s`;
  if (error instanceof DiscordAPIError) {
    if (error.status === 401) return invalidToken;
    const code = codeOf(error);
    return code === null ? firstLineOf(error.message) : `${firstLineOf(error.message)} (${code})`;
  }
  // The error of discord.js when its login is refused.
  if (error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid) return invalidToken;
  if (error instanceof HTTPError) return `HTTP ${error.status}`;
  const code = networkCode(error);
  return code === null ? (error instanceof Error ? error.message : String(error)) : `unreachable (${code})`;
}

function firstLineOf(message: string): string {
  return (message.split("\n")[0] ?? "").slice(0, 200);
}

/** Returns what a person can do about a failed call; null when nothing is known. */
export function adviceFor(error: unknown): string | null {
  if (error instanceof DiscordAPIError && error.status === 401) return tokenAdvice;
  const code = codeOf(error);
  return advice.find(({ codes }) => code !== null && codes.includes(code))?.says ?? null;
}

const advice: readonly { readonly codes: readonly number[]; readonly says: string }[] = [
  { codes: [Codes.UnknownChannel], says: "the channel is not there: check DISCORD_CHANNEL_ID" },
  {
    codes: [Codes.UnknownGuild],
    says: "the bot is not in the server: check DISCORD_GUILD_ID and use the invite link of cos doctor",
  },
  {
    codes: [Codes.MissingAccess, Codes.MissingPermissions],
    says: "let the bot see and write in the channel: use the invite link of cos doctor, then look at the channel's permissions",
  },
  {
    codes: [Codes.CannotSendMessagesInNonTextChannel, Codes.CannotExecuteActionOnThisChannelType],
    says: "DISCORD_CHANNEL_ID is not a text channel: copy the id of one, not of a thread, forum or category",
  },
];

/** Like `adviceFor`, for the words of the gateway. */
export function adviceForWord(word: string): string | null {
  if (word === invalidToken) return tokenAdvice;
  return word === missingIntent ? intentAdvice : null;
}

export const invalidToken = "invalid token";
export const missingIntent = "the intent Message Content is off";
export const intentAdvice =
  "switch Message Content Intent on where the application is set up (Bot, Privileged Gateway Intents)";
const tokenAdvice = "reset the bot's token (Bot, Reset Token) and put it into .env (DISCORD_TOKEN)";

const closedDoors: readonly number[] = [
  Codes.UnknownChannel,
  Codes.UnknownGuild,
  Codes.MissingAccess,
  Codes.MissingPermissions,
  // A forum or a category. A message inside a thread cannot have a thread either.
  Codes.CannotSendMessagesInNonTextChannel,
  Codes.CannotExecuteActionOnThisChannelType,
];
/** The thread is locked by a moderator, or archived and we may not open it. */
const closedThreads: readonly number[] = [Codes.ThreadLocked, Codes.InvalidActionOnArchivedThread];
const goneMessages: readonly number[] = [Codes.UnknownMessage];
const limitCodes: readonly number[] = [
  Codes.ChannelWriteRateLimit,
  Codes.ServerWriteRateLimit,
  Codes.ActionCannotBePerformedDueToSlowmodeRateLimit,
  Codes.ServiceResourceIsBeingRateLimited,
];
/** Used when a limit names no time, or one too short to be worth a call. */
const leastLimitMs = 1_000;
const closedDoorMs = 30_000;
const closedThreadMs = 5 * 60_000;

/** Returns what a failed call means for its message. Throws an error that is not a failure of a call. */
export function troubleOf(error: unknown): Exclude<PostOutcome, { type: "shown" }> {
  const reason = errorWord(error);
  if (error instanceof RateLimitError) return limited(Math.max(error.timeToReset, error.retryAfter));
  if (error instanceof DiscordAPIError) {
    const code = codeOf(error) ?? 0;
    if (error.status === 429 || limitCodes.includes(code)) return limited(leastLimitMs);
    if (goneMessages.includes(code)) return { type: "gone" };
    if (error.status === 401 || closedDoors.includes(code)) return notNow("not-let-in", closedDoorMs, reason, false);
    if (closedThreads.includes(code)) return notNow("thread-closed", closedThreadMs, reason, false);
    return { type: "rejected", reason: inOneLine(error.message).slice(0, 500) };
  }
  if (error instanceof Undrawn) return { type: "rejected", reason: error.message };
  if (error instanceof HTTPError || error instanceof NotTheirs) return notNow("failed", 1000, reason, true);
  const code = networkCode(error);
  if (code === null) throw error;
  return notNow("unreachable", 1000, reason, !neverSent.includes(code));
}

/**
 * Like `troubleOf`, for an edit. Discord limits edits of messages older than an hour; that limit concerns one message and delays no
 * other.
 */
export function editTroubleOf(error: unknown): Exclude<PostOutcome, { type: "shown" }> {
  const trouble = troubleOf(error);
  const isAlone = error instanceof RateLimitError && !error.global && isOfMessage(error);
  return isAlone && trouble.type === "retry" ? { ...trouble, why: "message-limit" } : trouble;
}

/** True when the limit is not the ordinary one of a channel: it is a sublimit, or longer than ordinary limits, which end within seconds. */
function isOfMessage({ sublimitTimeout, timeToReset, retryAfter }: RateLimitError): boolean {
  return sublimitTimeout > 0 || Math.max(timeToReset, retryAfter) > longestBucketMs;
}

const longestBucketMs = 10_000;

function inOneLine(message: string): string {
  return message
    .split("\n")
    .map((line) => line.trim())
    .join("; ");
}

const neverSent = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"];

function limited(afterMs: number): NotNow {
  return notNow("limit", Math.max(afterMs, leastLimitMs), "rate limited", false);
}

/** Returns an outcome to be retried after `afterMs`. `mayBeShown`: Discord may have executed the call nevertheless. */
export function notNow(why: NotNow["why"], afterMs: number, reason: string, mayBeShown: boolean): NotNow {
  return { type: "retry", why, afterMs, reason, mayBeShown };
}

/** Returns the code of the innermost cause, or "timeout" for a call that was given up; null when it is not a network error. */
function networkCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error.name === "AbortError" || error.name === "TimeoutError") return "timeout";
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error instanceof AggregateError && error.errors.length > 0) return networkCode(error.errors[0]);
  return error.cause === undefined ? null : networkCode(error.cause);
}
