import type { FailedCheck } from "./remarks.ts";

/** One check of a commit on a forge: a check run, a commit status, a job. */
export interface Check extends FailedCheck {
  /** `skipped`: it says that it need not run, or may fail; `cancelled`: it ended and says nothing. */
  readonly state: "pending" | "passed" | "failed" | "skipped" | "cancelled";
}

/** How the checks of a commit stand; kept with its pull request. */
export interface ChecksSeen {
  readonly commit: string;
  /** When that commit was looked at first, ISO 8601. */
  readonly since: string;
  readonly state: "none" | "pending" | "passed" | "failed";
  /** How many there are. */
  readonly all: number;
  readonly failed: readonly FailedCheck[];
  /** Those that the forge requires; there where a criterion of the goal asks for them. */
  readonly required?: RequiredSeen;
}

/** How the required checks of a commit stand; kept with its pull request. */
export interface RequiredSeen {
  readonly state: "pending" | "passed" | "failed";
  /** Whether the forge named them; else all counted. */
  readonly isNamed: boolean;
  readonly passed: readonly string[];
  readonly failed: readonly FailedCheck[];
  /** What is not in yet, or ended without saying anything, with why. */
  readonly waits: readonly string[];
  /** Why a person is asked about them; null: nobody is. */
  readonly asks: string | null;
}

/** Nothing is said to have failed before everything has ended: what is mended is mended at once. */
export function checksSeen(commit: string, since: string, found: readonly Check[]): ChecksSeen {
  const failed = found.flatMap(({ state, name, said, url }) => (state === "failed" ? [{ name, said, url }] : []));
  const isPending = found.some(({ state }) => state === "pending");
  const state = found.length === 0 ? "none" : isPending ? "pending" : failed.length > 0 ? "failed" : "passed";
  return { commit, since, state, all: found.length, failed: failed.slice(0, 50) };
}

/** Whether they may still come or end: they are read at each look then. */
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
  /** The commit whose failures went back last. */
  readonly given: string | null;
  /** How often failures went back. */
  readonly rounds: number;
  /** Whether somebody is there who can mend it by being told: an agent, not a fixed command. */
  readonly hasAgent: boolean;
}

/** What is done about the checks of a pull request: failures go back to the agent, so often and no more; else the card says it. */
export function nextForChecks(facts: ChecksFacts, mostRounds: number): "rest" | "work again" {
  const { seen, headCommit, given, rounds, hasAgent } = facts;
  if (seen.state !== "failed" || seen.commit !== headCommit || given === headCommit) return "rest";
  return hasAgent && rounds < mostRounds ? "work again" : "rest";
}
