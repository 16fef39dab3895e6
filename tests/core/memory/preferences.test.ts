import { describe, expect, it } from "vitest";
import type { CheckpointKind } from "../../../src/core/checkpoints/checkpoint.ts";
import { withHelp, goalOptions } from "../../../src/core/checkpoints/options.ts";
import type { Trigger } from "../../../src/core/checkpoints/triggers.ts";
import {
  type WeightChange,
  confidenceOf,
  moved,
  newWeight,
  type PreferenceKey,
  preferenceLevel,
  readWeight,
  signalsOf,
  type Weight,
  weightsBefore,
} from "../../../src/core/memory/preferences.ts";
import { learntWords, markLearnt, type Precedent } from "../../../src/core/memory/recommend.ts";

const after = (...directions: number[]): Weight => directions.reduce(moved, newWeight);
const times = (count: number, direction: number): Weight => after(...Array.from({ length: count }, () => direction));

describe("what an answer says", () => {
  it.each<[string, Trigger, string, Record<string, number>]>([
    ["S4-PL-02", "cost_single", "Proceed", { cost_tolerance: 100 }],
    ["S4-PL-02", "cost_single", "Skip", { cost_tolerance: -100 }],
    ["S4-PL-03", "cost_cumulative", "Proceed", { daily_cost_tolerance: 100 }],
    ["S4-PL-03", "cost_cumulative", "Skip", { daily_cost_tolerance: -100 }],
    ["S4-PL-04", "architecture", "Proceed", { risk_tolerance: 50 }],
    ["S4-PL-04", "ux_change", "Pause", { risk_tolerance: -50 }],
    ["S4-PL-05", "hiccup", "Retry", { retry_tolerance: 100 }],
    ["S4-PL-05", "hiccup", "Skip", { skip_tendency: 100 }],
    ["S4-PL-05", "hiccup", "Manual", { manual_preference: 100 }],
  ])("[%s] %s and %s: %o", (_, trigger, choice, signals) => {
    expect(Object.fromEntries(signalsOf(trigger, choice))).toEqual(signals);
  });

  it("Modify on any trigger is a wish for something else, and nothing more [S4-PL-06, S4-PL-07, C-77]", () => {
    for (const trigger of ["cost_single", "ux_change", "hiccup", "scope_change"] as const)
      expect(Object.fromEntries(signalsOf(trigger, "Modify"))).toEqual({ modification_tendency: 100 });
    expect(signalsOf("scope_change", "Proceed").size).toBe(0);
    expect(Object.fromEntries(signalsOf("scope_change", "Modify", "plan"))).toEqual({ modification_tendency: 100 });
    for (const kind of ["ceiling", "money"] as const)
      for (const choice of ["Proceed", "Skip", "Stop", "Modify"])
        expect(signalsOf("cost_cumulative", choice, kind).size).toBe(0);
  });

  it("Skip says what to do when work fails only where work failed, also of a goal that is asked about before it starts again [S4-PL-05]", () => {
    for (const kind of ["start", "escalation", "hiccup"] as const)
      expect(Object.fromEntries(signalsOf("hiccup", "Skip", kind))).toEqual({ skip_tendency: 100 });
    for (const kind of ["permission", "proof", "critics", "approval", "clarify", "breaker"] as const)
      expect(signalsOf("hiccup", "Skip", kind).size, kind).toBe(0);
  });
});

describe("a weight", () => {
  it("begins neutral and unsure [S4-PL-01]", () => {
    expect([newWeight.valueMilli, confidenceOf(newWeight), newWeight.samples]).toEqual([500, 0, 0]);
    expect(after(100)).toEqual({ valueMilli: 600, samples: 1 });
    expect(confidenceOf(after(100))).toBeCloseTo(0.2, 10);
  });

  it("moves by at most 0.1 and stays within 0 and 1 [S4-PL-08, S4-PL-09]", () => {
    expect(after(700).valueMilli).toBe(600);
    expect(after(-700).valueMilli).toBe(400);
    expect(times(6, 100).valueMilli).toBe(1000);
    expect(times(6, -100).valueMilli).toBe(0);
  });

  it("is sure after five answers, and read from three on [S4-PL-10, S4-PL-11]", () => {
    expect([3, 5, 9].map((samples) => confidenceOf({ ...newWeight, samples }))).toEqual([0.6, 1, 1]);
    expect(readWeight(times(2, 100))).toBe(0.5);
    expect(readWeight(times(3, 100))).toBe(0.8);
    expect(readWeight(undefined)).toBe(0.5);
  });

  it("is high above 0.6, low below 0.4, and nothing while too little is known [S4-PL-12]", () => {
    expect([400, 600].map((valueMilli) => preferenceLevel({ valueMilli, samples: 3 }))).toEqual(["neutral", "neutral"]);
    expect(preferenceLevel({ valueMilli: 800, samples: 3 })).toBe("high");
    expect(preferenceLevel({ valueMilli: 300, samples: 3 })).toBe("low");
    expect(preferenceLevel({ valueMilli: 800, samples: 2 })).toBeNull();
  });

  it("is what it was before a change: before the first of the changes from there on", () => {
    const change = (changeNo: number, key: PreferenceKey, was: Weight, now: Weight): WeightChange => ({
      changeNo,
      key,
      was,
      now,
    });
    const changes = [
      change(1, "cost_tolerance", newWeight, after(100)),
      change(2, "risk_tolerance", newWeight, after(50)),
      change(3, "cost_tolerance", after(100), after(100, 100)),
    ];

    expect([...weightsBefore(changes, 2)]).toEqual([
      ["risk_tolerance", newWeight],
      ["cost_tolerance", after(100)],
    ]);
  });
});

describe("what a card recommends", () => {
  const said = (choice: string, notes: string | null = null): Precedent => ({ choice, by: "ana", notes });
  const recommended = (
    kind: CheckpointKind & ("start" | "escalation" | "permission" | "proof" | "ceiling"),
    trigger: Trigger,
    weights: Partial<Record<PreferenceKey, Weight>>,
    precedents: readonly Precedent[] = [],
  ) => {
    const options = goalOptions(kind, [{ trigger, context: "" }]);
    const learnt = { weights: new Map(Object.entries(weights) as [PreferenceKey, Weight][]), precedents };
    const marked = markLearnt(kind, trigger, options, learnt);
    expect(marked.map((each) => each.label).toSorted()).toEqual(options.map((each) => each.label).toSorted());
    expect(marked.filter((each) => each.isRecommended).length).toBe(1);
    return marked.map((each) => (each.isRecommended ? `${each.label}!` : each.label));
  };
  const usual = ["Proceed!", "Skip", "Modify", "Pause"];

  it("becomes what people choose instead, once they have clearly said no; that choice comes first", () => {
    const skips = [said("Skip"), said("Pause"), said("Skip")];

    expect(recommended("start", "cost_single", { cost_tolerance: times(3, -100) }, skips)).toEqual([
      "Skip!",
      "Proceed",
      "Modify",
      "Pause",
    ]);
    expect(recommended("start", "cost_single", { cost_tolerance: times(2, -100) }, skips)).toEqual(usual);
    expect(recommended("start", "cost_single", { cost_tolerance: after(-100, -100, 100) }, skips)).toEqual(usual);
    expect(recommended("start", "ux_change", { cost_tolerance: times(5, -100) }, skips)).toEqual(usual);
    expect(recommended("start", "scope_change", { cost_tolerance: times(5, -100) }, skips)).toEqual(usual);
  });

  it("at a ladder's end is what people clearly prefer; two that are alike change nothing", () => {
    expect(recommended("escalation", "hiccup", { retry_tolerance: times(3, 100) })).toEqual([
      "Retry!",
      "Skip",
      "Manual",
    ]);
    expect(
      recommended("escalation", "hiccup", { retry_tolerance: times(3, 100), manual_preference: times(3, 100) }),
    ).toEqual(["Retry", "Skip!", "Manual"]);
  });

  it("at a ladder's end is no learnt one where what helps is known: a refused push, a fixed command", () => {
    const learnt = { weights: new Map([["skip_tendency", times(9, 100)]] as const), precedents: [] };
    for (const options of [
      withHelp(goalOptions("escalation", []), { type: "push" }),
      goalOptions("escalation", [], true),
    ])
      expect(markLearnt("escalation", "hiccup", options, learnt)).toEqual(options);
  });

  it("stays where an answer widens what is allowed, counts as proof, or is about a ceiling", () => {
    const all = Object.fromEntries(
      ["cost_tolerance", "daily_cost_tolerance", "risk_tolerance", "retry_tolerance", "skip_tendency"].flatMap(
        (key) => [[key, times(9, 100)]],
      ),
    );

    expect(recommended("permission", "architecture", all)[3]).toBe("Pause!");
    expect(recommended("proof", "hiccup", all)[1]).toBe("Send back!");
    expect(recommended("ceiling", "cost_cumulative", all)[1]).toBe("Skip!");
  });

  it("says what was learnt: how often, and why it was not the last time", () => {
    const options = goalOptions("start", [{ trigger: "ux_change", context: "" }]);
    const nine = Array.from({ length: 9 }, () => said("Proceed"));
    const words = (precedents: readonly Precedent[]) => learntWords(options, { weights: new Map(), precedents });

    expect(words([...nine, said("Modify", "not on Fridays")])).toBe(
      "Proceed was chosen for 9 of the last 10 like it; the last that was not got Modify from ana: “not on Fridays”.",
    );
    expect(words(nine)).toBe("Proceed was chosen for all of the last 9 like it.");
    expect(words([said("Proceed")])).toBe("Proceed was chosen for the last one like it.");
    expect(words([said("Modify", "smaller")])).toBe("the last one like it got Modify from ana: “smaller”.");
    expect(words([said("Skip"), said("Modify")])).toBe(
      "Proceed was chosen for none of the last 2 like it; the last got Skip from ana.",
    );
    expect(words([])).toBe("nothing like it has been decided here yet.");
  });
});
