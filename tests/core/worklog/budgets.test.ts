import { describe, expect, it } from "vitest";
import { allowanceFor } from "../../../src/core/worklog/time-budget.ts";
import { tokenBound, weightedMean } from "../../../src/core/worklog/tokens.ts";

describe("tokens that reach a model", () => {
  it("[S0-TK-01] [S0-TK-02] [S1-TM-02] have a bound by tier", () => {
    const tiers = ["STRICT", "STANDARD", "LIGHT", "EXEMPT"];
    expect(tiers.map((tier) => [tokenBound(tier, true), tokenBound(tier, false)])).toEqual([
      [750, 1200],
      [300, 500],
      [60, 100],
      [0, 0],
    ]);
  });

  it("[S0-TK-03] [S1-TM-05] cost 270 a goal in the usual mix, and in a mix that is given what it says", () => {
    expect(weightedMean(null)).toBe(270);
    expect(weightedMean({ STRICT: 0.5 })).toBe(375);
  });

  it("[S1-TM-07] have a bound of 0 for a tier that nobody knows", () => {
    expect(["X", "toString"].map((tier) => tokenBound(tier, true))).toEqual([0, 0]);
  });
});

describe("the time of a phase", () => {
  const so = { usedMs: 0, budgetMs: 3_000, earlier: [], share: 0.8 };
  const after = (...shares: readonly number[]) => shares.map((share, index) => ({ phase: `p${index}`, share }));

  it("[S0-LT-01] what does not fit into the rest is left out", () => {
    expect(allowanceFor("checkpoint", 2_000, { ...so, usedMs: 1_500 })).toEqual({
      type: "skip",
      reason: "1500 ms are left of this phase",
    });
    expect(allowanceFor("checkpoint", 2_000, { ...so, usedMs: 1_000 })).toEqual({ type: "run", timeoutMs: 2_000 });
  });

  it("[S0-LT-04] [S1-AT-01] [S1-AT-02] after a phase above 80 %, not at 80 %", () => {
    const types = [0.85, 0.8, 0.6].map(
      (share) => allowanceFor("checkpoint", 2_000, { ...so, earlier: after(share) }).type,
    );
    expect(types).toEqual(["skip", "run", "run"]);
  });

  it("[S1-AT-03] [S1-AT-04] only what is optional", () => {
    const type = (operation: string) =>
      allowanceFor(operation, 1_000, { ...so, usedMs: 9_000, earlier: after(0.99) }).type;
    expect(["checkpoint", "metrics_log", "summary_update"].map(type)).toEqual(["skip", "skip", "skip"]);
    expect(["worklog_init", "worklog_finalize", "verification", "other"].map(type)).toEqual([
      "run",
      "run",
      "run",
      "run",
    ]);
  });

  it("[S1-AT-05] [S1-AT-06] the phase that was recorded last decides", () => {
    expect(allowanceFor("checkpoint", 2_000, { ...so, earlier: after(0.9, 0.5) }).type).toBe("run");
    expect(allowanceFor("checkpoint", 2_000, so).type).toBe("run");
  });

  it("[S1-AT-07] a skip is no timeout of nothing (C-27)", () => {
    expect(allowanceFor("checkpoint", 2_000, { ...so, earlier: after(0.9) })).not.toHaveProperty("timeoutMs");
    expect(allowanceFor("checkpoint", 2_000, { ...so, earlier: after(0.5) })).toEqual({
      type: "run",
      timeoutMs: 2_000,
    });
  });
});
