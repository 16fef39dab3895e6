import { webApi } from "@slack/bolt";
import { askedWaitMs } from "../../core/asked-wait.ts";
import type { NotNow, PostOutcome } from "../platform.ts";
import { fetchTheirs, NotTheirs } from "../their-answers.ts";
import { Undrawn } from "../undrawn.ts";
import { sleep } from "../sleep.ts";
import type { SlackSettings } from "./settings.ts";

/**
 * Opens a Web API client that never retries by itself: its own retries post a card twice when an answer is lost, and delay every call for
 * the rate limit of one (D17). Deliveries and interactions have a client each.
 */
export function openClient(settings: Pick<SlackSettings, "botToken" | "apiUrl">): webApi.WebClient {
  return new webApi.WebClient(settings.botToken, clientOptions(settings));
}

/** Options of the Web API client: no retries, a timeout of ten seconds, and rate limits as errors. */
export function clientOptions({ apiUrl }: Pick<SlackSettings, "apiUrl">): webApi.WebClientOptions {
  return {
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: 10_000,
    fetch: fetchTheirs,
    logLevel: webApi.LogLevel.ERROR,
    logger: silent,
    ...(apiUrl === null ? {} : { slackApiUrl: apiUrl }),
  };
}

/** The client logs nothing: we return and log its errors, once. */
const silent: webApi.Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => webApi.LogLevel.ERROR,
  setName: () => undefined,
};

/** Returns Slack's error code, such as `invalid_auth`; for other failures their message. */
export function errorWord(error: unknown): string {
  if (error instanceof webApi.WebAPIPlatformError) return error.data.error;
  if (error instanceof webApi.WebAPIHTTPError) return `HTTP ${error.statusCode}`;
  if (error instanceof webApi.WebAPIRateLimitedError) return `rate limited for ${error.retryAfter} s`;
  if (isNotTheirs(error)) return error.original.message;
  if (error instanceof webApi.WebAPIRequestError) return `unreachable (${networkWord(error.original)})`;
  return error instanceof Error ? error.message : String(error);
}

/**
 * Returns the error for a socket whose address Slack gave, but that could not be opened or sent no hello. `why`: null when the reason is
 * unknown.
 */
export function socketError(why: unknown): Error {
  return new Error(why === null ? unopenedSocket : `${unopenedSocket} (${networkWord(why)})`, { cause: why });
}

const unopenedSocket = "the socket could not be opened";

/** Returns the error for sockets that are closed again and again right after they open. `reason`: Slack's word. */
export function unsteadySocket(reason: string | null): Error {
  return new Error(reason === null ? closedSocket : `${closedSocket} (${reason})`);
}

const closedSocket = "every socket is closed as soon as it is open";

/** Returns what a person can do about an error word; null when nothing is known. */
export function adviceFor(word: string): string | null {
  if (word.startsWith(unopenedSocket)) return "let this machine reach wss://*.slack.com (firewall, proxy)";
  if (word === unsteadySocket("link_disabled").message) return "switch Socket Mode on where the app is set up";
  if (word.startsWith(closedSocket)) return "look whether a proxy closes connections to wss://*.slack.com";
  switch (word) {
    case "invalid_auth":
    case "not_authed":
    case "account_inactive":
    case "token_revoked":
    case "token_expired":
      return "install the app again and put its tokens into .env (SLACK_BOT_TOKEN, SLACK_APP_TOKEN)";
    case "missing_scope":
      return "update the app with slack-manifest.yaml and install it again";
    case "not_in_channel":
      return "type /invite @Chief of Staff in the channel";
    case "channel_not_found":
      return "check SLACK_CHANNEL; invite the app if the channel is private";
    case "user_not_found":
    case "users_not_found":
    case "no_such_subteam":
      return "check this id in COS_APPROVERS (a profile, Copy member ID)";
    case "is_archived":
      return "choose another channel in SLACK_CHANNEL";
    case "restricted_action":
    case "restricted_action_read_only_channel":
    case "restricted_action_thread_only_channel":
      return "let the app post in the channel (its settings, Posting permissions), or choose another in SLACK_CHANNEL";
    default:
      return null;
  }
}

/** Makes a call and repeats it after each rate limit, as long as the wait ends within `longestMs`. Throws every other error of the call. */
export async function afterLimits<Result>(
  call: () => Promise<Result>,
  stopping: AbortSignal,
  longestMs = Number.POSITIVE_INFINITY,
): Promise<Result> {
  const end = performance.now() + longestMs;
  while (true) {
    try {
      return await call();
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble.type !== "retry" || trouble.why !== "limit" || stopping.aborted) throw error;
      const waitMs = askedWaitMs(trouble.afterMs, 1);
      if (performance.now() + waitMs > end) throw error;
      await sleep(waitMs, stopping);
    }
  }
}

const closedDoors = [
  "invalid_auth",
  "not_authed",
  "account_inactive",
  "token_revoked",
  "token_expired",
  "missing_scope",
  "no_permission",
  "org_login_required",
  "ekm_access_denied",
  "access_denied",
  "team_access_not_granted",
  "not_allowed_token_type",
  "not_in_channel",
  "channel_not_found",
  "is_archived",
  "restricted_action",
  "restricted_action_read_only_channel",
  "restricted_action_thread_only_channel",
];
const closedThreads = ["restricted_action_thread_locked"];
const serverTroubles = ["internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org"];
const goneMessages = ["message_not_found", "cant_update_message", "edit_window_closed"];
const limitWords = ["ratelimited", "rate_limited", "message_limit_exceeded"];

/** Used when a limit names no time, or zero. */
const leastLimitMs = 1_000;
const closedDoorMs = 30_000;
const closedThreadMs = 5 * 60_000;

/** Returns what a failed call means for its message. Throws an error that is not a failure of a call. */
export function troubleOf(error: unknown): Exclude<PostOutcome, { type: "shown" }> {
  const reason = errorWord(error);
  if (error instanceof webApi.WebAPIRateLimitedError) return limited(error.retryAfter * 1000);
  if (isLimitWithoutTime(error)) return limited(leastLimitMs);
  if (error instanceof webApi.WebAPIPlatformError) {
    if (limitWords.includes(reason)) return limited(leastLimitMs);
    if (goneMessages.includes(reason)) return { type: "gone" };
    if (closedDoors.includes(reason)) return notNow("not-let-in", closedDoorMs, reason, false);
    if (closedThreads.includes(reason)) return notNow("thread-closed", closedThreadMs, reason, false);
    if (serverTroubles.includes(reason)) return notNow("failed", 1000, reason, true);
    const details = error.data.response_metadata?.messages ?? [];
    return { type: "rejected", reason: [reason, ...details].join("; ").slice(0, 500) };
  }
  // Slack reports a refusal with status 200; another status says nothing about the card.
  if (error instanceof webApi.WebAPIHTTPError || isNotTheirs(error)) return notNow("failed", 1000, reason, true);
  if (error instanceof webApi.WebAPIRequestError)
    return notNow("unreachable", 1000, reason, !neverSent(error.original));
  if (error instanceof Undrawn) return { type: "rejected", reason: error.message };
  throw error;
}

function isNotTheirs(error: unknown): error is webApi.WebAPIRequestError {
  return error instanceof webApi.WebAPIRequestError && error.original instanceof NotTheirs;
}

/** True for a 429 whose Retry-After is missing or not a number: the library throws a plain error for it. */
function isLimitWithoutTime(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Retry header did not contain a valid timeout");
}

function limited(afterMs: number): NotNow {
  return notNow("limit", Math.max(afterMs, leastLimitMs), "rate limited", false);
}

function notNow(why: NotNow["why"], afterMs: number, reason: string, mayBeShown: boolean): NotNow {
  return { type: "retry", why, afterMs, reason, mayBeShown };
}

function neverSent(error: Error): boolean {
  return ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"].includes(networkWord(error));
}

/** Returns the code of the innermost cause, because fetch itself says only "fetch failed"; without a code, its message. */
export function networkWord(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return networkWord(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return networkWord(error.errors[0]);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
