import type { FailedCheck } from "./remarks.ts";

/** One check of a commit on a forge: a check run, a commit status or a job. */
export interface Check extends FailedCheck {
  /** `skipped`: need not run, or may fail; `cancelled`: ended without a result. */
  readonly state: "pending" | "passed" | "failed" | "skipped" | "cancelled";
}

/** The state of a commit's checks; stored with its pull request. */
export interface ChecksSeen {
  readonly commit: string;
  /** When the commit was first looked at, ISO 8601. */
  readonly since: string;
  readonly state: "none" | "pending" | "passed" | "failed";
  /** Number of checks. */
  readonly all: number;
  readonly failed: readonly FailedCheck[];
  /** The checks that the forge requires; set when a criterion of the goal needs them. */
  readonly required?: RequiredSeen;
}

/** The state of a commit's required checks; stored with its pull request. */
export interface RequiredSeen {
  readonly state: "pending" | "passed" | "failed";
  /** True when the forge names the required checks; otherwise all count. */
  readonly isNamed: boolean;
  readonly passed: readonly string[];
  readonly failed: readonly FailedCheck[];
  /** Checks that are missing, not finished, or ended without a result, with the reason. */
  readonly waits: readonly string[];
  /** Why a person is asked about the checks; null when nobody is. */
  readonly asks: string | null;
}

/** The state of a commit's checks. It is not "failed" before all have ended, so that all failures are fixed together. */
export function checksSeen(commit: string, since: string, found: readonly Check[]): ChecksSeen {
  const failed = found.flatMap(({ state, name, said, url }) => (state === "failed" ? [{ name, said, url }] : []));
  const isPending = found.some(({ state }) => state === "pending");
  const state = found.length === 0 ? "none" : isPending ? "pending" : failed.length > 0 ? "failed" : "passed";
  return { commit, since, state, all: found.length, failed: failed.slice(0, 50) };
}

/** True while checks may still appear or end. They are then read at each look. */
export function isAwaited(
  { state, since, required }: ChecksSeen,
  now: Date,
  bounds: { readonly appearWithinMs: number },
): boolean {
  if (state === "pending" || required?.state === "pending") return true;
  return state === "none" && now.getTime() - Date.parse(since) < bounds.appearWithinMs;
}

export interface ChecksFacts {
  readonly seen: ChecksSeen;
  /** The recorded commit of the goal's work. */
  readonly headCommit: string | null;
  /** The commit whose failures went back to the agent last. */
  readonly given: string | null;
  /** How often failures went back to the agent. */
  readonly rounds: number;
  /** True when an agent can fix failures from words; false for a fixed command. */
  readonly hasAgent: boolean;
}

/**
 * The next step for the checks of a pull request. Failures go back to the agent at most `mostRounds` times; after that only the card
 * reports them.
 */
export function nextForChecks(facts: ChecksFacts, mostRounds: number): "rest" | "work again" {
  const { seen, headCommit, given, rounds, hasAgent } = facts;
  if (seen.state !== "failed" || seen.commit !== headCommit || given === headCommit) return "rest";
  return hasAgent && rounds < mostRounds ? "work again" : "rest";
}
