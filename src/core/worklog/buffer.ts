import type { WorklogPolicy } from "../policy/worklog.ts";

/**
 * The reasons for writing buffered entries: ten entries, or thirty seconds since the last write, or at once before something that needs
 * them (a summary, the end, an error, a stop). Seed 000 FR-003. A crash loses at most what these limits allow (C-01).
 */
export type FlushReason =
  | "threshold_flush"
  | "time_flush"
  | "checkpoint_flush"
  | "completion_flush"
  | "error_flush"
  | "shutdown_flush";

/** Events after which a write may be needed. */
export type BufferEvent = "appended" | "time" | "checkpoint" | "completion" | "error" | "shutdown";

export interface Buffered {
  readonly length: number;
  readonly lastFlushMs: number;
}

/** The reason to write now. Null when nothing has to be written, as always with an empty buffer. */
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
      // After the clock was set back, the difference says nothing, so its absolute value is used.
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

/** Time until the buffer may be due: the rest of the thirty seconds since the last write, or a full period if they are over. */
export function untilDueMs(lastFlushMs: number, nowMs: number, { bufferMs }: Pick<WorklogPolicy, "bufferMs">): number {
  const leftMs = bufferMs - Math.abs(nowMs - lastFlushMs);
  return leftMs > 0 ? leftMs : bufferMs;
}
