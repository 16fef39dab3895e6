import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { realTimers } from "../../src/agent/process/timers.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("a time that is longer than Node can wait does not end at once", () => {
  let ended = 0;
  realTimers.after(100_000 * 120_000, () => (ended += 1));

  vi.advanceTimersByTime(23 * 86_400_000);
  expect(ended).toBe(0);
  vi.advanceTimersByTime(2 * 86_400_000);
  expect(ended).toBe(1);
});
