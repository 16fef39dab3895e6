import { describe, expect, it } from "vitest";
import {
  chunkLength,
  chunksOf,
  type Critic,
  criticsOf,
  failedScore,
  type Score,
  together,
  verdictOf,
} from "../../../src/core/critics/critic.ts";

const says = (critic: Critic, isApproved: boolean, score = 0.8, issues: readonly string[] = []): Score => ({
  critic: critic.name,
  focus: critic.focus,
  score,
  isApproved,
  issues,
  suggestions: [],
  reasoning: "",
  by: "test",
});

const about = { type: "code", id: "a.ts" } as const;

describe("the critics", () => {
  it("are three for a spec, two for code, two for tests, by name [S4-VL-01, S4-VL-12]", () => {
    expect(criticsOf("spec").map((each) => each.name)).toEqual([
      "SpecCritic-completeness",
      "SpecCritic-feasibility",
      "SpecCritic-security",
    ]);
    expect(criticsOf("code").map((each) => each.name)).toEqual(["CodeCritic-style", "CodeCritic-security"]);
    expect(criticsOf("test").map((each) => each.name)).toEqual(["TestCritic-coverage", "TestCritic-edge_cases"]);
  });

  it("only those of security have a veto [S4-VL-02]", () => {
    const all = [...criticsOf("spec"), ...criticsOf("code"), ...criticsOf("test")];

    expect(all.filter((each) => each.hasVeto).map((each) => each.focus)).toEqual(["security", "security"]);
    expect(all.filter((each) => each.weightMilli !== 1000).map((each) => each.name)).toEqual(["CodeCritic-style"]);
  });
});

describe("their verdict", () => {
  const spec = criticsOf("spec");
  const [completeness, feasibility, security] = spec as [Critic, Critic, Critic];
  const equal = criticsOf("code", new Map([["CodeCritic-style", 1000]])) as [Critic, Critic];

  it("is blocked by security whatever the others say, and names its issues only [S4-VL-03]", () => {
    const scores = [
      says(completeness, true, 0.9, ["short"]),
      says(feasibility, true, 0.9),
      says(security, false, 0, ["a key"]),
    ];

    expect(verdictOf({ type: "spec", id: "s" }, spec, scores)).toMatchObject({
      isApproved: false,
      isVetoed: true,
      needsPerson: true,
      blockingIssues: ["a key"],
      issues: ["short"],
      summary: "BLOCKED: Security concerns require human review",
    });
  });

  it("needs 60 % of the weight otherwise [S4-VL-04, S4-VL-07]", () => {
    const two = [says(completeness, true), says(feasibility, false, 0.8, ["unclear"]), says(security, true)];
    const approved = verdictOf({ type: "spec", id: "s" }, spec, two);
    const half = verdictOf(about, equal, [says(equal[0], false, 0.4, ["long"]), says(equal[1], true)]);

    expect([approved.isApproved, approved.needsPerson]).toEqual([true, false]);
    expect([half.isApproved, half.needsPerson]).toEqual([false, true]);
    // What does not block is said and does not block (C-91).
    expect([approved.blockingIssues, approved.issues]).toEqual([[], ["unclear"]]);
    expect(half.blockingIssues).toEqual(["long"]);
    const [coverage, edges] = criticsOf("test") as [Critic, Critic];
    const approves = (weightMilli: number) => {
      const weighed = [
        { ...coverage, weightMilli },
        { ...edges, weightMilli: 1000 - weightMilli },
      ];
      return verdictOf({ type: "test", id: "t" }, weighed, [says(coverage, true), says(edges, false)]).isApproved;
    };
    expect([599, 600].map(approves)).toEqual([false, true]);
  });

  it("counts weights; a complaint about style alone does not stop code [S4-VL-11, C-92]", () => {
    const [style, safe] = criticsOf("code") as [Critic, Critic];
    const heavy = [{ ...style, weightMilli: 3000 }, safe];

    expect(verdictOf(about, [style, safe], [says(style, false), says(safe, true)]).isApproved).toBe(true);
    expect(verdictOf(about, heavy, [says(style, false), says(safe, true)]).isApproved).toBe(false);
  });

  it("says how sure they are, or what they are concerned about [S4-VL-05, S4-VL-06]", () => {
    const test = criticsOf("test") as [Critic, Critic];
    const said = (isApproved: boolean, ...scores: [number, number]) =>
      verdictOf({ type: "test", id: "t" }, test, [
        says(test[0], isApproved, scores[0]),
        says(test[1], isApproved, scores[1]),
      ]);

    expect(said(true, 0.8, 0.8).summary).toBe("APPROVED by consensus (avg score: 0.80)");
    expect(said(false, 0.4, 0.5).summary).toBe("NEEDS REVIEW: concerns in coverage, edge_cases (avg: 0.45)");
    // Thin tests are a person's, also approved ones [S4-VL-14].
    expect([said(true, 0.7, 1).needsPerson, said(true, 0.8, 1).needsPerson]).toEqual([true, false]);
  });

  it("of parts is the worst of them; a critic without a usable answer has not approved [S4-VL-10, S4-VL-15]", () => {
    const parts = together([says(security, true, 0.9), says(security, false, 0.2, ["x"]), says(security, true, 0.7)]);

    expect(parts).toMatchObject({ isApproved: false, score: 0.2, issues: ["x"] });
    expect(failedScore(security, "malformed answer", "m")).toMatchObject({
      isApproved: false,
      issues: ["critic failed: malformed answer"],
    });
    expect(together([])).toBeNull();
  });
});

describe("what a critic reads at once", () => {
  it("never halves a character where a line is longer than that", () => {
    const text = `${"x".repeat(chunkLength - 1)}${"🎉".repeat(3_000)}`;

    const chunks = chunksOf(text) ?? [];

    expect(chunks.map((each) => each.isWellFormed())).toEqual([true, true, true]);
    expect(chunks.join("")).toBe(text);
  });

  it("is at most 4000 characters, all of it in the end, and nothing when it is too much [S4-VL-10, C-91]", () => {
    const text = `${"a line of text\n".repeat(700)}${"x".repeat(9000)}`;

    const chunks = chunksOf(text) ?? [];

    expect(chunks.join("")).toBe(text);
    expect(Math.max(...chunks.map((each) => each.length))).toBeLessThanOrEqual(chunkLength);
    expect(chunksOf("")).toEqual([""]);
    expect(chunksOf("x".repeat(200_000))).toBeNull();
    const longest = "x".repeat(25 * chunkLength);
    expect(chunksOf(longest)).toHaveLength(25);
    expect(chunksOf(`${longest}x`)).toBeNull();
  });
});
