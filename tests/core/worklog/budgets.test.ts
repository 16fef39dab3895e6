import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../../../src/core/policy.ts";
import { fittingProgress } from "../../../src/core/worklog/progress.ts";
import { allowanceFor, trend, usedAfter } from "../../../src/core/worklog/time-budget.ts";
import {
  hasReachedWarning,
  isWithinBound,
  noTokens,
  operationBounds,
  tokenBound,
  utilisation,
  weightedMean,
  withTokens,
} from "../../../src/core/worklog/tokens.ts";

const used = (tier: string, total: number) => withTokens(noTokens(tier), "append", total);

describe("tokens that reach a model", () => {
  it("[S1-TM-01] are counted by operation", () => {
    expect(withTokens(used("STRICT", 20), "append", 20)).toMatchObject({ byOperation: { append: 40 }, total: 40 });
  });

  it("[S0-TK-01] [S1-TM-02] have a bound by tier", () => {
    const tiers = ["STRICT", "STANDARD", "LIGHT", "EXEMPT"];
    expect(tiers.map(tokenBound)).toEqual([750, 300, 60, 0]);
  });

  it.each([
    ["STRICT", 750, true],
    ["STRICT", 751, false],
    ["STANDARD", 300, true],
    ["STANDARD", 301, false],
    ["X", 1, false],
    ["toString", 1, false],
  ] as const)("[S1-TM-03] [S1-TM-07] %s with %d is within: %s", (tier, total, expected) => {
    expect(isWithinBound(used(tier, total))).toBe(expected);
  });

  it("[S1-TM-04] are a share of the bound (C-23)", () => {
    expect(utilisation(used("STRICT", 375))).toBe(0.5);
    expect(utilisation(noTokens("EXEMPT"))).toBe(0);
    expect(utilisation(used("EXEMPT", 10))).toBe(Number.POSITIVE_INFINITY);
  });

  it("[S0-TK-03] [S1-TM-05] cost 270 a goal in the usual mix, and in a mix that is given what it says", () => {
    expect([weightedMean(null), weightedMean({})]).toEqual([270, 270]);
    expect(weightedMean({ STRICT: 0.5 })).toBe(375);
  });

  it("[S1-TM-06] are warned of once, at 80 %", () => {
    const share = defaultPolicy.worklog.tokenWarningShare;
    expect(hasReachedWarning(used("STRICT", 0), used("STRICT", 599), share)).toBe(false);
    expect(hasReachedWarning(used("STRICT", 599), used("STRICT", 600), share)).toBe(true);
    expect(hasReachedWarning(used("STRICT", 600), used("STRICT", 700), share)).toBe(false);
  });

  it("[S0-WI-06] [S0-OL-14] opening costs at most 75, a line at most 30, all of it at most what the tier may", () => {
    const words = (text: string): string[] => text.split(" ");
    const tokenizer = {
      count: (text: string) => words(text).length,
      cut: (text: string, most: number) => words(text).slice(0, most).join(" "),
    };
    const told = fittingProgress([words("a ".repeat(31).trim()).join(" "), "b"], "LIGHT", tokenizer);
    const { open = 0, entry = 0 } = told?.tokens.byOperation ?? {};

    expect(open).toBeLessThanOrEqual(operationBounds.open);
    expect(words(told?.lines[1] ?? "")).toHaveLength(30);
    expect([open + entry, told?.tokens.total]).toEqual([open + 31, open + 31]);
    expect(told?.lines).toHaveLength(3);
    const many = Array.from({ length: 99 }, () => "a ".repeat(30).trim());
    const least = fittingProgress(many, "STANDARD", tokenizer);
    expect(least?.tokens.total).toBeLessThanOrEqual(300);
    expect(least?.tokens.total).toBeGreaterThan(270);
    expect(fittingProgress(many, "EXEMPT", tokenizer)).toBeNull();
    expect([operationBounds.open, operationBounds.entry]).toEqual([75, 30]);
  });

  it("[S0-WI-06] [S0-OL-14] are cut where a tokenizer makes more of them: here every letter is one", () => {
    const letters = { count: (text: string) => text.length, cut: (text: string, most: number) => text.slice(0, most) };
    const lines = ["a".repeat(20), "b".repeat(30), "c".repeat(31)];
    const told = fittingProgress(lines, "STRICT", letters);

    expect(told?.lines.map((line) => line.length)).toEqual([75, 20, 30, 30]);
    expect(told?.tokens).toMatchObject({ byOperation: { open: 75, entry: 80 }, total: 155 });
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

  it("[S0-LT-03] what is put into memory uses none of it", () => {
    let usedMs = 0;
    for (let times = 0; times < 50; times += 1) usedMs = usedAfter(usedMs, "append", 100);
    expect(3_000 - usedMs).toBe(3_000);
    expect(3_000 - usedAfter(usedMs, "stored", 100)).toBe(2_900);
  });

  it("[S0-LT-04] [S1-AT-01] [S1-AT-02] after a phase above 80 %, not at 80 %", () => {
    const types = [0.85, 0.8, 0.6].map(
      (share) => allowanceFor("checkpoint", 2_000, { ...so, earlier: after(share) }).type,
    );
    expect(types).toEqual(["skip", "run", "run"]);
    expect(defaultPolicy.worklog.adaptiveShare).toBe(0.8);
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

  it("[S1-AT-09] a trend is read from the last three", () => {
    expect(trend(after(0.5, 0.7, 0.9))).toBe("rising");
    expect(trend(after(0.9, 0.1, 0.5, 0.5, 0.45))).toBe("flat");
    expect(trend(after(0.9, 0.5))).toBe("falling");
    expect(trend(after(0.9))).toBeNull();
  });
});
