import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../../../src/core/policy.ts";
import { flushFor } from "../../../src/core/worklog/buffer.ts";
import { afterFailedBatch, appendVerdict, outageNotices, outageTierWords } from "../../../src/core/worklog/outage.ts";

const policy = defaultPolicy.worklog;

describe("when a buffer is written", () => {
  it.each([
    ["S0-BF-01", 10, "appended", 0, "threshold_flush"],
    ["S0-BF-02", 9, "appended", 29_000, null],
    ["S0-BF-02", 9, "time", 29_000, null],
    ["S0-BF-03", 5, "time", 30_000, "time_flush"],
    ["S0-BF-04", 0, "time", 90_000, null],
    ["S0-BF-06", 4, "checkpoint", 0, "checkpoint_flush"],
    ["S0-BF-07", 3, "completion", 0, "completion_flush"],
    ["S0-BF-08", 8, "error", 0, "error_flush"],
    ["S0-BF-11", 5, "shutdown", 12_000, "shutdown_flush"],
    ["S0-BF-11", 0, "shutdown", 12_000, null],
  ] as const)("[%s] %d entries, %s after %d ms: %s", (_row, length, event, nowMs, expected) => {
    expect(flushFor({ length, lastFlushMs: 0 }, event, nowMs, policy)).toBe(expected);
  });

  it("[S0-BF-05] thirty seconds count from the last write", () => {
    expect(flushFor({ length: 1, lastFlushMs: 25_000 }, "time", 30_000, policy)).toBeNull();
    expect(flushFor({ length: 1, lastFlushMs: 25_000 }, "time", 55_000, policy)).toBe("time_flush");
    // A clock that was set back by a day.
    expect(flushFor({ length: 1, lastFlushMs: 90_000_000 }, "time", 3_600_000, policy)).toBe("time_flush");
  });

  it("[S0-BF-13] [S0-LT-02] the numbers are those of the seed", () => {
    expect(policy).toMatchObject({
      bufferSize: 10,
      bufferMs: 30_000,
      flushTimeoutMs: 300,
      appendTargetMs: 50,
      summaryTimeoutMs: 2_000,
      initTimeoutMs: 500,
    });
    expect(policy.verification.timeoutMs).toBe(1_000);
  });
});

describe("what cannot be written", () => {
  it("[S0-BF-10] [S0-GD-01] goes one by one, or stays with the process that works the goal", () => {
    expect(afterFailedBatch(10)).toEqual({ mode: "per-entry", notice: "unbatched" });
    expect(afterFailedBatch(0)).toEqual({ mode: "session-only", notice: "unwritten" });
    expect(outageNotices.unbatched).toBe("Accountability overhead increased due to batching unavailability");
    expect(outageNotices.unwritten).toBe("Worklog unavailable, continuing with session-only logging");
  });

  it("[S0-GD-04] is told in these three lines", () => {
    expect(outageTierWords("STRICT", "fallback")?.[0]).toBe(
      "⚠️ Memory system unavailable. Continuing with session-only logging.\nAudit trail will not persist beyond this session.\nTo retry with full logging, use: /sc:task --retry-memory",
    );
  });

  it("[S0-GD-05] is told by tier", () => {
    expect(outageTierWords("STRICT", "unwritten")).toContain("The account of this STRICT goal has a gap.");
    expect(outageTierWords("STANDARD", "unwritten")).toEqual([outageNotices.unwritten]);
    expect(outageTierWords("LIGHT", "unwritten")).toBeNull();
    expect(outageTierWords("EXEMPT", "unwritten")).toBeNull();
  });

  it("[S0-OL-13] an entry that takes long is warned of, then dropped", () => {
    expect([50, 60, 200, 201].map((ms) => appendVerdict(ms, policy))).toEqual(["keep", "warn", "warn", "drop"]);
  });
});
