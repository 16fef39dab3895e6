import { firstLine } from "../text.ts";
import { ends } from "../text/bounds.ts";
import { type AgentWords, readAgentWords } from "./agent-words.ts";
import { resetTimeIn } from "./reset-time.ts";

/**
 * The kinds of failures. They are distinguished because each needs another response:
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
 * | limit | the provider's limit, or it cannot be reached | waits for the reset, or until it is back; no attempt, no rung |
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
  /** Set for a provider limit: when it resets, if the provider said so. */
  readonly resetsAt: Date | null;
  /** For kind `limit`: the provider or the network is unavailable; no limit was reached. */
  readonly isOutage?: true;
}

/** How an attempt ended, as reported by its runner or its verification. */
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
  /** The agent's own statement about its end. Null when there is none, and for everything that is not an agent. */
  readonly own: AgentWords | null;
}

/** Returns the kind of failure. Times of day without a zone are read in `zone`. S4-AP-16, C-72. */
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

/** The end alone is ambiguous here, so the agent's own statement decides the kind. */
function fromWords(facts: FailureFacts, error: string, now: Date, zone: string): Failure {
  const meaning = facts.own === null ? null : readAgentWords(facts.own);
  if (meaning?.type === "away") return { kind: "limit", error, resetsAt: null, isOutage: true };
  if (meaning !== null) {
    const resetsAt = meaning.type === "limit" ? resetTimeIn(meaning.text, now, zone) : null;
    return { kind: meaning.type, error, resetsAt };
  }
  const isCrash =
    (facts.exitCode !== null && crashExits.includes(facts.exitCode)) || crashWords.test(ends(facts.reason, longest));
  if (isCrash) return { kind: "crash", error, resetsAt: null };
  return { kind: facts.end === "unavailable" ? "unavailable" : "work", error, resetsAt: null };
}

/** Maximum length of the text that is searched, in UTF-16 units. */
const longest = 8_000;

const crashWords =
  /ended by SIG|\bthe agent (?:closed its output|exited with code)|connection (?:was )?closed|out of memory|heap limit|segmentation fault|\bcore dumped\b|panicked at|broke off|EPIPE|ECONNRESET/i;
/** 128 + SIGABRT, SIGBUS, SIGKILL, SIGSEGV. */
const crashExits: readonly number[] = [134, 135, 137, 139];
