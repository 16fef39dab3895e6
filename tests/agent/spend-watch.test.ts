import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../../src/core/policy.ts";
import { watchSpend } from "../../src/turns/shared/spend-watch.ts";

/** What a turn cost whose agent says dollars, tokens, or both. */

const tokens = { input: 1000, cached: 0, output: 100 };
const call = { callId: "c", goalId: "g", runId: "r", sessionId: null, day: "2026-01-26" };

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
