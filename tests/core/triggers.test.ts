import { describe, expect, it } from "vitest";
import { diffTriggers, firedTriggers, type TriggerFacts, triggers } from "../../src/core/checkpoints/triggers.ts";
import { dollars } from "../../src/core/money.ts";
import { defaultPolicy } from "../../src/core/policy.ts";

const quiet: TriggerFacts = {
  tags: [],
  estimateMicroUsd: null,
  spentTodayMicroUsd: 0,
  isUnplanned: false,
  errorCount: 0,
  recoveryLevel: 0,
  isHiccup: false,
};

function fired(facts: Partial<TriggerFacts>): string[] {
  return firedTriggers({ ...quiet, ...facts }, defaultPolicy);
}

describe("what makes a goal ask", () => {
  it.each(["ui", "ux", "frontend", "user-facing", "screen", "flow", "UI", "FrontEnd"])(
    "the tag %s is a user-facing change [S4-TG-01]",
    (tag) => {
      expect(fired({ tags: ["backend", tag] })).toEqual(["ux_change"]);
    },
  );

  it.each([
    ["Front-End", "ux_change"],
    ["user_facing", "ux_change"],
    ["User Facing", "ux_change"],
    ["ＵＩ", "ux_change"],
    ["ＣＯＲＥ", "architecture"],
    ["re-factor", "architecture"],
  ])("the tag %s is compared by its letters [S4-TG-01, S4-TG-04]", (tag, trigger) => {
    expect(fired({ tags: [tag] })).toEqual([trigger]);
  });

  it("tags of a policy may be written in any case as well [S4-TG-01, S4-TG-04]", () => {
    const own = {
      ...defaultPolicy,
      triggers: { ...defaultPolicy.triggers, uxTags: ["Design"], architectureTags: ["DB"] },
    };

    expect(firedTriggers({ ...quiet, tags: ["design", "db"] }, own)).toEqual(["ux_change", "architecture"]);
  });

  it.each(["build", "quid", "workflow", "core-js", "ui2", "suite", "fluxx", ""])(
    "another tag is none: %j [S4-TG-01, S4-TG-04]",
    (tag) => {
      expect(fired({ tags: [tag] })).toEqual([]);
    },
  );

  it("a goal without tags is asked about for none [S4-TG-01, S4-TG-09]", () => {
    expect(fired({ tags: ["backend"] })).toEqual([]);
    expect(fired({})).toEqual([]);
  });

  it.each([
    [null, []],
    [0, []],
    [5, []],
    [5.000001, ["cost_single"]],
    [5.01, ["cost_single"]],
  ])("an estimate of %s USD fires %j [S4-TG-02]", (usd, expected) => {
    expect(fired({ estimateMicroUsd: usd === null ? null : dollars(usd) })).toEqual(expected);
  });

  it.each([
    [15, []],
    [15.000001, ["cost_cumulative"]],
    [15.01, ["cost_cumulative"]],
  ])("a day that cost %s USD fires %j [S4-TG-03]", (usd, expected) => {
    expect(fired({ spentTodayMicroUsd: dollars(usd) })).toEqual(expected);
  });

  it.each(["architecture", "Refactor", "core", "infrastructure", "breaking"])(
    "the tag %s is architecture [S4-TG-04]",
    (tag) => {
      expect(fired({ tags: [tag] })).toEqual(["architecture"]);
    },
  );

  it("what was not planned is a change of scope [S4-TG-05]", () => {
    expect(fired({ isUnplanned: true })).toEqual(["scope_change"]);
  });

  it.each([
    [{ errorCount: 1 }, ["hiccup"]],
    [{ recoveryLevel: 1 }, []],
    [{ recoveryLevel: 2 }, ["hiccup"]],
    [{ isHiccup: true }, ["hiccup"]],
    [{ errorCount: 1, recoveryLevel: 2, isHiccup: true }, ["hiccup"]],
  ])("%j fires %j, once [S4-TG-06, S4-TG-08]", (facts, expected) => {
    expect(fired(facts)).toEqual(expected);
  });

  it("all reasons come in their order [S4-TG-07, S4-TG-10]", () => {
    expect(fired({ tags: ["ui"], isUnplanned: true, errorCount: 1 })).toEqual(["hiccup", "ux_change", "scope_change"]);
    expect([...triggers]).toEqual([
      "hiccup",
      "ux_change",
      "cost_single",
      "cost_cumulative",
      "architecture",
      "scope_change",
    ]);
  });

  it("the thresholds are the policy's [S4-TG-11]", () => {
    const policy = { ...defaultPolicy, thresholds: { singleMicroUsd: dollars(10), dayMicroUsd: dollars(15) } };

    expect(firedTriggers({ ...quiet, estimateMicroUsd: dollars(8) }, policy)).toEqual([]);
  });
});

describe("what makes finished work ask", () => {
  it.each([
    [["src/price.ts"], []],
    [["src/app.css"], ["ux_change"]],
    [["src/components/Button.ts"], ["ux_change"]],
    [["migrations/0001.sql"], ["architecture"]],
    [
      ["package.json", "web/index.html"],
      ["ux_change", "architecture"],
    ],
    [[".github/workflows/ci.yml"], ["architecture"]],
  ])("%j fires %j", (files, expected) => {
    expect(diffTriggers(files, defaultPolicy).map((each) => each.trigger)).toEqual(expected);
  });

  it("names the files behind each reason", () => {
    expect(diffTriggers(["a.css", "b.ts"], defaultPolicy)).toEqual([{ trigger: "ux_change", files: ["a.css"] }]);
  });
});
