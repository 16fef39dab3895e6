import { describe, expect, it, onTestFinished, vi } from "vitest";
import { defaultPolicy } from "../../src/core/policy.ts";
import { handTimers } from "../fakes/timers.ts";
import { openWorkClock } from "../../src/turns/shared/work-clock.ts";
import { watchSpend } from "../../src/turns/shared/spend-watch.ts";

/** What a turn cost whose agent says dollars, tokens, or both. */

const tokens = { input: 1000, cached: 0, output: 100 };
const call = { callId: "c", goalId: "g", runId: "r", sessionId: null, day: "2026-01-26" };

interface Watching {
  /** What the call may cost; one that shares the money of others is over where `isOver` says so. */
  readonly isOver?: (amountMicroUsd: number) => boolean;
  readonly isFlat?: boolean;
}

/** A call of an agent that may cost half a dollar, which is ten minutes, and how often its cap was met. */
function watching({ isOver, isFlat = false }: Watching = {}) {
  const timers = handTimers();
  let capsMet = 0;
  const written: number[] = [];
  const values = ({ amountMicroUsd }: { amountMicroUsd: number }) => ({
    onConflictDoNothing: async () => void written.push(amountMicroUsd),
  });
  const database = { db: { insert: () => ({ values }) } };
  const deps = { config: { agentPrice: null }, policy: defaultPolicy, now: () => new Date(0), database, timers };
  const watch = watchSpend(deps as never, {
    call,
    capMicroUsd: 500_000,
    isOver,
    isFlat,
    before: new Map(),
    counting: "goes-on",
    onCap: () => {
      capsMet += 1;
    },
  });
  const minutesLater = (minutes: number): number => {
    timers.advance(minutes * 60_000);
    return capsMet;
  };
  return { watch, timers, minutesLater, written };
}

async function costOf(
  said: readonly number[],
  models: readonly string[] | null,
  agentPrice: { inputUsd: number; outputUsd: number } | null,
) {
  const deps = { config: { agentPrice }, policy: defaultPolicy, now: () => new Date(0), database: null };
  const watch = watchSpend(deps as never, {
    call,
    capMicroUsd: 5_000_000,
    // Nothing is written: what is counted is asked in the end.
    isFlat: true,
    before: new Map(),
    counting: "goes-on",
    onCap: () => undefined,
  });
  watch.opened("s");
  for (const each of said) await watch.report(each, "s");
  if (models !== null) watch.tokens({ models, ...tokens });
  const { amountMicroUsd, isEstimated } = (await watch.settle(60_000, true)).cost;
  return [amountMicroUsd, isEstimated];
}

describe("what a turn cost", () => {
  const perMinute = defaultPolicy.goals.assumedMicroUsdPerMinute;
  const price = { inputUsd: 3, outputUsd: 15 };

  it("is what the agent says, whatever it says of tokens", async () => {
    expect(await costOf([700], null, null)).toEqual([700, false]);
    expect(await costOf([700], ["claude-sonnet-4-5"], price)).toEqual([700, false]);
    expect(await costOf([0, 700], ["nobody-knows"], null)).toEqual([700, false]);
  });

  it("is not 0 because the agent does not know its model's price: its tokens count, or the time", async () => {
    expect(await costOf([0], ["nobody-knows"], price)).toEqual([4500, true]);
    expect(await costOf([0], ["claude-sonnet-4-5"], null)).toEqual([4501, true]);
    expect(await costOf([0], ["nobody-knows"], null)).toEqual([perMinute, true]);
  });

  it("is 0 where a person says that the model costs nothing, or where no tokens were used", async () => {
    expect(await costOf([0], ["nobody-knows"], { inputUsd: 0, outputUsd: 0 })).toEqual([0, false]);
    expect(await costOf([0], null, null)).toEqual([0, false]);
  });

  it("of tokens alone is their price, else the time", async () => {
    expect(await costOf([], ["claude-sonnet-4-5"], null)).toEqual([4501, false]);
    expect(await costOf([], ["nobody-knows"], null)).toEqual([perMinute, true]);
  });
});

it("what an agent reports while it works is written every 2 s at most [D22]", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { watch, written } = watching();

  await watch.report(10, "s");
  vi.advanceTimersByTime(1_999);
  await watch.report(20, "s");
  expect(written).toEqual([10]);
  vi.advanceTimersByTime(1);
  await watch.report(30, "s");

  expect(written).toEqual([10, 30]);
});

describe("the ceiling of an agent that says no cost", () => {
  it("is one of time: what its cap comes to at the assumed rate", () => {
    const { watch, minutesLater } = watching();
    watch.working(0);

    expect(minutesLater(9.9)).toBe(0);
    expect(minutesLater(0.2)).toBe(1);
    expect(minutesLater(100)).toBe(1);
  });

  it("holds who says tokens of a model that nobody has a price for, and money that is none", async () => {
    const { watch, minutesLater } = watching();
    watch.working(0);
    watch.odd("1 EUR");
    watch.tokens({ models: ["nobody-knows"], ...tokens });
    await watch.settle(0, true); // What was said of tokens is counted by then.

    expect(minutesLater(11)).toBe(1);
  });

  it("is no more once it has said a cost, and ends with it", async () => {
    const said = watching();
    said.watch.working(0);
    said.watch.tokens({ models: ["claude-sonnet-4-5"], ...tokens });
    await said.watch.settle(0, true);
    const ended = watching();
    ended.watch.working(0)();

    expect(said.minutesLater(11)).toBe(0);
    expect(ended.minutesLater(11)).toBe(0);
    expect(ended.timers.waiting()).toBe(0);
  });

  it("counts what it has worked before, and is none at a flat rate", () => {
    const again = watching();
    again.watch.working(8 * 60_000);
    const flat = watching({ isFlat: true });
    flat.watch.working(0);

    expect(again.minutesLater(1.9)).toBe(0);
    expect(again.minutesLater(0.2)).toBe(1);
    expect(flat.minutesLater(1000)).toBe(0);
  });

  it("is that of all who share the money, and each is charged what its time comes to", async () => {
    const { watch, minutesLater } = watching({ isOver: (amountMicroUsd) => amountMicroUsd > 600_000 });
    watch.working(0);

    expect(minutesLater(10.1)).toBe(0);
    expect(minutesLater(1)).toBe(0);
    expect(minutesLater(1)).toBe(1);
    expect((await watch.settle(12 * 60_000, false)).cost).toMatchObject({ amountMicroUsd: 600_000, isEstimated: true });
  });

  it("is that of all who work side by side for one call, whenever each begins and ends", () => {
    const { watch, minutesLater } = watching();
    let minutes = 0;
    const later = (more: number): number => {
      minutes += more;
      return minutesLater(more);
    };
    const clock = openWorkClock(watch.working, () => minutes * 60_000);
    clock.begin();
    const end = clock.begin();
    const endLate = clock.begin();
    endLate(false);

    expect(later(3)).toBe(0);
    end(true);
    expect(clock.workedMs()).toBe(6 * 60_000);
    expect(later(3.9)).toBe(0);
    expect(later(0.2)).toBe(1);
  });

  it("does not count one that did not begin", () => {
    let minutes = 0;
    const held: number[][] = [];
    const hold = (workedMs: number, beside: number): (() => void) => {
      held.push([workedMs / 60_000, beside]);
      return () => undefined;
    };
    const clock = openWorkClock(hold, () => minutes * 60_000);
    const end = clock.begin();
    const late = clock.begin();
    minutes = 2;
    late(false);
    minutes = 5;
    end(true);

    expect(held).toEqual([
      [0, 1],
      [0, 2],
      [2, 1],
    ]);
    expect(clock.workedMs()).toBe(5 * 60_000);
  });
});
