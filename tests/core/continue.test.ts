import { describe, expect, it } from "vitest";
import { type ContinueFacts, decideContinue } from "../../src/core/goals/continue.ts";
import { dollars } from "../../src/core/money.ts";
import { defaultPolicy } from "../../src/core/policy.ts";

const left = (usd: number) => ({ ceilingMicroUsd: dollars(usd), spentMicroUsd: 0 });
const facts: ContinueFacts = {
  openCheckpointId: null,
  stopRequested: null,
  ceilings: { goal: left(5), session: left(15), day: left(30) },
  fired: [],
  settled: [],
  contentHash: "h1",
  costsMoney: true,
  flat: null,
};
const costs = { ...facts, fired: ["cost_cumulative" as const] };
const settledFor = (contentHash: string) => [{ trigger: "cost_cumulative" as const, contentHash }];
const poor = { ...facts.ceilings, session: left(0.49) };

describe("whether a run that has begun may go on [F-122]", () => {
  it.each<[string, ContinueFacts, object]>([
    ["goes on with the least that is left", facts, { type: "go-on", capMicroUsd: dollars(5) }],
    ["asks when the day has cost too much meanwhile", costs, { type: "ask", reasons: ["cost_cumulative"] }],
    ["not again what was settled in this run", { ...costs, settled: settledFor("h1") }, { type: "go-on" }],
    ["again when the content has changed", { ...costs, settled: settledFor("h0") }, { type: "ask" }],
    [
      "not about what was asked when the run began",
      { ...facts, fired: ["hiccup", "ux_change", "cost_single", "architecture", "scope_change"] },
      { type: "go-on" },
    ],
    ["stops at a ceiling", { ...facts, ceilings: poor }, { type: "refuse", ceiling: "session", leftMicroUsd: 490_000 }],
    ["exactly the minimum is enough", { ...facts, ceilings: { ...poor, session: left(0.5) } }, { type: "go-on" }],
    ["the budget comes before the question", { ...costs, ceilings: poor }, { type: "refuse" }],
    [
      "a command costs nothing: no ceiling stops it",
      { ...facts, ceilings: poor, costsMoney: false },
      { type: "go-on" },
    ],
    ["a command is asked about as at its start", { ...costs, costsMoney: false }, { type: "ask" }],
    ["waits while a question is open", { ...costs, openCheckpointId: "cp-1" }, { type: "wait", checkpointId: "cp-1" }],
    [
      "what a person asked comes first",
      { ...costs, openCheckpointId: "cp-1", ceilings: poor, stopRequested: "skip" },
      { type: "cut", why: "skip" },
    ],
  ])("%s", (_, given, expected) => {
    expect(decideContinue(given, defaultPolicy)).toMatchObject(expected);
  });
});
