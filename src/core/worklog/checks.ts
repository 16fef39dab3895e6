import type { WorklogPolicy } from "../policy/worklog.ts";
import { shorten } from "../text.ts";
import type { EntryOf, EntryStatus, VerificationResult, WorklogEntry } from "./entry.ts";
import { afterAttempt, type Breaker, closedBreaker, type TodoState } from "./verification.ts";

/** Checks of todos as entries, and what they say together. */

/**
 * Maximum number of todos that are stored with a check; differing ones come first. A check that is still open keeps more, so that it can be
 * read again.
 */
const mostOfOpen = 100;
const mostOfSettled = 10;

/** The entry of a finished check: the expected and the found status of each todo, as many as the size of an entry allows. */
export function verifyEntry(check: {
  readonly status: EntryStatus;
  readonly result: VerificationResult;
  readonly expected: TodoState;
  /** How many were expected, if `expected` does not contain all of them. */
  readonly total?: number | undefined;
  readonly actual: TodoState;
  readonly details: string | null;
  readonly at: Date;
  readonly by?: string;
  readonly readFor?: string;
}): EntryOf<"Verify"> {
  const { status, result, details, by, readFor } = check;
  const context = contextOf(result, details, by);
  const most = status === "failed" || status === "retried" ? mostOfOpen : mostOfSettled;
  const { expected, actual, total = expected.length } = check;
  return {
    timestamp: check.at.toISOString(),
    action: "Verify",
    status,
    context: shorten(readFor === undefined ? context : `read again for ${readFor}: ${context}`, 400),
    details: {
      verification_result: result,
      expected_state: keptStates(expected, actual, most),
      actual_state: keptStates(actual, expected, most),
      ...(most === mostOfOpen && total > most ? { expected_count: total } : {}),
      mismatch_details: details,
      ...(by === undefined ? {} : { decided_by: by }),
      ...(readFor === undefined ? {} : { read_for: readFor }),
    },
    tokens_consumed: 0,
  };
}

function keptStates(todos: TodoState, others: TodoState, most: number): { id: string; status: string }[] {
  const statuses = new Map(others.map(({ id, status }) => [id, status]));
  const isOdd = ({ id, status }: TodoState[number]): boolean => statuses.get(id) !== status;
  const kept = todos.length <= most ? todos : [...todos.filter(isOdd), ...todos.filter((todo) => !isOdd(todo))];
  return kept.slice(0, most).map(({ id, status }) => ({ id, status }));
}

function contextOf(result: VerificationResult, details: string | null, by: string | undefined): string {
  switch (result) {
    case "pass":
      return "todos are as they were written";
    case "fail":
      return details ?? "todos differ";
    case "timeout":
      return "todos could not be read in time";
    case "user_accepted":
      return `${by ?? "a person"} accepted the state that was found`;
    case "bypassed":
      return by === undefined ? `not checked: ${details ?? ""}` : `${by} goes on without verification: a risk`;
  }
}

/**
 * The result of each check, in order. If a person settled a check, that result is what the person decided. If it was read again for a
 * person, it is what was found then, even if later plans were not checked meanwhile. Reads that were retried automatically do not count.
 */
export function checkResults(entries: readonly WorklogEntry[]): VerificationResult[] {
  const results: VerificationResult[] = [];
  let open: number | null = null;
  for (const entry of entries) {
    if (entry.action !== "Verify" || entry.status === "retried") continue;
    const { verification_result: result, decided_by: by, read_for: readFor } = entry.details;
    const place: number = (by ?? readFor) === undefined ? results.length : (open ?? results.length);
    results[place] = result;
    if (entry.status !== "skipped") open = entry.status === "failed" ? place : null;
  }
  return results;
}

/** The state of the circuit breaker after all entries of a worklog (S0-CB). */
export function breakerOf(entries: readonly WorklogEntry[], policy: WorklogPolicy["verification"]): Breaker {
  let breaker = closedBreaker;
  for (const entry of entries) {
    if (entry.action !== "Verify") continue;
    const { verification_result: result, decided_by: by } = entry.details;
    // A person's decision is not a read.
    if (by !== undefined) continue;
    const atMs = Date.parse(entry.timestamp);
    if (result === "pass") breaker = afterAttempt(breaker, { type: "match" }, atMs, policy);
    if (result === "fail") {
      const read = { type: "mismatch", mismatch: "status_mismatch", details: "" } as const;
      breaker = afterAttempt(breaker, read, atMs, policy);
    }
  }
  return breaker;
}

/**
 * The checks that this process knows and those that are stored, each once, in order of time. A check that was read again for a person is
 * only in the store; a check that is not written yet is only in this process.
 */
export function allChecks(own: readonly WorklogEntry[], stored: readonly WorklogEntry[]): EntryOf<"Verify">[] {
  const isCheck = (entry: WorklogEntry): entry is EntryOf<"Verify"> => entry.action === "Verify";
  const nameOf = ({ timestamp, status, details }: EntryOf<"Verify">): string =>
    [timestamp, status, details.verification_result, details.decided_by].join(" ");
  const known = own.filter(isCheck);
  const names = known.map(nameOf);
  const others = stored.filter(isCheck).filter((entry) => {
    const place = names.indexOf(nameOf(entry));
    if (place !== -1) names.splice(place, 1);
    return place === -1;
  });
  return [...known, ...others].toSorted((one, other) => Date.parse(one.timestamp) - Date.parse(other.timestamp));
}

/** The newest check that a person was asked about and nobody has settled. Null when there is none. */
export function openMismatch(entries: readonly WorklogEntry[]): EntryOf<"Verify"> | null {
  const last = entries.findLast(
    (entry): entry is EntryOf<"Verify"> => entry.action === "Verify" && entry.status !== "skipped",
  );
  return last !== undefined && last.details.verification_result === "fail" && last.status === "failed" ? last : null;
}

/** True when a person has decided about a check since then. `since` is ISO 8601. */
export function isDecidedSince(entries: readonly WorklogEntry[], since: string): boolean {
  return entries.some(
    (entry) => entry.action === "Verify" && entry.details.decided_by !== undefined && entry.timestamp >= since,
  );
}
