import { count, firstLine } from "../text.ts";
import type { Check, ChecksSeen, RequiredSeen } from "./checks.ts";
import type { FailedCheck } from "./remarks.ts";

/** The criterion `ci: required checks`: what a forge requires of a commit before it is merged, and how that stands. */

/** Which checks count for a branch, as the forge says it. */
export interface Required {
  /** By their names, in which `*` stands for anything; null: the forge names none, and all that there are count. */
  readonly named: readonly string[] | null;
  /** What counts beside the checks of the commit: GitLab's pipeline. */
  readonly more: readonly Check[];
}

const mostKept = 30;

/**
 * Passed: each that counts has passed or says that it need not run, and one at least has passed. Failed: all that count have
 * ended, and one has failed. Else they are waited for: nothing that was cancelled, or that never came, is taken for a pass.
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

/** Whether a name is meant, in time linear in both: `*` stands for anything. */
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
  /** Whether the criterion is known to have passed for it. */
  readonly isKept: boolean;
  /** The commit that went back, or that a person was asked about, last. */
  readonly given: string | null;
  readonly rounds: number;
  readonly hasAgent: boolean;
  /** Since when the work is complete. */
  readonly since: Date;
}

export type RequiredStep =
  | { readonly type: "rest" }
  /** They passed, and that is to be written down. */
  | { readonly type: "keep" }
  /** They failed, and the agent is told. */
  | { readonly type: "work-again" }
  /** A person is asked, because of `why`. */
  | { readonly type: "ask"; readonly why: string };

/** What is done about the required checks of a goal that is held to them. `title`: of the forge. */
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

/** What a round of verification says of the criterion, by what was seen of the commit; null: nothing was. */
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
