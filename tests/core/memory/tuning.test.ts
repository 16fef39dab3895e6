import { describe, expect, it } from "vitest";
import {
  isCurrent,
  policyDiffLines,
  proposeTuning,
  reasonWords,
  thresholdsWith,
  type TunedTrigger,
  type TuningOutcome,
} from "../../../src/core/memory/tuning.ts";
import { dollars, toUsd } from "../../../src/core/money.ts";
import { defaultPolicy } from "../../../src/core/policy.ts";

const { thresholds } = defaultPolicy;

/** `y` went on and ended well, `b` went on and ended badly, `r` went on and still runs, `n` was not let on. */
function told(letters: string, trigger: TunedTrigger = "cost_single"): TuningOutcome[] {
  return letters.split("").map((letter) => ({
    trigger,
    wentOn: letter !== "n",
    endedWell: letter === "y" ? true : letter === "b" ? false : null,
  }));
}

const proposedUsd = (letters: string, trigger?: TunedTrigger, from = thresholds) =>
  proposeTuning(told(letters, trigger), from, defaultPolicy).map(({ change }) => [
    change.key,
    toUsd(change.wasMicroUsd),
    toUsd(change.nowMicroUsd),
  ]);

describe("what outcomes propose", () => {
  it.each<[string, string, unknown[]]>([
    ["too few answers: nothing", "yyyy", []],
    ["all went on and ended well: ask less", "yyyyy", [["thresholds.singleMicroUsd", 5, 6]]],
    ["nine of ten: ask less", "yyyyyyyyyn", [["thresholds.singleMicroUsd", 5, 6]]],
    ["eight of ten: as it is", "yyyyyyyynn", []],
    ["went on, too few have ended to say how: as it is", "yyyyrrrr", []],
    ["went on and one in five ended badly: as it is", "yyyyb", []],
    ["went on and most ended badly: ask more", "ybbbb", [["thresholds.singleMicroUsd", 5, 4]]],
    ["fewer than half went on: ask more", "yynnn", [["thresholds.singleMicroUsd", 5, 4]]],
    ["half went on: as it is", "yyynnn", []],
  ])("%s", (_, letters, expected) => {
    expect(proposedUsd(letters)).toEqual(expected);
  });

  it("is about each threshold by itself, and about nothing else", () => {
    expect(proposedUsd("yyyyy", "cost_cumulative")).toEqual([["thresholds.dayMicroUsd", 15, 18]]);
    const both = proposeTuning([...told("yyyyy"), ...told("nnnnn", "cost_cumulative")], thresholds, defaultPolicy);

    expect(policyDiffLines(both.map((each) => each.change))).toEqual([
      "- thresholds.singleMicroUsd: $5.00",
      "+ thresholds.singleMicroUsd: $6.00",
      "- thresholds.dayMicroUsd: $15.00",
      "+ thresholds.dayMicroUsd: $12.00",
    ]);
    expect(both.map(reasonWords)).toEqual([
      "Ask about a goal above $6.00 instead of $5.00: 5 of 5 questions went on, 5 of the 5 that ended were done and kept",
      "Ask once a day has cost above $12.00 instead of $15.00: 0 of 5 questions went on, none of those has ended",
    ]);
  });

  it("stays between a dollar and the ceiling that holds anyway", () => {
    const at = (usd: number) => ({ ...thresholds, singleMicroUsd: dollars(usd) });

    expect(proposedUsd("yyyyy", "cost_single", at(14))).toEqual([["thresholds.singleMicroUsd", 14, 15]]);
    expect(proposedUsd("yyyyy", "cost_single", at(15))).toEqual([]);
    expect(proposedUsd("yyyyy", "cost_single", at(20))).toEqual([]);
    expect(proposedUsd("nnnnn", "cost_single", at(2))).toEqual([["thresholds.singleMicroUsd", 2, 1]]);
    expect(proposedUsd("nnnnn", "cost_single", at(1))).toEqual([]);
  });
});

describe("a diff", () => {
  it("holds for the policy that it was made of only", () => {
    const [{ change } = { change: null }] = proposeTuning(told("yyyyy"), thresholds, defaultPolicy);
    const changes = change === null ? [] : [change];

    expect(isCurrent(changes, thresholds)).toBe(true);
    expect(isCurrent(changes, thresholdsWith(defaultPolicy, { "thresholds.singleMicroUsd": dollars(6) }))).toBe(false);
    expect(isCurrent(changes, thresholdsWith(defaultPolicy, { "thresholds.dayMicroUsd": dollars(6) }))).toBe(true);
  });
});
