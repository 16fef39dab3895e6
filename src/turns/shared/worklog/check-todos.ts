import type { WorklogEntry } from "../../../core/worklog/entry.ts";
import { allChecks, breakerOf, isDecidedSince, openMismatch, verifyEntry } from "../../../core/worklog/checks.ts";
import { mismatchCard } from "../../../core/cards/worklog-cards.ts";
import { usedAfter } from "../../../core/worklog/time-budget.ts";
import {
  afterAttempt,
  afterRead,
  compareTodos,
  mayAttempt,
  optionsFor,
  type ReadResult,
  type TodoState,
} from "../../../core/worklog/verification.ts";
import { markNotice } from "../../../db/connection/marks.ts";
import { entriesOf, putTodos, todosOf } from "../../../db/worklog-contents.ts";
import { todosRow } from "./flush.ts";
import { noteEntry, type RunRecord, type RecordingDeps, tell } from "./recording.ts";
import { limited, within } from "./within.ts";

/**
 * Checks the todos after the plan changed: they are stored, read back and compared by id (STRICT). A mismatch is read again after
 * 100 ms. If it remains, a person is asked, and the goal goes on meanwhile. Never throws.
 */
export async function checkTodos(deps: RecordingDeps, account: RunRecord): Promise<void> {
  const { worklog } = account;
  const { verification } = deps.policy.worklog;
  const expected = stateOf(account.todos);
  let breaker = breakerOf(await knownChecks(deps, account), verification);
  if (!mayAttempt(breaker, deps.now().getTime(), verification)) {
    add("skipped", "bypassed", [], "the circuit breaker is open");
    return;
  }
  if (worklog === null || account.mode === "session-only") {
    add("timeout", "timeout", [], "there is no store to read from");
    await tell(deps, account, "unverified");
    return;
  }
  const startedMs = performance.now();
  await store(deps, account, worklog.sessionId);
  let attempt: "first" | "second" = "first";
  while (true) {
    const { read, actual } = await readBack(deps, worklog.sessionId, expected);
    const nowMs = deps.now().getTime();
    breaker = afterAttempt(breaker, read, nowMs, verification);
    // The third failure opens the breaker: no read follows it.
    const next = afterRead(read, mayAttempt(breaker, nowMs, verification) ? attempt : "second", verification);
    const details = read.type === "mismatch" ? `${read.mismatch}: ${read.details}` : null;
    switch (next.type) {
      case "pass":
        await settleEarlier(deps, account, "A later check found them as they were written.");
        add("completed", "pass", actual, null);
        break;
      case "retry":
        add("retried", read.type === "timeout" ? "timeout" : "fail", actual, details);
        await new Promise<void>((resume) => deps.timers.after(next.afterMs, resume));
        attempt = "second";
        continue;
      case "skip":
        await settleEarlier(deps, account, "A later check could not read them.");
        add("timeout", "timeout", actual, null);
        await tell(deps, account, "unverified");
        break;
      case "ask":
        add("failed", "fail", actual, details);
        await ask(deps, account, details ?? "", optionsFor(breaker));
        break;
    }
    break;
  }
  account.usedMs = usedAfter(account.usedMs, "stored", performance.now() - startedMs);

  function add(
    status: WorklogEntry["status"],
    result: Parameters<typeof verifyEntry>[0]["result"],
    actual: TodoState,
    details: string | null,
  ): void {
    noteEntry(account, verifyEntry({ status, result, expected, actual, details, at: deps.now() }));
  }
}

/** Returns all known checks, also those that a person requested meanwhile. If the store does not answer: only this process's checks. */
async function knownChecks(
  deps: RecordingDeps,
  { worklog, mode, entries }: RunRecord,
): Promise<readonly WorklogEntry[]> {
  if (worklog === null || mode === "session-only") return entries;
  const { timeoutMs } = deps.policy.worklog.verification;
  const stored = await within(deps, timeoutMs, () =>
    limited(deps, timeoutMs, (tx) => entriesOf(tx, worklog.sessionId)),
  );
  return stored.type === "done" && stored.value.type === "read" ? allChecks(entries, stored.value.entries) : entries;
}

function stateOf(todos: TodoState): TodoState {
  return todos.map(({ id, status }) => ({ id, status }));
}

async function store(deps: RecordingDeps, account: RunRecord, sessionId: string): Promise<void> {
  const row = todosRow(account, sessionId, deps.now());
  const { todos } = account;
  const { flushTimeoutMs } = deps.policy.worklog;
  const stored = await within(deps, flushTimeoutMs, () => limited(deps, flushTimeoutMs, (tx) => putTodos(tx, row)));
  if (stored.type === "done") account.areTodosNew = account.todos !== todos;
}

/** Reads the stored todos and compares them with the written ones. */
async function readBack(
  deps: RecordingDeps,
  sessionId: string,
  expected: TodoState,
): Promise<{ readonly read: ReadResult; readonly actual: TodoState }> {
  const { verification, listTimeoutMs } = deps.policy.worklog;
  const found = await within(deps, verification.timeoutMs, () =>
    limited(deps, listTimeoutMs, (tx) => todosOf(tx, sessionId)),
  );
  if (found.type !== "done") return { read: { type: "timeout" }, actual: [] };
  const actual = stateOf(found.value ?? []);
  return { read: compareTodos(expected, actual), actual };
}

/** Posts or updates the mismatch card in the goal's thread. Each worklog has one. */
async function ask(
  deps: RecordingDeps,
  account: RunRecord,
  details: string,
  options: ReturnType<typeof optionsFor>,
): Promise<void> {
  const { goal, worklog } = account;
  if (worklog === null) return;
  const { sessionId } = worklog;
  const { goalId, content } = goal;
  const card = mismatchCard({ sessionId, goalId, content, details, options });
  const asked = await within(deps, deps.policy.worklog.flushTimeoutMs, () =>
    limited(deps, deps.policy.worklog.flushTimeoutMs, async (tx) => {
      markNotice(tx, `worklog.${sessionId}.todos`, { card, threadSubject: goalId });
    }),
  );
  if (asked.type !== "done") deps.log.warn("worklog.not-asked", { goalId, sessionId });
}

/** Closes an unanswered mismatch card after another check: the card says why, and its buttons are removed. */
async function settleEarlier(deps: RecordingDeps, account: RunRecord, words: string): Promise<void> {
  const { goal, worklog } = account;
  const asked = openMismatch(account.entries);
  if (asked === null || worklog === null) return;
  const { sessionId } = worklog;
  const { goalId, content } = goal;
  const details = asked.details.mismatch_details ?? "";
  const { flushTimeoutMs } = deps.policy.worklog;
  const settled = await within(deps, flushTimeoutMs, () =>
    limited(deps, flushTimeoutMs, async (tx) => {
      const stored = await entriesOf(tx, sessionId);
      // A person has decided meanwhile, and the card says who.
      if (stored.type === "read" && isDecidedSince(stored.entries, asked.timestamp)) return;
      const card = mismatchCard({ sessionId, goalId, content, details, options: [] }, words);
      markNotice(tx, `worklog.${sessionId}.todos`, { card, threadSubject: goalId });
    }),
  );
  if (settled.type !== "done") deps.log.warn("worklog.not-settled", { goalId, sessionId });
}
