import { firstLine } from "../text.ts";
import { resetTimeIn } from "./reset-time.ts";

/**
 * What went wrong, told apart, because what helps differs:
 *
 * | kind | what happened | what follows |
 * |---|---|---|
 * | work | the agent or command failed | the ladder |
 * | criteria | verified, and criteria still fail after the last round | the ladder |
 * | crash | its process died: a signal, no memory, a broken connection | the ladder |
 * | timeout | no end, or silent for too long | the ladder |
 * | unavailable | it cannot be started, or does not speak the protocol | the ladder |
 * | boundary | it changed files that it may not change | the ladder |
 * | push | its result could not be pushed | the ladder |
 * | limit | the provider's limit | waits for the reset; no attempt, no rung |
 * | login | somebody has to log in | the session pauses |
 * | refusal | the agent declined | a person is asked at once |
 * | invalid-criteria | the criteria cannot be examined | a person is asked at once |
 * | ceiling | its money is spent | ends, as failed |
 * | setup | the place to work could not be made | ends, as failed |
 */
export const failureKinds = [
  "work",
  "criteria",
  "crash",
  "timeout",
  "unavailable",
  "boundary",
  "push",
  "limit",
  "login",
  "refusal",
  "invalid-criteria",
  "ceiling",
  "setup",
] as const;
export type FailureKind = (typeof failureKinds)[number];

export interface Failure {
  readonly kind: FailureKind;
  /** One line for people. */
  readonly error: string;
  /** Of a limit: when it is over, as far as the provider said. */
  readonly resetsAt: Date | null;
}

/** How an attempt ended, as its runner or its verification says. */
export type FailureEnd =
  | "failed"
  | "timeout"
  | "unavailable"
  | "needs-login"
  | "setup-failure"
  | "ceiling"
  | "unverified"
  | "unexamined"
  | "outside-files"
  | "not-pushed";

export interface FailureFacts {
  readonly end: FailureEnd;
  readonly reason: string;
  readonly exitCode: number | null;
  /** The last lines of what it said. */
  readonly tail: string;
}

/** Says which kind of failure it is. Clock times in the text are read in `zone` where it names none. S4-AP-16, C-72. */
export function classifyFailure(facts: FailureFacts, now: Date, zone: string): Failure {
  const error = firstLine(facts.reason, 2000) || "no reason was given";
  const of = (kind: FailureKind): Failure => ({ kind, error, resetsAt: null });
  switch (facts.end) {
    case "needs-login":
      return of("login");
    case "setup-failure":
      return of("setup");
    case "ceiling":
      return of("ceiling");
    case "unverified":
      return of("criteria");
    case "unexamined":
      return of("invalid-criteria");
    case "outside-files":
      return of("boundary");
    case "not-pushed":
      return of("push");
    case "timeout":
      return of("timeout");
    case "failed":
    case "unavailable":
      return fromWords(facts, error, now, zone);
  }
}

/** Its end says little: its words say which failure it is. */
function fromWords(facts: FailureFacts, error: string, now: Date, zone: string): Failure {
  // What a whole run printed also quotes the work; only its last lines are about its end.
  const said = `${facts.reason}\n${facts.tail.split("\n").slice(-8).join("\n")}`;
  if (limitWords.test(said)) return { kind: "limit", error, resetsAt: resetTimeIn(said, now, zone) };
  if (loginWords.test(said)) return { kind: "login", error, resetsAt: null };
  if (refusalWords.test(facts.reason)) return { kind: "refusal", error, resetsAt: null };
  const isCrash = (facts.exitCode !== null && crashExits.includes(facts.exitCode)) || crashWords.test(facts.reason);
  if (isCrash) return { kind: "crash", error, resetsAt: null };
  return { kind: facts.end === "unavailable" ? "unavailable" : "work", error, resetsAt: null };
}

const limitWords =
  /\b429\b.{0,40}(?:too many|limit|request)|rate.?limit|too many requests|(?:usage|session|weekly|hourly|daily|request|token|message)s? limit (?:is |was |has been )?(?:reached|exceeded|hit)|limit (?:is )?reached|quota (?:is |was |has been )?(?:exceeded|exhausted|reached)|exceeded your (?:current )?quota|insufficient_quota|overloaded_error|model is (?:currently )?overloaded|retry-after\s*[:=]/i;
const loginWords =
  /please (?:log|sign) ?in|not (?:logged|signed) in|login (?:is )?required|authentication (?:is )?required|invalid api key|\b401 unauthorized\b|(?:session|token|credentials) (?:has |have )?expired/i;
const refusalWords =
  /\bthe agent refused\b|\bI (?:can(?:no|')t|won't|am unable to|will not) (?:help|assist|do) (?:with )?(?:that|this)|content policy|usage policy|content_filter/i;
const crashWords =
  /ended by SIG|\bthe agent (?:closed its output|exited with code)|connection (?:was )?closed|out of memory|heap limit|segmentation fault|\bcore dumped\b|panicked at|broke off|EPIPE|ECONNRESET/i;
/** 128 + SIGABRT, SIGBUS, SIGKILL, SIGSEGV. */
const crashExits: readonly number[] = [134, 135, 137, 139];
