import { describe, expect, it } from "vitest";
import { campaignRecommendation } from "../../src/core/campaigns/question.ts";
import { briefOf } from "../../src/core/cards/brief.ts";
import { type Card, plainText, textsOf } from "../../src/core/cards/card.ts";
import { checkpointState } from "../../src/core/cards/question-parts.ts";
import { statusWords } from "../../src/core/cards/status-words.ts";
import { campaignQuestions, type GoalQuestion } from "../../src/core/checkpoints/checkpoint.ts";
import { campaignOptions, goalOptions } from "../../src/core/checkpoints/options.ts";
import { reasonsOf, recommendationOf } from "../../src/core/checkpoints/question.ts";
import { triggers } from "../../src/core/checkpoints/triggers.ts";
import { type Learnt, markLearnt } from "../../src/core/memory/recommend.ts";
import { defaultPolicy } from "../../src/core/policy.ts";
import { everyCard } from "./every-card.ts";
import { questionKinds } from "./other-cards.ts";

const nothingLearnt: Learnt = { weights: new Map(), precedents: [] };

/** One word for one thing, wherever a person reads it; the names of statuses are for programs (F-409, D52). */

const cards = Object.entries(everyCard("Prices", 3));

/** Everything that a card says, but for code and what stands in code. */
function saidBy(card: Card): string {
  const code = card.blocks.flatMap((block) => (block.type === "code" ? [block.text] : []));
  const spans = textsOf(card).map((each) =>
    plainText(
      each.filter((span) => !isCode(span)),
      "UTC",
    ),
  );
  const labels = card.actions.flatMap(({ label, about }) => [label, about]);
  return [card.title, card.summary, card.state ?? "", ...labels, ...spans]
    .filter((each) => !code.includes(each))
    .join("\n");
}

function isCode(span: unknown): boolean {
  return typeof span === "object" && span !== null && ("code" in span || "command" in span);
}

/** What is said, and what it may not be called. */
const table: readonly (readonly [string, RegExp])[] = [
  ["the button that was pressed", /\b(?:rejected|declined|superseded)\b/i],
  ["skipped", /\bdefer(?:s|red)?\b/i],
  ["left to a person", /\bmanual[ _-]follow-?up\b/i],
  ["working", /\bin_progress\b/],
  ["why it is asked, in words", new RegExp(triggers.join("|"), "i")],
  [
    "the same names as the terminal's, in commands",
    /(?:^|[\s:])cos (?:goal|approve|answer|checkpoints|night|merge)\b/m,
  ],
];

it.each(table)("what is called %s has no other word on any card [F-409]", (_name, other) => {
  const found = cards.flatMap(([kind, card]) => {
    const word = other.exec(saidBy(card))?.[0];
    return word === undefined ? [] : [`${kind}: ${word}`];
  });

  expect(found).toEqual([]);
});

it("a settled question is called by its button, and a goal by what became of it [F-409]", () => {
  const states = (["approved", "rejected", "expired", "superseded", "pending"] as const).map((status) =>
    checkpointState({ status, chosenOption: status === "approved" ? "Proceed" : "Skip" }),
  );

  expect(states).toEqual(["Proceed", "Skip", "no answer", "withdrawn", "waiting for an answer"]);
  expect((["deferred", "manual_followup", "in_progress"] as const).map(statusWords)).toEqual([
    "skipped",
    "left to a person",
    "working",
  ]);
});

/** What would have to be assessed, and is not. */
const judgement = /risk|aligns|likely|exhaust|safe|cannot|could not be|good idea|should/i;

describe("a recommendation says what happened, or what was answered before, and judges nothing [F-409]", () => {
  const precedents = [
    { choice: "Skip", by: "ana", notes: "too dear" },
    { choice: "Proceed", by: "ben", notes: null },
  ];
  const cases = Object.keys(questionKinds).flatMap((kind) =>
    triggers.flatMap((trigger) =>
      [false, true].map((runsCommand) => [kind as GoalQuestion, trigger, runsCommand] as const),
    ),
  );

  it.each(cases)("%s, %s, of a fixed command: %s", (kind, trigger, runsCommand) => {
    const subject = { content: "Prices", estimateMicroUsd: 1, errorCount: 1, recoveryLevel: 1 };
    const reasons = reasonsOf([trigger], subject, defaultPolicy);
    for (const learnt of [nothingLearnt, { ...nothingLearnt, precedents }]) {
      const options = markLearnt(kind, trigger, goalOptions(kind, reasons, runsCommand), learnt);
      const label = options.find(({ isRecommended }) => isRecommended)?.label ?? null;

      const said = recommendationOf({ kind, reasons, options, learnt });

      expect(said).not.toMatch(judgement);
      expect(said).not.toContain("Prices");
      if (label !== null) expect(said.startsWith(`${label} - `)).toBe(true);
      if (learnt.precedents.length === 0) expect(said).not.toMatch(/was chosen/);
    }
  });

  it.each(campaignQuestions)("of a campaign: %s", (kind) => {
    const said = campaignRecommendation(kind, "One");
    const labels = campaignOptions(kind, "day").flatMap(({ label, isRecommended }) => (isRecommended ? [label] : []));

    expect(said).not.toMatch(judgement);
    expect(kind === "plan" || labels.some((label) => said.startsWith(label))).toBe(true);
  });
});

it("every open question says what its recommended button does, or what no answer does, whole, in a chat and on a page [F-407]", () => {
  const asking = cards.filter(
    ([kind, card]) =>
      kind !== "checkpoint, plain" && card.actions.length > 0 && card.tone === "asking" && card.brief !== undefined,
  );
  const missing = asking.flatMap(([kind, card]) =>
    (["chat", "page"] as const).flatMap((place) => {
      const lines = briefOf(card, place).card.blocks.flatMap((block) =>
        // Votes stand before it in the same line.
        block.type === "text" ? [plainText(block.text, "UTC").replace(/^Votes: .*?\. (?=[A-Z])/, "")] : [],
      );
      const labels = [...card.actions.map(({ label }) => label.replace(/…$/, "")), "No answer"];
      const says = lines.find((line) => labels.some((label) => line.startsWith(`${label}: `)));
      return says === undefined || says.includes("…") ? [`${kind}, ${place}: ${says ?? "nothing"}`] : [];
    }),
  );

  expect(asking.length).toBeGreaterThan(25);
  expect(missing).toEqual([]);
});
