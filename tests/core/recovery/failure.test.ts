import { describe, expect, it } from "vitest";
import { classifyFailure, type FailureFacts, type FailureKind } from "../../../src/core/recovery/failure.ts";
import { failureFingerprint, type FailureTraits } from "../../../src/core/recovery/fingerprint.ts";
import { resetTimeIn } from "../../../src/core/recovery/reset-time.ts";

const now = new Date("2026-01-26T22:00:00Z");
const failed = (reason: string, more: Partial<FailureFacts> = {}): FailureFacts => ({
  end: "failed",
  reason,
  exitCode: 1,
  tail: "",
  ...more,
});

describe("what kind of failure it is [S4-AP-16, C-72]", () => {
  it.each<[FailureKind, FailureFacts]>([
    ["work", failed("exit code 3: boom")],
    ["work", failed("the agent ran out of tokens: and then")],
    ["work", failed("the agent reached its limit of requests in one turn")],
    ["work", failed("exit code 1: expected 429 to equal 430")],
    ["work", failed("exit code 1: test rate() failed", { tail: "…\nnot ok 1" })],
    ["criteria", failed("Not verified: AC-1", { end: "unverified" })],
    ["invalid-criteria", failed("AC-1: nobody could examine it", { end: "unexamined" })],
    ["boundary", failed("changed secrets.txt", { end: "outside-files" })],
    ["push", failed("rejected by a hook", { end: "not-pushed" })],
    ["timeout", failed("silent for 15 min", { end: "timeout" })],
    ["setup", failed("npm ci: exit code 1", { end: "setup-failure" })],
    ["ceiling", failed("Stopped at its cost ceiling", { end: "ceiling" })],
    ["login", failed("log in with: claude login", { end: "needs-login" })],
    ["login", failed("the agent answered with an error: Invalid API key · Please log in")],
    ["refusal", failed("the agent refused: I can't help with that")],
    ["refusal", failed("I can’t assist with this".replace("’", "'"))],
    ["crash", failed("ended by SIGKILL", { exitCode: null })],
    ["crash", failed("exit code 137: Killed", { exitCode: 137 })],
    ["crash", failed("exit code 134: FATAL ERROR: heap limit", { exitCode: 134 })],
    ["crash", failed("the agent exited with code 1 before it had finished")],
    ["unavailable", failed("spawn nowhere ENOENT", { end: "unavailable" })],
    ["limit", failed("the agent answered with an error: Claude usage limit reached|1769486400")],
    ["limit", failed("exit code 1", { tail: "Error: 429 Too Many Requests\nretry-after: 120" })],
    ["limit", failed("You exceeded your current quota, please check your plan")],
    ["limit", failed("overloaded_error: Overloaded")],
    ["limit", failed("Rate limit reached for requests")],
  ])("%s", (kind, facts) => {
    expect(classifyFailure(facts, now, "UTC").kind).toBe(kind);
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
    ["resets at 22:00", "UTC", "2026-01-27T22:00:00.000Z"],
    ["resets at 03:00 UTC", "America/New_York", "2026-01-27T03:00:00.000Z"],
    ["limit reached|1769486400", "UTC", "2026-01-27T04:00:00.000Z"],
    ["retry-after: 120", "UTC", "2026-01-26T22:02:00.000Z"],
    ["Retry-After: 0.5", "UTC", "2026-01-26T22:00:00.500Z"],
    ["please try again in 20m", "UTC", "2026-01-26T22:20:00.000Z"],
    ["try again in 1 hour and 30 minutes", "UTC", "2026-01-26T23:30:00.000Z"],
    ["resets 2026-01-28T00:00:00Z", "UTC", "2026-01-28T00:00:00.000Z"],
    ["resets 2026-03-28T00:00:00Z", "UTC", null],
    ["retry-after: 9999999", "UTC", null],
    ["limit reached|1", "UTC", null],
    ["rate limit reached", "UTC", null],
    ["resets 25:00", "UTC", null],
    ["resets 3", "UTC", null],
  ])("%j in %s", (text, zone, at) => {
    expect(resetTimeIn(text, now, zone)?.toISOString() ?? null).toBe(at);
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
