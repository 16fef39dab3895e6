import { describe, expect, it } from "vitest";
import { withHelp, goalOptions } from "../../src/core/checkpoints/options.ts";
import { contextOf, diffReason, reasonsOf, recommendationOf } from "../../src/core/checkpoints/question.ts";
import { ladderContext } from "../../src/core/recovery/ladder-context.ts";
import type { Trigger } from "../../src/core/checkpoints/triggers.ts";
import { dollars } from "../../src/core/money.ts";
import type { Learnt } from "../../src/core/memory/recommend.ts";
import { defaultPolicy } from "../../src/core/policy.ts";

const nothingLearnt: Learnt = { weights: new Map(), precedents: [] };

const subject = { content: "Add dark mode", estimateMicroUsd: null, errorCount: 2, recoveryLevel: 1 };

describe("the words of a question", () => {
  it.each<[Trigger, string]>([
    ["ux_change", "About to make user-facing changes: Add dark mode"],
    ["cost_cumulative", "Daily spending has exceeded $15.00. Next action: Add dark mode"],
    ["architecture", "This involves architectural changes: Add dark mode"],
    ["scope_change", "This goal was not in the original plan: Add dark mode"],
    ["hiccup", "Encountered an unexpected situation: Add dark mode. Error count: 2, Recovery level: 1"],
  ])("%s, also without an estimate [S4-CK-11, S4-CK-12]", (trigger, words) => {
    expect(contextOf(trigger, subject, defaultPolicy)).toBe(words);
  });

  it("an estimate is said with two decimals [S4-CK-11]", () => {
    expect(contextOf("cost_single", { ...subject, estimateMicroUsd: dollars(8) }, defaultPolicy)).toBe(
      "This action is estimated to cost $8.00: Add dark mode",
    );
  });

  it("four choices in their order, Proceed recommended [S4-CK-13, S4-CK-04]", () => {
    const options = goalOptions("start", reasonsOf(["ux_change"], subject, defaultPolicy));

    expect(options).toEqual([
      { label: "Proceed", description: "Approve this action and continue", effect: "continue", isRecommended: true },
      { label: "Skip", description: "Skip this goal and move to the next one", effect: "skip", isRecommended: false },
      { label: "Modify", description: "I'll provide adjusted instructions", effect: "modify", isRecommended: false },
      { label: "Pause", description: "Pause the session for manual review", effect: "pause", isRecommended: false },
    ]);
  });

  it("Modify offers no instructions where a fixed command would take none", () => {
    const reasons = reasonsOf(["ux_change"], subject, defaultPolicy);
    const [ofAgent, ofCommand] = [false, true].map((runs) => goalOptions("start", reasons, runs)[2]?.description);

    expect(ofAgent).toContain("instructions");
    expect(ofCommand).toBe("I'll give other criteria or another budget");
  });

  it("Proceed tries again what was interrupted: there is no action to approve", () => {
    const [proceed] = goalOptions("hiccup", reasonsOf(["hiccup"], subject, defaultPolicy));

    expect(proceed?.description).toBe("Try again");
  });

  it("where something is wrong, Pause is recommended and nothing else [S4-CK-13]", () => {
    const options = goalOptions("start", reasonsOf(["hiccup", "ux_change"], subject, defaultPolicy));

    expect(options.filter((option) => option.isRecommended).map((option) => option.label)).toEqual(["Pause"]);
  });

  it("the recommendation agrees with the reasons and claims nothing that nobody has decided [S4-CK-14, D52]", () => {
    const said = (trigger: Trigger) => {
      const reasons = reasonsOf([trigger], subject, defaultPolicy);
      const options = goalOptions("start", reasons);
      return recommendationOf({ kind: "start", reasons, options, learnt: nothingLearnt });
    };

    expect(said("ux_change")).toBe("Proceed - nothing like it has been decided here yet.");
    expect(said("hiccup")).toBe("Pause - something unexpected happened: look at it before it goes on.");
  });

  it("the recommendation names its choice once, also where people always chose it", () => {
    const reasons = reasonsOf(["ux_change"], subject, defaultPolicy);
    const options = goalOptions("start", reasons);
    const precedents = [{ choice: "Proceed", by: "ana", notes: null }];
    const learnt = { weights: new Map(), precedents };

    const words = recommendationOf({ kind: "start", reasons, options, learnt });

    expect(words).toBe("Proceed - chosen for the last one like it.");
  });

  it("a question about a result names the files, five at most", () => {
    expect(diffReason("ux_change", ["a.css", "b.css"]).context).toBe(
      "The finished work changed user-facing files: a.css, b.css",
    );
    expect(diffReason("architecture", ["1", "2", "3", "4", "5", "6", "7"]).context).toBe(
      "The finished work changed files that others depend on: 1, 2, 3, 4, 5 and 2 more",
    );
  });
});

describe("the words at a ladder's end", () => {
  it("say what failed; Retry, Skip and Manual are offered, and Skip is recommended [S4-RM-10, S4-RM-11, D52]", () => {
    const given = { content: "Write the note", error: "the agent ran out of tokens: boom" };
    const context = ladderContext({ ...given, isNotPushed: false, runs: null });
    const options = goalOptions("escalation", []);

    expect(context).toBe(
      "Recovery failed after 4 levels. Goal: Write the note. Error: the agent ran out of tokens: boom",
    );
    expect(options.map((each) => [each.label, each.description, each.isRecommended])).toEqual([
      ["Retry", "Try again with fresh context", false],
      ["Skip", "Skip this goal", true],
      ["Manual", "I'll handle this manually", false],
    ]);
    const reasons = [{ trigger: "hiccup", context } as const];
    expect(recommendationOf({ kind: "escalation", reasons, options, learnt: nothingLearnt })).toBe(
      "Skip - nothing more is tried before somebody decides.",
    );
  });

  it("name the push where the work is done", () => {
    const context = ladderContext({ isNotPushed: true, runs: null, content: "Build", error: "not pushed" });
    expect(context).toBe("Its push failed. Goal: Build. Error: not pushed");
  });

  it("count the runs of a fixed command, which climbed no levels (D50)", () => {
    expect(
      ladderContext({ isNotPushed: false, runs: "run twice, failed twice", content: "Build", error: "exit code 3" }),
    ).toBe("The command was run twice, failed twice. Goal: Build. Error: exit code 3");
  });
});

describe("where only a push was refused", () => {
  const recommended = (labels: readonly string[]): string | undefined =>
    withHelp(
      goalOptions("escalation", []).filter(({ label }) => labels.includes(label)),
      { type: "push" },
    ).find(({ isRecommended }) => isRecommended)?.label;

  it("Retry is recommended, and what is usual where nothing is retried any more", () => {
    expect(recommended(["Retry", "Skip", "Manual"])).toBe("Retry");
    expect(recommended(["Skip", "Manual"])).toBe("Skip");
  });
});
