import type { Db } from "../../../db/connection/client.ts";
import { isTooSlow } from "../../../db/connection/failures.ts";
import { partOf } from "../../../db/connection/part.ts";
import type { Deps } from "../../../deps.ts";

/** What came of work that nobody waits for longer than a limit. */
export type Within<Value> =
  | { readonly type: "done"; readonly value: Value; readonly tookMs: number }
  | { readonly type: "timeout"; readonly tookMs: number }
  | { readonly type: "failed"; readonly error: unknown; readonly tookMs: number };

/** Never throws. Work that comes too late may still be done; its end is nobody's business any more. */
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
 * Work in a transaction whose statements the server ends after the limit: where a table is locked, nothing of ours goes on waiting
 * for it with a connection that others need. Throws what `work` throws, and what the server says.
 */
export function limited<Value>(
  { database }: Pick<Deps, "database">,
  limitMs: number,
  work: (tx: Db) => Promise<Value>,
): Promise<Value> {
  return database.transaction(work, { statementMs: limitMs });
}

/**
 * The same for work that asks its database many things: all of it happens in this one transaction (`partOf`).
 */
export function limitedWith<Asking extends Pick<Deps, "database">, Value>(
  deps: Asking,
  limitMs: number,
  work: (deps: Asking) => Promise<Value>,
): Promise<Value> {
  return limited(deps, limitMs, (tx) => work({ ...deps, database: partOf(deps.database, tx) }));
}

/**
 * What a person asks of worklogs. Null: the server ended it at the limit, as a table is locked; it can be asked again. Throws what
 * else `work` throws.
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

/** A part of something that is shown anyway: what takes too long, or fails, is null and is logged. Never throws. */
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
