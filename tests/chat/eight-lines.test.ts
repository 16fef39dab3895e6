import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawPosted as drawInDiscord } from "../../src/chat/discord/draw.ts";
import { drawCard, drawPosted as drawInSlack } from "../../src/chat/slack/draw.ts";
import { detailsView } from "../../src/chat/slack/views.ts";
import { drawCard as drawInConsole } from "../../src/console/draw.ts";
import { briefOf, inBrief, wholeCard } from "../../src/core/cards/brief.ts";
import { mostLines } from "../../src/core/cards/drawn-lines.ts";
import { type Card, type CardBlock, plainText } from "../../src/core/cards/card.ts";
import { pictureAlone } from "../../src/core/cards/picture.ts";
import { hasBrowser, openBrowser } from "../fakes/browser.ts";
import { projectDir } from "../fakes/bot.ts";
import { wordsOf } from "../fakes/slack/workspace.ts";
import { measureCards } from "./measure-cards.ts";
import { drawnLines } from "./drawn-lines.ts";
import { everyCard } from "./every-card.ts";

/** What somebody can have written into a card. */
const texts: Readonly<Record<string, string>> = {
  plain: "Round prices up to the next cent",
  long: "a long goal that says everything twice ".repeat(100),
  hostile:
    "<!channel> @everyone *bold* _it_ `code` ```block``` > quote # head <script>alert(1)</script> \u202Egnidrocer\n\n\n- x\n- y\n```\n".repeat(
      8,
    ),
  "right to left": "مرحبا بالعالم، هذا هدف طويل جدا ".repeat(60),
};

const words = { zone: "UTC", permalink: () => null };
/** A picture is uploaded and not drawn. */
const isDrawn = (kind: string, card: Card): boolean => pictureAlone(card) === null && kind !== "checkpoint, in brief";

describe.each(Object.entries(texts))("cards of text that is %s [F-407]", (_name, content) => {
  const cards = Object.entries(everyCard(content, 3)).filter(([kind, card]) => isDrawn(kind, card));

  it("have at most eight lines before their buttons in Slack and Discord", () => {
    const long = cards.flatMap(([kind, card]) => {
      const { blocks } = drawInSlack(card, "cos-1", words);
      const buttons = blocks.findIndex(({ type }) => type === "actions");
      const slack = buttons === -1 ? blocks : blocks.slice(0, buttons);
      const { content: head, embeds } = drawInDiscord(card, () => null, "cos-1");
      const discord = [head, ...embeds.map(({ description = "" }) => description)];
      return [
        ["slack", drawnLines(slack.map((block) => wordsOf([{ ...block }])).join("\n"))] as const,
        ["discord", drawnLines(discord.join("\n"))] as const,
      ].flatMap(([where, lines]) => (lines.length > mostLines ? [`${kind} in ${where}: ${lines.length}`] : []));
    });

    expect(long).toEqual([]);
  });

  it("say in Slack to ten people what they say to nobody, and mention each of them once", () => {
    const ten = Array.from({ length: 10 }, (_, index) => `slack:U${index}`);
    for (const [kind, card] of cards.filter(([, each]) => isOpenQuestion(each))) {
      const { blocks } = drawInSlack({ ...card, asks: ten }, "cos-1", words);

      expect(blocks.slice(0, -1), kind).toEqual(drawInSlack({ ...card, asks: [] }, "cos-1", words).blocks);
      expect(JSON.stringify(blocks).match(/<@U\d>/g), kind).toHaveLength(10);
    }
  });

  it("say in Discord to ten people what the recommended choice does, within eight lines", () => {
    const ten = Array.from({ length: 10 }, (_, index) => `discord:90000000000000000${index}`);
    const open = cards.filter(([, each]) => isOpenQuestion(each));
    const drawn = open.map(([kind, card]) => ({ kind, ...drawInDiscord({ ...card, asks: ten }, () => null, "cos-1") }));
    const silent = drawn.filter(({ embeds }) => !/^\*\*[A-Z][^*]*:\*\* /m.test(embeds[0]?.description ?? ""));
    const long = drawn.filter(
      ({ content, embeds }) => drawnLines(`${content}\n${embeds[0]?.description ?? ""}`).length > mostLines,
    );

    expect([silent, long].map((each) => each.map(({ kind }) => kind))).toEqual([[], []]);
  });

  it("say what the proof of finished work is worth before anything else", () => {
    const proven = new Map(cards).get("goal, proven");
    if (proven === undefined) throw new Error("no card of proven work");
    for (const place of ["chat", "page"] as const)
      expect(JSON.stringify(briefOf(proven, place).card.blocks[0])).toContain("1 criterion passed: it proves the work");
  });

  it("say of a goal that failed on money with which command it goes on", () => {
    const failed = new Map(cards).get("goal, at its ceiling");
    if (failed === undefined) throw new Error("no card of a goal at its ceiling");
    for (const place of ["chat", "page"] as const)
      expect(JSON.stringify(briefOf(failed, place).card.blocks)).toContain('{"command":"goal edit goal-');
  });

  it("show no label of which all that it says is cut off", () => {
    const labels = cards.flatMap(([kind, card]) =>
      (["chat", "page"] as const).flatMap((place) => {
        const whole = new Set([...(card.brief ?? []), ...card.blocks].map((block) => JSON.stringify(block)));
        const { blocks } = briefOf(card, place).card;
        const lone = blocks.filter(
          (block) =>
            block.type === "text" &&
            block.text.length === 1 &&
            JSON.stringify(block.text[0]).startsWith('{"strong"') &&
            !whole.has(JSON.stringify(block)),
        );
        return lone.map((block) => `${kind} on a ${place}: ${JSON.stringify(block)}`);
      }),
    );

    expect(labels.filter((each) => !each.includes("…"))).toEqual([]);
  });

  it("keep every button, and Details where something is not shown", () => {
    for (const [kind, card] of cards) {
      const labels = card.actions.slice(0, 22).map(({ label }) => label);
      const { rest } = briefOf(card, "chat");

      const shown = inBrief(card, "cos-1").actions.map(({ label }) => label);

      expect(shown, kind).toEqual(rest.length === 0 ? labels : [...labels, "Details"]);
    }
  });

  it("say everything in their first lines and behind Details", () => {
    for (const [kind, card] of cards) {
      const { card: brief, rest } = briefOf(card, "chat");
      const said = new Set([...brief.blocks, ...rest].flatMap(saidBy));
      const missing = card.blocks.flatMap(saidBy).filter((line) => !said.has(line));
      const whole = drawCard(wholeCard(card), words, { blocks: 100, json: 70_000 }).blocks;

      expect(missing, kind).toEqual([]);
      expect(detailsView(wholeCard(card), words).blocks, kind).toEqual(whole);
    }
  });
});

/** Drawn whole, or as plain words, it has none of these lines. */
function isOpenQuestion({ kind, tone, brief, blocks, actions }: Card): boolean {
  return kind === "checkpoint" && tone === "asking" && brief !== undefined && blocks.length * actions.length > 0;
}

it.each([
  ["checkpoint, escalation", "chat"],
  ["checkpoint, escalation", "page"],
  ["question, ceiling", "chat"],
] as const)("%s says on a %s what happens without an answer", (kind, place) => {
  const card = everyCard("Round prices up", 0)[kind];

  expect(card === undefined ? "" : JSON.stringify(briefOf(card, place).card.blocks)).toContain(
    '[{"strong":"No answer: "},"the goal is parked."]',
  );
});

/** Each thing that a block says. */
function saidBy(block: CardBlock): string[] {
  switch (block.type) {
    case "text":
    case "note":
      return [plainText(block.text, "UTC")];
    case "fields":
      return block.fields.map(({ label, value }) => `${label}: ${plainText(value, "UTC")}`);
    case "list":
      return block.items.map((item) => plainText(item, "UTC"));
    case "code":
      return [block.text];
    case "picture":
      return [block.words];
  }
}

it("a heading has at most twelve words [F-407]", () => {
  const wordy = Object.entries(everyCard("Prices", 1)).flatMap(([kind, { title }]) =>
    title.split(/\s+/).length > 12 ? [`${kind}: ${title}`] : [],
  );

  expect(wordy).toEqual([]);
});

describe.skipIf(!hasBrowser)("laid out by a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  const style = readFileSync(join(projectDir, "src/console/assets/app.css"), "utf8");
  const drawing = { zone: "UTC", csrf: "x", back: "/" };
  const at = new Date("2026-01-26T09:00:00Z");

  it.each(Object.keys(texts).flatMap((name) => [[name, 400] as const, [name, 1000] as const]))(
    "cards of %s text have eight lines before their buttons, and these above the fold, at %i px",
    async (name, width) => {
      const cards = Object.entries(everyCard(texts[name] ?? "", 3));
      const drawn = await Promise.all(
        cards.map(async ([kind, card], index) => {
          const shown = { elementId: `c${index}`, card, changed: 0, at, isReply: false, isBrief: true };
          return String(await drawInConsole(shown, drawing)).replace("<article", `<article data-kind="${kind}"`);
        }),
      );
      const page = await browser.newPage({ viewport: { width, height: 640 } });
      try {
        await page.setContent(`<!doctype html><style>${style}</style><main>${drawn.join("\n")}</main>`);
        const measured = await measureCards(page);

        expect(measured).toHaveLength(cards.length);
        expect(measured.filter(({ lines, buttons }) => lines > 8 || buttons > 520)).toEqual([]);
      } finally {
        await page.close();
      }
    },
  );
});
