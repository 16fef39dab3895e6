import { count, firstLine } from "../text.ts";
import type { Check, ChecksSeen, RequiredSeen } from "./checks.ts";
import type { FailedCheck } from "./remarks.ts";

/** The criterion `ci: required checks`: the checks that a forge requires before a commit is merged, and their state. */

/** The checks that count for a branch, as the forge says. */
export interface Required {
  /** Names, in which `*` matches anything. Null when the forge names none, and all checks count. */
  readonly named: readonly string[] | null;
  /** Checks that count besides those of the commit: GitLab's pipeline. */
  readonly more: readonly Check[];
}

const mostKept = 30;

/**
 * The state of the required checks. "passed": every check that counts has passed or was skipped, and at least one has passed. "failed":
 * all have ended, and one has failed. Otherwise "pending": a cancelled or missing check never counts as passed.
 */
export function requiredSeen(found: readonly Check[], { named, more }: Required): RequiredSeen {
  const all = [...found, ...more];
  const counted = named === null ? all : all.filter(({ name }) => named.some((each) => isNamed(each, name)));
  const missing = (named ?? []).filter((each) => !all.some(({ name }) => isNamed(each, name)));
  const of = (state: Check["state"]) => counted.filter((each) => each.state === state);
  const failed = of("failed").map(({ name, said, url }) => ({ name, said, url }));
  const pending = of("pending");
  const isOver = pending.length === 0 && missing.length === 0;
  const waits = [
    ...(isOver ? [] : failed.map(({ name }) => `${name} failed`)),
    ...pending.map(({ name }) => `${name} has not ended`),
    ...of("cancelled").map(({ name }) => `${name} was cancelled`),
    ...missing.map((name) => `${name} has not begun`),
    ...(counted.length > 0 && counted.every(({ state }) => state === "skipped") ? ["none of them was run"] : []),
    ...(counted.length === 0 && missing.length === 0 ? ["there is none yet"] : []),
  ].map((each) => firstLine(each, 120));
  const state = failed.length > 0 && isOver ? "failed" : waits.length > 0 || failed.length > 0 ? "pending" : "passed";
  const passed = of("passed").map(({ name, url }) => firstLine(url === null ? name : `${name}: ${url}`, 300));
  return {
    state,
    isNamed: named !== null,
    passed: passed.slice(0, mostKept),
    failed: failed.slice(0, mostKept),
    waits: waits.slice(0, mostKept),
    asks: null,
  };
}

/** True when a name matches the pattern, where `*` matches anything. Linear time. */
function isNamed(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === name;
  const last = rest.pop() ?? "";
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let from = first.length;
  for (const part of rest) {
    const at = name.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return from <= name.length - last.length;
}

export interface RequiredFacts {
  readonly seen: ChecksSeen;
  /** The recorded commit of the goal's work. */
  readonly headCommit: string | null;
  /** True when the criterion is already recorded as passed for the commit. */
  readonly isKept: boolean;
  /** The commit that last went back to the agent, or about which a person was asked last. */
  readonly given: string | null;
  readonly rounds: number;
  readonly hasAgent: boolean;
  /** When the work was completed. */
  readonly since: Date;
}

export type RequiredStep =
  | { readonly type: "rest" }
  /** The checks passed, which must be recorded. */
  | { readonly type: "keep" }
  /** The checks failed, and the failures go to the agent. */
  | { readonly type: "work-again" }
  /** A person is asked, for the reason `why`. */
  | { readonly type: "ask"; readonly why: string };

/** The next step for a goal with required checks. `title` is the forge's name. */
export function nextForRequired(
  facts: RequiredFacts,
  now: Date,
  { mostRounds, withinMs, title }: { readonly mostRounds: number; readonly withinMs: number; readonly title: string },
): RequiredStep {
  const { seen, headCommit, isKept, given, rounds, hasAgent, since } = facts;
  if (headCommit === null) return { type: "rest" };
  const isOurs = seen.commit === headCommit;
  const required = seen.required ?? null;
  if (isOurs && required?.state === "passed") return isKept ? { type: "rest" } : { type: "keep" };
  if (given === headCommit) return { type: "rest" };
  if (isOurs && required?.state === "failed") {
    if (hasAgent && rounds < mostRounds) return { type: "work-again" };
    return { type: "ask", why: `${failedWords(required)} at ${title}` };
  }
  if (now.getTime() - since.getTime() < withinMs) return { type: "rest" };
  const hours = Math.round(withinMs / 360_000) / 10;
  const after = `after ${count(hours, "hour")}`;
  if (!isOurs)
    return {
      type: "ask",
      why: `${title} does not show this work ${after}: its pull request is not there, has other commits or cannot be read`,
    };
  const waits = required?.waits ?? [];
  const which = waits.length === 0 ? "" : `: ${waits.slice(0, 5).join(", ")}`;
  return { type: "ask", why: `the required checks at ${title} have not passed ${after}${which}` };
}

function failedWords({ failed }: RequiredSeen): string {
  const names = failed.slice(0, 3).map(({ name }) => firstLine(name, 60));
  const more = failed.length > 3 ? ` and ${failed.length - 3} more` : "";
  return `required checks failed: ${names.join(", ")}${more}`;
}

/** The result of the criterion in a round of verification, by the checks seen for the commit; "not-checked" when none were seen. */
export function requiredResult(
  seen: ChecksSeen | null,
  commit: string,
): {
  readonly status: "pass" | "fail" | "not-checked";
  readonly details: readonly string[];
  readonly asks: string | null;
} {
  const required = seen?.commit === commit ? (seen.required ?? null) : null;
  if (required === null)
    return { status: "not-checked", details: ["waits for the required checks of its pull request"], asks: null };
  const { state, passed, failed, waits, asks } = required;
  switch (state) {
    case "passed":
      return { status: "pass", details: ["the required checks passed", ...passed], asks: null };
    case "failed":
      return { status: "fail", details: [failedWords(required), ...failed.map(failedLine)], asks };
    case "pending":
      return { status: "not-checked", details: ["waits for the required checks", ...waits], asks };
  }
}

function failedLine({ name, said, url }: FailedCheck): string {
  const words = said === null ? "" : `: ${firstLine(said, 300)}`;
  return `${firstLine(name, 100)}${words}${url === null ? "" : ` (${firstLine(url, 300)})`}`;
}
