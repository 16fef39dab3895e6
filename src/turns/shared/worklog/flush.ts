import type { FlushReason } from "../../../core/worklog/buffer.ts";
import { afterFailedBatch } from "../../../core/worklog/outage.ts";
import { fitting, keptTodos } from "../../../core/worklog/room.ts";
import { usedAfter } from "../../../core/worklog/time-budget.ts";
import { sha256 } from "../../../deps.ts";
import { insertEntries, type KeyedEntry, putTodos } from "../../../db/worklog-contents.ts";
import { lockWorklog, updateWorklog } from "../../../db/worklogs.ts";
import { openWorklog } from "./open.ts";
import { type RunRecord, type RecordingDeps, tell } from "./recording.ts";
import { limited, within } from "./within.ts";

/**
 * Writes the buffered entries in one batch. If that fails twice, they are written one by one. If that fails too, this process keeps
 * them in memory while it works the goal; they are not written later (S0-GD-06), only counted. Never throws.
 */
export async function flush(deps: RecordingDeps, account: RunRecord, reason: FlushReason): Promise<void> {
  account.lastFlushMs = deps.now().getTime();
  if (account.buffer.length === 0) return;
  const batch = account.buffer;
  account.buffer = [];
  if (account.mode === "session-only") await retryStore(deps, account);
  if (account.mode === "session-only") {
    account.unstored += batch.length;
    return;
  }
  const startedMs = performance.now();
  const left = account.mode === "batched" ? await writeTogether(deps, account, batch) : batch;
  if (left.length > 0) await writeEach(deps, account, left);
  account.usedMs = usedAfter(account.usedMs, "stored", performance.now() - startedMs);
  deps.log.info("worklog.flushed", { goalId: account.goal.goalId, reason, entries: batch.length });
}

/** With `--retry-memory`, an unreachable store is tried again before each write (S0-GD-07). */
async function retryStore(deps: RecordingDeps, account: RunRecord): Promise<void> {
  if (!account.flags.retryMemory) return;
  const opened = await within(deps, deps.policy.worklog.initTimeoutMs, () => openWorklog(deps, account));
  if (opened.type !== "done" || opened.value === null) return;
  account.worklog = opened.value.worklog;
  account.mode = "batched";
}

/** Returns the entries that are still to be written: none or all. */
async function writeTogether(
  deps: RecordingDeps,
  account: RunRecord,
  batch: readonly KeyedEntry[],
): Promise<readonly KeyedEntry[]> {
  for (const _ of ["first", "second"]) if (await write(deps, account, batch)) return [];
  return batch;
}

async function writeEach(deps: RecordingDeps, account: RunRecord, batch: readonly KeyedEntry[]): Promise<void> {
  const wasBatched = account.mode === "batched";
  let written = 0;
  for (const entry of batch) {
    if (!(await write(deps, account, [entry]))) break;
    written += 1;
  }
  account.unstored += batch.length - written;
  if (!wasBatched && written === batch.length) return;
  const { mode, notice } = afterFailedBatch(written === batch.length ? written : 0);
  account.mode = mode;
  await tell(deps, account, notice);
}

/** Writes entries. Returns true when they are stored. */
async function write(deps: RecordingDeps, account: RunRecord, batch: readonly KeyedEntry[]): Promise<boolean> {
  const { worklog, todos, areTodosNew } = account;
  if (worklog === null) return false;
  const { sessionId } = worklog;
  const { flushTimeoutMs, retention } = deps.policy.worklog;
  const now = deps.now();
  const written = await within(deps, flushTimeoutMs, () =>
    limited(deps, flushTimeoutMs, async (tx) => {
      const stored = await lockWorklog(tx, sessionId);
      if (stored === null) throw new Error(`worklog ${sessionId} is gone`);
      const { items, bytes } = fitting(batch, stored.bytes, retention.sessionBytes);
      await insertEntries(tx, sessionId, items);
      if (areTodosNew) await putTodos(tx, todosRow(account, sessionId, now));
      const unstored = stored.unstored + batch.length - items.length;
      await updateWorklog(tx, sessionId, { lastModified: now, bytes, unstored });
    }),
  );
  if (written.type === "done") {
    account.areTodosNew = account.areTodosNew && account.todos !== todos;
    return true;
  }
  const error = written.type === "failed" ? written.error : written.type;
  deps.log.warn("worklog.not-written", { goalId: account.goal.goalId, sessionId, entries: batch.length, error });
  return false;
}

/** Returns the row that stores a recording's todos. */
export function todosRow({ goal, todos }: RunRecord, sessionId: string, updatedAt: Date) {
  return { sessionId, taskHash: sha256(goal.content).slice(0, 12), todos: keptTodos(todos), updatedAt };
}
