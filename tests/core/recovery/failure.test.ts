import { describe, expect, it } from "vitest";
import { classifyFailure, type FailureFacts, type FailureKind } from "../../../src/core/recovery/failure.ts";
import { type FailureTraits, failureFingerprint } from "../../../src/core/recovery/fingerprint.ts";
import { resetTimeIn } from "../../../src/core/recovery/reset-time.ts";

const now = new Date("2026-01-26T22:00:00Z");
const failed = (reason: string, more: Partial<FailureFacts> = {}): FailureFacts => ({
  end: "failed",
  reason,
  exitCode: 1,
  own: null,
  ...more,
});
const answered = (text: string, asksForLogin = false): FailureFacts =>
  failed(`the agent answered with an error: ${text}`, { own: { from: "protocol", texts: [text], asksForLogin } });
const complained = (text: string): FailureFacts =>
  failed("exit code 1", { own: { from: "stderr", text, programs: ["npx", "codex"] } });

describe("what kind of failure it is", () => {
  it.each<[FailureKind, FailureFacts]>([
    ["work", failed("exit code 3: boom")],
    ["work", failed("the agent ran out of tokens: and then")],
    ["work", failed("the agent reached its limit of requests in one turn")],
    ["work", failed("exit code 1: expected 429 to equal 430")],
    ["criteria", failed("Not verified: AC-1", { end: "unverified" })],
    ["invalid-criteria", failed("AC-1: nobody could examine it", { end: "unexamined" })],
    ["boundary", failed("changed secrets.txt", { end: "outside-files" })],
    ["push", failed("rejected by a hook", { end: "not-pushed" })],
    ["timeout", failed("silent for 15 min", { end: "timeout" })],
    ["setup", failed("npm ci: exit code 1", { end: "setup-failure" })],
    ["ceiling", failed("Stopped at its cost ceiling", { end: "ceiling" })],
    ["login", failed("log in with: claude login", { end: "needs-login" })],
    ["login", answered("Invalid API key · Please log in")],
    ["refusal", failed("the agent refused: no", { own: { from: "refusal" } })],
    ["crash", failed("ended by SIGKILL", { exitCode: null })],
    ["crash", failed("exit code 137: Killed", { exitCode: 137 })],
    ["crash", failed("exit code 134: FATAL ERROR: heap limit", { exitCode: 134 })],
    ["crash", failed("the agent exited with code 1 before it had finished")],
    ["unavailable", failed("spawn nowhere ENOENT", { end: "unavailable" })],
    ["limit", answered("Claude usage limit reached|1769486400")],
    ["limit", answered("You exceeded your current quota, please check your plan")],
    ["limit", answered("overloaded_error: Overloaded")],
    ["limit", answered("Rate limit reached for requests")],
  ])("%s", (kind, facts) => {
    expect(classifyFailure(facts, now, "UTC").kind).toBe(kind);
  });

  it.each<[FailureKind, string]>([
    ["limit", "429 Too Many Requests"],
    ["limit", 'Internal error\n{"details":"API Error: 429 {\\"type\\":\\"rate_limit_error\\"}"}'],
    ["limit", "API Error: HTTP 429: slow down"],
    ["limit", "Request failed with status code 429"],
    ["limit", "You've hit your usage limit. Try again in 3 hours"],
    ["limit", "This request would exceed your account's rate limit. Please try again later."],
    ["login", "Internal error: 401 Unauthorized"],
    ["login", "Your session has expired"],
    ["limit", "Internal error: You have exhausted your capacity on this model. Your quota will reset after 3h12m9s."],
    ["limit", "Internal error\nToo Many Requests"],
    ["limit", "Too Many Requests"],
    ["login", "Credit balance is too low"],
    ["login", "402 Payment Required: top up"],
    ["login", "API Error: 402"],
    ["login", "Internal error: Insufficient balance"],
    ["login", "You have insufficient credits. Add more."],
    ["login", "Failed to authenticate. API Error: 401"],
    ["login", "OAuth token has expired. Please obtain a new token or refresh your existing token."],
    ["work", "Internal error: npm test failed: Insufficient balance"],
    ["work", "Internal error: in src/api.ts: failed to authenticate the user"],
    ["work", "the answer says too many requests in a row are fine"],
    ["refusal", "finish reason: content_filter"],
    ["work", "Failed to read src/rate-limit.ts: no such file"],
    ["work", "Internal error: npm test failed: 401 Unauthorized"],
    ["work", "the tool `npm run e2e` exited with code 1: Too many requests, please retry later"],
    ["work", "no handler for status 429 in src/limits.ts"],
  ])("%s: an agent answers with the error %j [F-114]", (kind, text) => {
    expect(classifyFailure(answered(text), now, "UTC").kind).toBe(kind);
  });

  it.each([
    'API Error: 500 {"type":"error","error":{"type":"api_error","message":"Internal server error"}}',
    "API Error: Connection error.",
    "API Error: Request timed out.",
    "Internal error: fetch failed",
    "Internal error: getaddrinfo ENOTFOUND api.anthropic.com",
    "503 Service Unavailable",
    "502 Bad Gateway",
    "API Error: 503 upstream connect error or disconnect/reset before headers",
    "connect ECONNREFUSED 160.79.104.10:443",
    "stream disconnected before completion: error sending request for url (https://api.openai.com/v1/responses)",
    "Unable to connect to API (ECONNRESET)",
  ])("an agent whose provider is away answers with the error %j: it is waited for", (text) => {
    expect(classifyFailure(answered(text), now, "UTC")).toMatchObject({
      kind: "limit",
      isOutage: true,
      resetsAt: null,
    });
  });

  it.each([
    "Internal error: npm test failed: fetch failed",
    "Internal error: the test exited with code 1: connect ECONNREFUSED 160.79.104.10:443",
    "connect ECONNREFUSED 127.0.0.1:11434",
    "Internal error: could not read src/500.html",
    "the answer of /orders was 503 Service Unavailable",
    "Error: expected 503 to equal 200",
  ])("the error %j is no outage of its provider", (text) => {
    expect(classifyFailure(answered(text), now, "UTC").isOutage).toBeUndefined();
  });

  it.each([
    ["API Error: Connection error.", true],
    ["API Error (Request timed out.) · Retrying in 4 seconds…", true],
    ['[API Error: 500 {"error":{"message":"Internal server error"}}]', true],
    ["ERROR: stream disconnected before completion: error sending request for url (https://a.example/v1)", true],
    ["Error: connect ECONNREFUSED 10.0.0.7:5432", undefined],
    ["TypeError: fetch failed", undefined],
    ["HTTP/1.1 503 Service Unavailable", undefined],
    ["500 Internal Server Error", undefined],
  ])("an agent's last errors are %j: an outage is %s", (text, isOutage) => {
    expect(classifyFailure(complained(text), now, "UTC").isOutage).toBe(isOutage);
  });

  it.each<[FailureKind, string, string]>([
    ["limit", "Internal error", "429 Too Many Requests"],
    ["limit", "Internal error", "429 status code (no body)"],
    ["limit", "Internal error", "Too Many Requests"],
    ["limit", "Internal error", "Insufficient quota"],
    ["login", "Internal error", "401 Unauthorized"],
    ["login", "Internal error", "401 No auth credentials found"],
    ["login", "Internal error", "Unauthorized: Invalid token"],
    [
      "login",
      "Internal error",
      "unexpected status 401 Unauthorized: Missing bearer, url: https://a.example/v1/responses",
    ],
    ["limit", "Internal error", "unexpected status 429 Too Many Requests: slow down"],
    ["login", "Internal error", "API key not valid. Please pass a valid API key."],
    ["login", "Internal error", "API key expired. Please renew the API key."],
    [
      "login",
      "Internal error",
      "Your access token could not be refreshed because it was used. Please log out and sign in again.",
    ],
    ["work", "Internal error", "npm test failed: 401 Unauthorized"],
    ["work", "The tool failed", "429 Too Many Requests"],
    ["work", "Internal error", "no handler for status 429 in src/limits.ts"],
    ["work", "Internal error", "the page for unauthorized: invalid people"],
    ["work", "Internal error\n429 Too Many Requests", ""],
  ])("%s: an agent answers with the error %j, whose data says %j [F-114]", (kind, message, said) => {
    const own = { from: "protocol", texts: [message, said], asksForLogin: false } as const;
    expect(classifyFailure(failed("it answered with an error", { own }), now, "UTC").kind).toBe(kind);
  });

  it.each([
    "Maximum message limit reached for this session",
    "Session limit reached: this session is too long, start a new one",
    "Response limit reached",
    "Reasoning token limit reached",
    "Max turn requests limit reached",
    "Sub-agent limit reached",
    "Web search limit reached",
    "Loop detection: repeated tool calls, limit reached",
    "Budget limit reached ($5.00)",
    "Cost limit reached",
    "cgroup pids limit reached",
    "Disk limit reached",
    "Reconnect limit reached",
  ])("%s: of a session, a tool or a machine, which no waiting mends", (text) => {
    expect(classifyFailure(answered(text), now, "UTC").kind).toBe("work");
  });

  it.each([
    "Session limit reached ∙ resets 3pm",
    "Claude Opus 4 limit reached ∙ resets 3am",
    "Request limit reached. Please try again later.",
    "Token limit reached for your organization",
    "Message limit reached. Upgrade to Pro",
    "Daily input token limit reached",
    "TPM limit reached",
    "Free tier limit exceeded",
    "API limit reached",
    "Monthly premium request limit reached",
  ])("%s: of an account", (text) => {
    expect(classifyFailure(answered(text), now, "UTC").kind).toBe("limit");
  });

  it("what asks for a login by its code is a login, unless it names a limit", () => {
    expect(classifyFailure(answered("no", true), now, "UTC").kind).toBe("login");
    expect(classifyFailure(answered("429 Too Many Requests", true), now, "UTC").kind).toBe("limit");
  });

  it.each<[FailureKind, string]>([
    ["limit", "Error: Claude AI usage limit reached|1769486400"],
    ["limit", 'API Error: 429 {"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}'],
    ["limit", "ERROR: You've hit your usage limit. Upgrade to Pro or try again in 3 hours 2 minutes."],
    [
      "limit",
      "openai.RateLimitError: Error code: 429 - {'error': {'type': 'insufficient_quota'}}\n    at run (a.py:3)",
    ],
    ["limit", "2026-01-26T22:00:00Z ERROR stream error: exceeded retry limit, last status: 429 Too Many Requests"],
    ["limit", '\u001b[31m[API Error: {"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}]\u001b[0m'],
    ["login", "Invalid API key · Please run /login"],
    ["login", "401 Invalid API key"],
    ["login", "401 Incorrect API key provided: sk-1"],
    ["limit", "429 Rate limit reached for a-model in organization org-1 on tokens per min"],
    ["login", "Not logged in. Please run `codex login`"],
    ["login", "litellm.AuthenticationError: AnthropicException - no key"],
    ["refusal", "I can't help with that."],
    ["login", "[API Error: API key not valid. Please pass a valid API key.]"],
    ["login", "ERROR: Your access token could not be refreshed. Please log out and sign in again."],
    ["login", "ERROR: unexpected status 401 Unauthorized: no key, url: https://api.example/v1/responses"],
    ["limit", "ERROR: unexpected status 429 Too Many Requests: slow, url: https://api.example/v1/responses"],
    ["limit", "You're out of extra usage · resets 3am (UTC)"],
    ["limit", "ERROR: Selected model is at capacity. Please try a different model."],
    ["limit", "[API Error: No capacity available for model gemini-3-pro-preview on the server]"],
    [
      "limit",
      '[API Error: got status: UNAVAILABLE. {"error":{"code":503,"message":"This model is currently experiencing high demand."}}]',
    ],
    [
      "limit",
      'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"You have reached your specified API usage limits. You will regain access on 2026-02-01 at 00:00 UTC."}}',
    ],
    ["limit", "You have reached your specified API usage limits. You will regain access on 2026-02-01 at 00:00 UTC."],
    ["limit", "Your organization has reached its monthly spend limit · resets Feb 1"],
    ["limit", "Usage limits exceeded for your plan"],
    ["limit", "ERROR: You've hit your usage limit. Try again in 2 hours 5 minutes."],
    ["limit", "You've hit your usage limit. To get more access now, ask your admin or try again at 3:00 PM."],
    ["work", "You've hit your usage limit"],
    ["work", "You have reached your usage limits"],
    ["work", "Error: usage limits reached at limits.test.ts:12"],
    ["work", "We are currently experiencing high demand. Please call later."],
    ["work", "You're out of extra usage"],
    ["work", "Error: unexpected status 401 Unauthorized"],
    ["work", "Error: unexpected status 401 Unauthorized: no, url: http://127.0.0.1:4000/orders"],
    ["work", "API key expired"],
    // What tests, tools and programs under work print.
    ["work", "Error: 401 Unauthorized\n    at login (src/api.test.ts:12:3)"],
    ["work", "429 too many requests"],
    ["work", "HTTP/1.1 429 Too Many Requests\nretry-after: 600"],
    ["work", "Please log in to continue"],
    ["work", "Insufficient balance"],
    ["work", "Payment required"],
    ["work", "Failed to authenticate"],
    ["work", "authentication required"],
    ["work", "Usage limit reached"],
    ["work", "Rate limit exceeded, try again in 30 s"],
    ["work", "AssertionError: expected 'rate_limit_error' to equal 'ok'"],
    ["work", '  + "type": "rate_limit_error"'],
    ["work", "You are not logged into any GitHub hosts. To log in, run: gh auth login"],
    ["work", `Invalid API key · Please run /login\n${"step done\n".repeat(6)}`],
  ])("%s: an agent's last errors are %j [F-114]", (kind, text) => {
    expect(classifyFailure(complained(text), now, "UTC").kind).toBe(kind);
  });

  it.each(["exit code 1: 401 Unauthorized", "429 Too Many Requests, retry-after: 600", "I can't help with that"])(
    "%j without a word of an agent is work [F-114]",
    (reason) => {
      expect(classifyFailure(failed(reason), now, "UTC").kind).toBe("work");
    },
  );

  it("a limit's end is read from the agent's own lines only", () => {
    const own = complained("resets at 23:00\nstep\nstep\nstep\nstep\nError: Claude usage limit reached, resets 03:00");
    expect(classifyFailure(own, now, "UTC").resetsAt?.toISOString()).toBe("2026-01-27T03:00:00.000Z");
  });

  it("an empty reason says so", () => {
    expect(classifyFailure(failed(""), now, "UTC").error).toBe("no reason was given");
  });
});

describe("when a limit is over", () => {
  it.each<[string, string, string | null]>([
    ["Limit reached, resets 03:00", "UTC", "2026-01-27T03:00:00.000Z"],
    ["usage limit reached. Your limit resets 3am", "UTC", "2026-01-27T03:00:00.000Z"],
    ["resets at 11pm", "UTC", "2026-01-26T23:00:00.000Z"],
    ["resets at 12am", "UTC", "2026-01-27T00:00:00.000Z"],
    ["resets 3:15 PM (Europe/Berlin)", "UTC", "2026-01-27T14:15:00.000Z"],
    ["resets 3am", "Europe/Berlin", "2026-01-27T02:00:00.000Z"],
    ["resets at 22:00", "UTC", null],
    ["resets at 21:59", "UTC", null],
    ["resets 9:05 pm", "UTC", null],
    ["resets 10:30 PM (Europe/Berlin)", "UTC", null],
    ["resets at 21:00", "UTC", "2026-01-27T21:00:00.000Z"],
    ["resets at 22:01", "UTC", "2026-01-26T22:01:00.000Z"],
    ["resets at 03:00 UTC", "America/New_York", "2026-01-27T03:00:00.000Z"],
    ["limit reached|1769486400", "UTC", "2026-01-27T04:00:00.000Z"],
    ["retry-after: 120", "UTC", "2026-01-26T22:02:00.000Z"],
    ["Retry-After: 0.5", "UTC", "2026-01-26T22:00:00.500Z"],
    ["please try again in 20m", "UTC", "2026-01-26T22:20:00.000Z"],
    ["try again in 1 hour and 30 minutes", "UTC", "2026-01-26T23:30:00.000Z"],
    ["resets 2026-01-28T00:00:00Z", "UTC", "2026-01-28T00:00:00.000Z"],
    ["resets 2026-03-28T00:00:00Z", "UTC", "2026-03-28T00:00:00.000Z"],
    ["resets 2026-06-28T00:00:00Z", "UTC", null],
    ["retry-after: 9999999", "UTC", null],
    ["2026-01-26T21:59:59Z ERROR rate limit, please retry after 20 minutes", "UTC", "2026-01-26T22:20:00.000Z"],
    ["stream error after 3 s: rate limit", "UTC", null],
    ["limit reached|1", "UTC", null],
    ["rate limit reached", "UTC", null],
    ["resets 25:00", "UTC", null],
    ["resets 3", "UTC", null],
    // With a date: as Codex, Claude Code and others say it.
    ["You've hit your usage limit. Try again at Jan 29th, 2026 3:12 PM.", "UTC", "2026-01-29T15:12:00.000Z"],
    ["You've hit your usage limit. Try again at Jan 29th, 2026 3:12 PM.", "Europe/Berlin", "2026-01-29T14:12:00.000Z"],
    ["You've hit your weekly limit · resets Feb 1, 9am (Europe/Berlin)", "UTC", "2026-02-01T08:00:00.000Z"],
    ["resets Jan 30 at 9:00am", "UTC", "2026-01-30T09:00:00.000Z"],
    ["resets on Friday, January 30, 2026 at 12:30 AM UTC", "Europe/Berlin", "2026-01-30T00:30:00.000Z"],
    ["available again on 30 January 2026, 15:00", "UTC", "2026-01-30T15:00:00.000Z"],
    ["resets 2026-01-30 09:00 UTC", "Europe/Berlin", "2026-01-30T09:00:00.000Z"],
    ["Your limit resets Feb 1", "Europe/Berlin", "2026-01-31T23:00:00.000Z"],
    ["resets Jan 25, 9am", "UTC", null],
    ["resets Feb 31, 9am", "UTC", null],
    ["resets Jan 30, 25:00", "UTC", null],
    ["resets Mar 28, 9am", "UTC", "2026-03-28T09:00:00.000Z"],
    ["resets Jun 28, 9am", "UTC", null],
    ["You will regain access on 2026-02-01 at 00:00 UTC.", "Europe/Berlin", "2026-02-01T00:00:00.000Z"],
    ["You will regain access on 2026-03-01 at 00:00 UTC.", "Europe/Berlin", "2026-03-01T00:00:00.000Z"],
    ["You will regain access at 11pm", "UTC", "2026-01-26T23:00:00.000Z"],
    ["You will regain access in 3 hours", "UTC", "2026-01-27T01:00:00.000Z"],
    ["Your weekly limit resets Thursday at 9am", "UTC", "2026-01-29T09:00:00.000Z"],
    ["resets Mon 9:00 am (Europe/Berlin)", "UTC", "2026-02-02T08:00:00.000Z"],
    ["resets tomorrow at 15:00", "UTC", "2026-01-27T15:00:00.000Z"],
    // With nothing between the parts: as Gemini and OpenAI say it.
    ["Your quota will reset after 3h12m9s.", "UTC", "2026-01-27T01:12:09.000Z"],
    ["Please try again in 1m2.5s.", "UTC", "2026-01-26T22:01:02.500Z"],
    ["Please try again in 1h23m45.6s", "UTC", "2026-01-26T23:23:45.600Z"],
    ["try again in 2h5m", "UTC", "2026-01-27T00:05:00.000Z"],
    ["try again in 1d2h", "UTC", "2026-01-28T00:00:00.000Z"],
    ["Please try again in 500ms", "UTC", null],
    // As people write them.
    ["Limit resets Tuesday, Jan 27 at 9 a.m.", "Europe/Berlin", "2026-01-27T08:00:00.000Z"],
    ["resets Jan 27 2026 at 9:00 AM PST", "Europe/Berlin", "2026-01-27T17:00:00.000Z"],
    ["resets Jan 27 at 9", "UTC", "2026-01-27T09:00:00.000Z"],
    ["resets at 11 p.m.", "UTC", "2026-01-26T23:00:00.000Z"],
    ["resets at midnight", "UTC", "2026-01-27T00:00:00.000Z"],
    ["resets at midnight Pacific time", "UTC", "2026-01-27T08:00:00.000Z"],
    ["resets 3pm ET", "UTC", "2026-01-27T20:00:00.000Z"],
    ["resets Wednesday at noon", "UTC", "2026-01-28T12:00:00.000Z"],
    ["try again in half an hour", "UTC", "2026-01-26T22:30:00.000Z"],
    ["Please try again in an hour.", "UTC", "2026-01-26T23:00:00.000Z"],
    ["try again in a few minutes", "UTC", "2026-01-26T22:05:00.000Z"],
    ["Rate limited; wait 20 seconds and try again", "UTC", "2026-01-26T22:00:20.000Z"],
    ["Please wait about 2 minutes.", "UTC", "2026-01-26T22:02:00.000Z"],
    ["resets in ~2 hours", "UTC", "2026-01-27T00:00:00.000Z"],
    ["You're out of extra usage · resets 3am (UTC)", "Europe/Berlin", "2026-01-27T03:00:00.000Z"],
    // As programs do.
    ["retry after Mon, 26 Jan 2026 23:00:00 GMT", "Europe/Berlin", "2026-01-26T23:00:00.000Z"],
    ['"retryDelay": "38s"', "UTC", "2026-01-26T22:00:38.000Z"],
    ["quotaResetDelay: 1h12m3.5s", "UTC", "2026-01-26T23:12:03.500Z"],
    ["x-ratelimit-reset-requests: 6m0s\nx-ratelimit-reset-tokens: 1s", "UTC", "2026-01-26T22:06:00.000Z"],
    ['"retry_after": 12.5', "UTC", "2026-01-26T22:00:12.500Z"],
    ["Retry-After: 2 minutes", "UTC", "2026-01-26T22:02:00.000Z"],
    ["Date: Mon, 26 Jan 2026 22:00:01 GMT\nretry in 2 hours", "UTC", "2026-01-27T00:00:00.000Z"],
    ['"date": "Mon, 26 Jan 2026 22:00:01 GMT", retry in 2 hours', "UTC", "2026-01-27T00:00:00.000Z"],
    ["resets Jan 28, 12 requests left", "UTC", "2026-01-28T00:00:00.000Z"],
    ["resets in 1 week", "UTC", "2026-02-02T22:00:00.000Z"],
    ["try again in a week", "UTC", "2026-02-02T22:00:00.000Z"],
    ["resets in 1w", "UTC", "2026-02-02T22:00:00.000Z"],
    // More than is waited for.
    ["resets in 2 weeks", "UTC", null],
    ["resets tomorrow 5 of 5 used", "UTC", "2026-01-27T00:00:00.000Z"],
  ])("%j in %s", (text, zone, at) => {
    expect(resetTimeIn(text, now, zone)?.toISOString() ?? null).toBe(at);
  });

  it.each([
    ["resets 3am", "2026-01-27T03:00:05Z", "UTC"],
    ["resets 12am", "2026-01-27T00:00:05Z", "UTC"],
    ["resets Monday at 9am", "2026-01-26T09:00:05Z", "UTC"],
    ["resets Jan 26 at 9am", "2026-01-26T09:00:05Z", "UTC"],
    // Skipped by the clocks, five seconds ago.
    ["resets 2:30am", "2026-03-29T01:00:05Z", "Europe/Berlin"],
  ])("%j at %s names no moment to come: the provider is behind, and nobody waits a day for that", (text, at, zone) => {
    const failure = classifyFailure(answered(`Claude usage limit reached, ${text}`), new Date(at), zone);
    expect(failure).toMatchObject({ kind: "limit", resetsAt: null });
  });

  it("of a day whose year is not said, the next year's when this one's is over", () => {
    expect(resetTimeIn("resets Jan 2, 9am", new Date("2026-12-30T12:00:00Z"), "UTC")?.toISOString()).toBe(
      "2027-01-02T09:00:00.000Z",
    );
  });

  it("on a day on which clocks skip that time it is over when they have", () => {
    expect(resetTimeIn("resets 2:30am", new Date("2026-03-28T23:00:00Z"), "Europe/Berlin")?.toISOString()).toBe(
      "2026-03-29T01:00:00.000Z",
    );
  });

  it("on a day on which clocks show it twice the first one counts", () => {
    expect(resetTimeIn("resets 2:30am", new Date("2026-10-24T23:00:00Z"), "Europe/Berlin")?.toISOString()).toBe(
      "2026-10-25T00:30:00.000Z",
    );
  });
});

describe("the fingerprint of a failure", () => {
  const traits: FailureTraits = { kind: "work", error: "boom", criteria: ["AC-1"], files: ["a.ts", "b.ts"] };
  const print = (more: Partial<FailureTraits>): string => failureFingerprint({ ...traits, ...more });

  it.each([
    ["src/a.ts:12:3 - error", "src/a.ts:99:1 - error"],
    ["failed after 12ms", "failed after 3 s"],
    ["at 2026-01-26T09:00:00.123Z: no", "at 2026-02-27T10:11:12Z: no"],
    ["cannot open /tmp/cos-test-Ab12/x", "cannot open /tmp/cos-test-Zz99/x"],
    ["commit 0123456789abcdef failed", "commit fedcba9876543210 failed"],
    ["id 3f0b7b2a-6c1d-4d7e-9a55-0d6f1b0f9c11", "id 00000000-6c1d-4d7e-9a55-0d6f1b0f9c22"],
    ["listen EADDRINUSE 127.0.0.1:4000", "listen EADDRINUSE 127.0.0.1:5123"],
    ["pid 123 died", "PID 4567   died"],
    ["\u001b[31mred\u001b[0m", "red"],
  ])("is the same for %j and %j", (one, other) => {
    expect(print({ error: one })).toBe(print({ error: other }));
  });

  it.each<[string, Partial<FailureTraits>]>([
    ["another error", { error: "bang" }],
    ["another kind", { kind: "timeout" }],
    ["another criterion", { criteria: ["AC-2"] }],
    ["other files", { files: ["a.ts"] }],
    ["another file in the error", { error: "src/z.ts:1: boom" }],
    ["another number of things", { error: "3 tests failed" }],
  ])("differs with %s", (_what, more) => {
    expect(print(more)).not.toBe(print({}));
  });

  it("does not depend on order or repetition, and is bounded", () => {
    expect(print({ files: ["b.ts", "a.ts", "a.ts"] })).toBe(print({}));
    expect(print({ error: "x".repeat(100_000) }).length).toBeLessThan(5000);
  });
});
