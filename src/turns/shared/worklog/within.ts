import type { Db } from "../../../db/connection/client.ts";
import { isTooSlow } from "../../../db/connection/failures.ts";
import { partOf } from "../../../db/connection/part.ts";
import type { Deps } from "../../../deps.ts";

/** The result of work that is waited for at most for a limited time. */
export type Within<Value> =
  | { readonly type: "done"; readonly value: Value; readonly tookMs: number }
  | { readonly type: "timeout"; readonly tookMs: number }
  | { readonly type: "failed"; readonly error: unknown; readonly tookMs: number };

/** Waits for work at most `limitMs` milliseconds. Never throws. Late work may still finish; its result is ignored. */
export async function within<Value>(
  { timers }: Pick<Deps, "timers">,
  limitMs: number,
  work: () => Promise<Value>,
): Promise<Within<Value>> {
  const startedMs = performance.now();
  const tookMs = (): number => performance.now() - startedMs;
  let stop = (): void => {};
  const late = new Promise<Within<Value>>((settle) => {
    stop = timers.after(limitMs, () => settle({ type: "timeout", tookMs: tookMs() }));
  });
  const worked = work().then(
    (value): Within<Value> => ({ type: "done", value, tookMs: tookMs() }),
    (error: unknown): Within<Value> => ({ type: "failed", error, tookMs: tookMs() }),
  );
  try {
    return await Promise.race([worked, late]);
  } finally {
    stop();
  }
}

/**
 * Runs work in a transaction whose statements the server ends after the limit. So work that waits for a table lock does not keep a
 * connection that others need. Throws the errors of `work` and of the server.
 */
export function limited<Value>(
  { database }: Pick<Deps, "database">,
  limitMs: number,
  work: (tx: Db) => Promise<Value>,
): Promise<Value> {
  return database.transaction(work, { statementMs: limitMs });
}

/** Like `limited`, for work that takes `deps`: all its statements run in this one transaction (`partOf`). */
export function limitedWith<Asking extends Pick<Deps, "database">, Value>(
  deps: Asking,
  limitMs: number,
  work: (deps: Asking) => Promise<Value>,
): Promise<Value> {
  return limited(deps, limitMs, (tx) => work({ ...deps, database: partOf(deps.database, tx) }));
}

/**
 * Runs a person's request about worklogs. Null when the server ended it at the limit because a table is locked; it can be repeated.
 * Throws other errors of `work`.
 */
export async function unlessLocked<Asking extends Pick<Deps, "database" | "policy">, Value>(
  deps: Asking,
  work: (deps: Asking) => Promise<Value>,
): Promise<Value | null> {
  try {
    return await limitedWith(deps, deps.policy.worklog.listTimeoutMs, work);
  } catch (error) {
    if (isTooSlow(error)) return null;
    throw error;
  }
}

/** Reads an optional part of a page or card. Null, with a log line, when it takes too long or fails. Never throws. */
export async function orNothing<Value>(
  deps: Pick<Deps, "database" | "policy" | "timers" | "log">,
  work: (tx: Db) => Promise<Value>,
): Promise<Value | null> {
  const { timeoutMs } = deps.policy.worklog.detection;
  const read = await within(deps, timeoutMs, () => limited(deps, timeoutMs, work));
  if (read.type === "done") return read.value;
  deps.log.warn("worklog.not-shown", { error: read.type === "failed" ? read.error : read.type });
  return null;
}
