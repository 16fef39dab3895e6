import { isUnavailable } from "../../db/connection/failures.ts";

/**
 * Runs parts one after the other, in this order. When one throws, the others still run, and the error is thrown at the end. Without a
 * database nothing can be done, so that error is thrown at once. Parts that have not begun when `stopping` aborts are skipped.
 */
export async function oneByOne(parts: readonly (() => Promise<unknown>)[], stopping?: AbortSignal): Promise<void> {
  const failed: unknown[] = [];
  for (const part of parts) {
    if (stopping?.aborted === true) break;
    try {
      await part();
    } catch (error) {
      if (isUnavailable(error)) throw error;
      failed.push(error);
    }
  }
  if (failed.length > 1) throw new AggregateError(failed, failed.map(String).join("; "));
  if (failed.length === 1) throw failed[0];
}
