import type { WorklogPolicy } from "../policy/worklog.ts";

/**
 * When buffered entries are written. Ten of them, or thirty seconds since the last write, or at once when something follows
 * that needs them: a summary, the end, an error, a stop. Seed 000 FR-003; what a crash loses is bounded by the same numbers (C-01).
 */
export type FlushReason =
  | "threshold_flush"
  | "time_flush"
  | "checkpoint_flush"
  | "completion_flush"
  | "error_flush"
  | "shutdown_flush";

/** What has happened that may ask for a write. */
export type BufferEvent = "appended" | "time" | "checkpoint" | "completion" | "error" | "shutdown";

export interface Buffered {
  readonly length: number;
  readonly lastFlushMs: number;
}

/** Null: nothing is written now. An empty buffer never is. */
export function flushFor(
  buffer: Buffered,
  event: BufferEvent,
  nowMs: number,
  policy: Pick<WorklogPolicy, "bufferSize" | "bufferMs">,
): FlushReason | null {
  if (buffer.length === 0) return null;
  switch (event) {
    case "appended":
      return buffer.length >= policy.bufferSize ? "threshold_flush" : null;
    case "time":
      // A clock that was set back says nothing of how long it was.
      return Math.abs(nowMs - buffer.lastFlushMs) >= policy.bufferMs ? "time_flush" : null;
    case "checkpoint":
      return "checkpoint_flush";
    case "completion":
      return "completion_flush";
    case "error":
      return "error_flush";
    case "shutdown":
      return "shutdown_flush";
  }
}

/** How long until what is buffered may be due by its time: thirty seconds after the last write, where those are not over. */
export function untilDueMs(lastFlushMs: number, nowMs: number, { bufferMs }: Pick<WorklogPolicy, "bufferMs">): number {
  const leftMs = bufferMs - Math.abs(nowMs - lastFlushMs);
  return leftMs > 0 ? leftMs : bufferMs;
}
