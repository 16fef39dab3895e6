import { settledLine } from "../../src/core/cards/question-parts.ts";
import { describe, expect, it } from "vitest";
import {
  type Checkpoint,
  checkpointAddress,
  checkpointStatuses,
  parseCheckpointAddress,
} from "../../src/core/checkpoints/checkpoint.ts";
import { type Answer, answerCheckpoint, withoutChoice } from "../../src/core/checkpoints/answering.ts";
import { groupsOf } from "../../src/core/checkpoints/batch.ts";
import { briefOf } from "../../src/core/cards/brief.ts";
import { campaignQuestionCard } from "../../src/core/cards/campaign-question-card.ts";
import { plainText } from "../../src/core/cards/card.ts";
import { pausedByWords } from "../../src/core/cards/paused-words.ts";
import { groupTitle } from "../../src/core/cards/batch-actions.ts";
import { checkpointsCard } from "../../src/core/cards/lists.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { campaignOptions, goalOptions } from "../../src/core/checkpoints/options.ts";
import { reasonsOf } from "../../src/core/checkpoints/question.ts";
import { defaultPolicy } from "../../src/core/policy.ts";

const asked = new Date("2026-01-26T09:00:00Z");
const expires = new Date("2026-01-27T09:00:00Z");
const soon = new Date("2026-01-26T09:05:00Z");
const subject = { content: "Add dark mode", estimateMicroUsd: null, errorCount: 0, recoveryLevel: 0 };
const reasons = reasonsOf(["ux_change"], subject, defaultPolicy);

const open: Checkpoint = {
  checkpointId: "cp-0a1b2c3d",
  kind: "start",
  subject: "goal-1",
  goalId: "goal-1",
  campaignId: null,
  runId: "run-1",
  version: 2,
  trigger: "ux_change",
  reasons,
  context: reasons[0]?.context ?? "",
  options: goalOptions("start", reasons),
  recommendation: "",
  facts: {
    costMicroUsd: 0,
    costIsEstimated: false,
    estimateMicroUsd: null,
    spentTodayMicroUsd: 0,
    goalsWaiting: 0,
    details: [],
    fingerprint: null,
  },
  contentHash: "h",
  status: "pending",
  chosenOption: null,
  humanNotes: null,
  resolvedBy: null,
  resolvedVia: null,
  resolvedAt: null,
  createdAt: asked,
  askedAt: asked,
  remindedAt: null,
  expiresAt: expires,
  pausedBy: null,
  acknowledgedBy: null,
  acknowledgedAt: null,
  changed: null,
};

const answer: Answer = {
  choice: "Proceed",
  version: 2,
  notes: null,
  instructions: null,
  criteria: null,
  budgetMicroUsd: null,
};

describe("answering a checkpoint", () => {
  it.each([
    ["Proceed", "approved"],
    ["proceed", "approved"],
    ["Skip", "rejected"],
  ])("%s settles it as %s [S4-CK-15]", (choice, status) => {
    expect(answerCheckpoint(open, { ...answer, choice }, soon)).toMatchObject({ type: "recorded", status });
  });

  it("Modify is an approval with changes, and needs one [S4-CK-15, C-58]", () => {
    const modified = answerCheckpoint(open, { ...answer, choice: "Modify", instructions: "use B" }, soon);

    expect(modified).toMatchObject({ type: "recorded", status: "approved" });
    expect(answerCheckpoint(open, { ...answer, choice: "Modify" }, soon)).toEqual({ type: "instructions-needed" });
  });

  it("a milestone that is adjusted takes words for its goals, and no budget", () => {
    const asked: Checkpoint = { ...open, kind: "milestone", options: campaignOptions("milestone", null) };
    const adjust = { ...answer, choice: "Adjust" };

    expect(answerCheckpoint(asked, { ...adjust, instructions: "use B" }, soon).type).toBe("recorded");
    for (const words of [null, "use B"])
      expect(answerCheckpoint(asked, { ...adjust, instructions: words, budgetMicroUsd: 500_000 }, soon)).toMatchObject({
        type: "not-taken",
        instead: null,
      });
  });

  it("Pause is no answer: the question stays open", () => {
    expect(answerCheckpoint(open, { ...answer, choice: "Pause" }, soon).type).toBe("paused");
  });

  it.each(["Skip", "Pause", "Proceed"])("%s with words that would reach nobody decides nothing", (choice) => {
    for (const change of [{ instructions: "use B" }, { criteria: "- [ ] x" }, { budgetMicroUsd: 1_000_000 }]) {
      const decided = answerCheckpoint(open, { ...answer, ...change, choice }, soon);
      expect(decided).toMatchObject({ type: "not-taken", instead: "Modify" });
    }
  });

  it("a second answer changes nothing and learns who won [S4-CK-21, C-66]", () => {
    const settled: Checkpoint = {
      ...open,
      status: "approved",
      chosenOption: "Proceed",
      resolvedBy: "ana",
      resolvedAt: soon,
    };

    expect(answerCheckpoint(settled, { ...answer, choice: "Skip" }, soon)).toEqual({
      type: "already-answered",
      status: "approved",
      by: "ana",
      choice: "Proceed",
      at: soon,
    });
  });

  it.each([
    [new Date("2026-01-27T08:59:59.999Z"), "recorded"],
    [new Date("2026-01-27T09:00:00Z"), "expired"],
  ])("at %s it is %s", (now, type) => {
    expect(answerCheckpoint(open, answer, now).type).toBe(type);
  });

  it("one that was noticed late to be over was open until its deadline, not until then", () => {
    const late = new Date("2026-01-28T16:00:00Z");
    const over: Checkpoint = { ...open, status: "expired", resolvedAt: late };

    expect(answerCheckpoint(over, answer, late)).toEqual({ type: "expired", at: open.expiresAt });
    const line = settledLine(over, { expired: ["the goal is parked."], withdrawn: "" });
    expect(JSON.stringify(line)).toContain(`{"at":"${open.expiresAt.toISOString()}"}`);
    expect(JSON.stringify(line)).not.toContain(late.toISOString());
  });

  it("an answer to an older version is refused with the new one", () => {
    expect(answerCheckpoint(open, { ...answer, version: 1 }, soon)).toEqual({ type: "changed", version: 2 });
    expect(answerCheckpoint(open, { ...answer, version: null }, soon).type).toBe("recorded");
  });

  it("a choice that the card does not offer is refused with what it offers [C-64]", () => {
    expect(answerCheckpoint(open, { ...answer, choice: "Retry" }, soon)).toEqual({
      type: "not-offered",
      offered: ["Proceed", "Skip", "Modify", "Pause"],
    });
  });

  it.each<[Checkpoint["kind"], string]>([
    ["start", "Proceed"],
    ["diff", "Proceed"],
    ["milestone", "Proceed"],
    ["proof", "Retry"],
  ])("a choice that goes on as asked takes no changes, which nobody would hear of: %s, %s", (kind, choice) => {
    const options = open.options.map((option) =>
      option.label === choice ? option : { ...option, label: option.label === "Skip" ? "Retry" : option.label },
    );
    const retry = options.map((each) => (each.label === "Retry" ? { ...each, effect: "retry" as const } : each));
    const asked = { ...open, kind, options: retry };
    for (const change of [{ instructions: "use B" }, { criteria: "# AC" }, { budgetMicroUsd: 1 }])
      expect(answerCheckpoint(asked, { ...answer, choice, ...change }, soon)).toMatchObject({
        type: "not-taken",
        instead: "Modify",
      });
    expect(answerCheckpoint(asked, { ...answer, choice, notes: "as we said" }, soon).type).toBe("recorded");
  });

  it("the recovery ladder goes on with what it is told", () => {
    for (const kind of ["escalation", "clarify"] as const)
      expect(answerCheckpoint({ ...open, kind }, { ...answer, instructions: "use B" }, soon).type).toBe("recorded");
  });

  it("asked for a choice that it has not is told what it offers, or who won [S4-CK-21]", () => {
    const settled: Checkpoint = {
      ...open,
      status: "rejected",
      chosenOption: "Skip",
      resolvedBy: "bo",
      resolvedAt: soon,
    };
    const late = new Date(open.expiresAt);

    expect(withoutChoice(open, soon)).toEqual({
      type: "not-offered",
      offered: open.options.map(({ label }) => label),
    });
    expect(withoutChoice(settled, soon)).toMatchObject({ type: "already-answered", by: "bo", choice: "Skip" });
    expect(withoutChoice(open, late)).toEqual({ type: "expired", at: open.expiresAt });
  });

  it("has exactly these statuses [S4-CK-03]", () => {
    expect([...checkpointStatuses]).toEqual(["pending", "approved", "rejected", "expired", "superseded"]);
  });

  it.each([
    ["cp-0a1b2c3d.2", { checkpointId: "cp-0a1b2c3d", version: 2 }],
    ["cp-0a1b2c3d", { checkpointId: "cp-0a1b2c3d", version: null }],
    ["cp.x", { checkpointId: "cp.x", version: null }],
  ])("a button carries %s", (text, expected) => {
    expect(parseCheckpointAddress(text)).toEqual(expected);
    expect(checkpointAddress(open)).toBe("cp-0a1b2c3d.2");
  });
});

describe("a list of questions", () => {
  it.each<[Checkpoint["kind"], string]>([
    ["plan", "a campaign's plan cp-0a1b2c3d about camp-1"],
    ["milestone", "the next milestone cp-0a1b2c3d about camp-1"],
    ["confirm", "is this milestone done? cp-0a1b2c3d about camp-1"],
    ["replan", "the campaign is late cp-0a1b2c3d about camp-1"],
    ["money", "the campaign's money cp-0a1b2c3d about camp-1"],
  ])("names what a question about a campaign is about: %s", (kind, head) => {
    const question: Checkpoint = { ...open, kind, goalId: null, campaignId: "camp-1", trigger: "scope_change" };
    const lines = terminalLines(checkpointsCard([question], soon), "UTC").join("\n");

    expect(lines).toContain(head);
    expect(lines).not.toContain("not in the plan");
  });

  it("names a question about a ceiling by that, not by the threshold of a day", () => {
    const question: Checkpoint = { ...open, kind: "ceiling", trigger: "cost_cumulative" };
    const lines = terminalLines(checkpointsCard([question], soon), "UTC").join("\n");

    expect(lines).toContain("not enough money left cp-0a1b2c3d about goal-1");
  });

  it("is named by what is asked, also where one trigger asks different things", () => {
    const plan: Checkpoint = { ...open, kind: "plan", goalId: null, campaignId: "camp-1", trigger: "scope_change" };
    const money: Checkpoint = { ...plan, checkpointId: "cp-1b2c3d4e", kind: "money" };

    expect(groupTitle({ questions: [plan] })).toBe("a campaign's plan: 1 question");
    expect(groupTitle({ questions: [{ ...plan, kind: "confirm" }] })).toBe("is this milestone done: 1 question");
    expect(groupTitle({ questions: [plan, money, { ...open, trigger: "scope_change" }] })).toBe(
      "a campaign's plan, the campaign's money, not in the plan: 3 questions",
    );
  });

  it.each([
    [
      "confirm",
      "Is milestone 'Header and navigation' done? 1 goal ended, 0 verified",
      "1 goal ended, 0 verified; The launch of the",
    ],
    ["milestone", "Starting milestone 'Header and navigation': Header and navigation", "The launch of the"],
    [
      "milestone",
      "Starting milestone 'Header and navigation': What the top says",
      "What the top says; The launch of the",
    ],
  ] as const)("%s names its milestone first, however long the campaign's name is: %s", (kind, context, more) => {
    const about = { ...open, kind, goalId: null, campaignId: "camp-1", context } as const;
    const campaign = {
      campaignId: "camp-1",
      name: "The launch of the very new site of the company",
      totalBudgetMicroUsd: 9,
    };
    const card = briefOf(campaignQuestionCard({ checkpoint: about, campaign, brought: null }), "chat").card;
    const shown = plainText(
      [...(card.lead ?? []), " / ", ...card.blocks.flatMap((each) => (each.type === "text" ? each.text : []))],
      "UTC",
    );

    expect(shown).toMatch(/^Header and navigation\. Answer by/);
    expect(shown).toContain(` / ${more}`);
  });

  it.each([
    ["ana", "by ana"],
    ["nobody's answer", "because nobody answered"],
    ["its repository: no branch main", "because of its repository: no branch main"],
    [null, "by somebody"],
  ])("a pause of %s is said in words", (by, words) => {
    expect(pausedByWords(by)).toBe(words);
  });

  it.each([
    ["ux_change", "batch answer ux "],
    ["scope_change", "batch answer scope "],
    // `cost` would answer those about the day as well.
    ["cost_single", "batch answer cost_single "],
  ] as const)("says the shortest word for the kind of several: %s", (trigger, line) => {
    const several: Checkpoint[] = ["cp-1", "cp-2"].map((checkpointId) => ({
      ...open,
      checkpointId,
      trigger,
      reasons: open.reasons.map((reason) => ({ ...reason, trigger })),
    }));

    expect(terminalLines(checkpointsCard(several, soon), "UTC").join("\n")).toContain(line);
  });

  it("names what a question about the policy is about", () => {
    const question: Checkpoint = { ...open, kind: "tuning", goalId: null, trigger: "cost_single" };

    expect(terminalLines(checkpointsCard([question], soon), "UTC").join("\n")).toContain("when to ask cp-0a1b2c3d");
  });

  const listed = (effect: string): string => {
    const options = open.options.map((option) => ({ ...option, isRecommended: option.effect === effect }));
    return terminalLines(checkpointsCard([{ ...open, options }], soon), "UTC").join("\n");
  };

  it("prints the command of the choice that it recommends, and how another one is given", () => {
    expect(listed("continue")).toContain("cos approve cp-0a1b2c3d, or cos answer cp-0a1b2c3d CHOICE");
    expect(listed("skip")).toContain("cos answer cp-0a1b2c3d Skip, or cos answer cp-0a1b2c3d CHOICE");
    expect(listed("modify")).toContain("cos reply cp-0a1b2c3d TEXT, or cos answer cp-0a1b2c3d CHOICE");
    for (const effect of ["skip", "modify", "pause"]) expect(listed(effect)).not.toContain("cos approve");
  });

  it.each([
    [false, "Skip"],
    [true, "'Edit the command' --run CMD"],
  ])("prints what answers an escalation (of a command: %s), and what shows what was tried", (runsCommand, choice) => {
    const options = goalOptions("escalation", [], runsCommand);
    const lines = terminalLines(checkpointsCard([{ ...open, kind: "escalation", options }], soon), "UTC").join("\n");

    expect(lines).toContain(
      `cos answer cp-0a1b2c3d ${choice}, or cos answer cp-0a1b2c3d CHOICE; what was tried: cos escalation cp-0a1b2c3d`,
    );
  });
});

it("open questions by their most important reason, oldest first; one alone has no choices to be answered with [F-411]", () => {
  const of = (checkpointId: string, minutes: number, more: Partial<Checkpoint> = {}): Checkpoint => ({
    ...open,
    checkpointId,
    askedAt: new Date(asked.getTime() + minutes * 60_000),
    ...more,
  });
  const groups = groupsOf([
    of("cp-d", 3),
    of("cp-b", 1),
    of("cp-a", 1),
    of("cp-c", 0, { trigger: "architecture" }),
    of("cp-e", 2, { kind: "proof" }),
  ]);

  expect(groups.map(({ trigger, questions }) => [trigger, questions.map((each) => each.checkpointId)])).toEqual([
    ["architecture", ["cp-c"]],
    ["ux_change", ["cp-a", "cp-b", "cp-e", "cp-d"]],
  ]);
  expect(groups.map(({ joined }) => joined.map((each) => each.checkpointId))).toEqual([
    ["cp-c"],
    ["cp-a", "cp-b", "cp-d"],
  ]);
  expect(groups.map(({ choices }) => choices)).toEqual([[], ["Proceed", "Skip"]]);
  expect(groupsOf([of("cp-b", 0), of("cp-a", 0)])[0]?.choices).toEqual(["Proceed", "Skip"]);
});
