import { describe, expect, it } from "vitest";
import { drawCard } from "../../src/chat/slack/draw.ts";
import { drawText, escapeMrkdwn, permalinks } from "../../src/chat/slack/mrkdwn.ts";
import { asTyped } from "../../src/chat/slack/typed.ts";
import { drawLines, formView, homeView, wordsView } from "../../src/chat/slack/views.ts";
import { buttonValue } from "../../src/core/calls.ts";
import { plainText, sentence } from "../../src/core/cards/card.ts";
import { refusalTexts } from "../../src/core/cards/chat-words.ts";
import { formFor } from "../../src/core/cards/forms.ts";
import { blockErrors, viewErrors } from "../fakes/slack/blocks.ts";
import { everyCard } from "./every-card.ts";

const words = {
  zone: "Europe/Berlin",
  permalink: permalinks("https://example.slack.com/", { "goal-1a2b3c4d": "C1/1700000000.000100" }),
};

const hostile = [
  "<!channel> @here <@U0EVE> <!date^1^x|y> <https://evil.example|console> &lt; & &amp; <",
  "*bold* _it_ ~no~ `code` ```block``` > quote :fire: | \u202Egnidrocer\u2066 \u0000 \uD83D",
  "\n> quoted\n• item\n```\n",
].join(" ");

const contents: Readonly<Record<string, string>> = {
  empty: "",
  blank: "  \n\t ",
  short: "Round prices up",
  hostile,
  long: "a long goal ".repeat(400),
  "without spaces": "x".repeat(20_000),
  "that grows when it is escaped": "&<>".repeat(5_000),
  "of joined emoji": "👩‍👩‍👧‍👦".repeat(2_000),
  "of many lines": "line\n".repeat(3_000),
  "right to left": "مرحبا بالعالم ".repeat(300),
  "with times that there are not":
    "0000-00-00T00:00:00Z 2016-12-31T23:59:60Z 2026-13-45T25:61:61Z 2026-02-30T12:00:00.000Z 9999-99-99T99:99:99Z",
};

describe.each(Object.entries(contents))("cards of text that is %s", (_name, content) => {
  for (const many of [0, 1, 40]) {
    it(`are accepted by Slack, lists of ${many}`, () => {
      const wrong = Object.entries(everyCard(content, many)).flatMap(([kind, card]) => {
        const drawn = drawCard(card, words);
        const errors = blockErrors(drawn.blocks);
        if (drawn.text.trim() === "" || drawn.text.length > 4000) errors.push(`text of ${drawn.text.length}`);
        return errors.map((error) => `${kind}: ${error}`);
      });
      expect(wrong).toEqual([]);
    });
  }

  it("are accepted in forms, refusals and the home", () => {
    const facts = { about: content, until: "2026-01-27T09:00:00Z", ceilingUsd: 5, command: content };
    const form = formView(
      formFor("modify", { ...facts, command: null }),
      { value: "cp-1a2b3c4d.1", channel: "C1" },
      words,
    );
    const edit = formView(formFor("edit", facts), { value: "cp-1a2b3c4d.1", channel: null }, words);
    const refused = {
      type: "refused" as const,
      reason: content,
      next: `cos ${content}`,
      ask: ["slack:U0ANA"],
      field: null,
    };
    const home = homeView({ cards: Object.values(everyCard(content, 40)), addresses: {} }, words);

    expect(viewErrors(form)).toEqual([]);
    expect(viewErrors(edit)).toEqual([]);
    expect(viewErrors(wordsView(drawLines(refusalTexts(refused))))).toEqual([]);
    expect(viewErrors(home)).toEqual([]);
  });
});

it("a weekly of very many goals still says how the week was", () => {
  const drawn = JSON.stringify(drawCard(everyCard("Round prices up everywhere", 210)["weekly"] ?? never(), words));
  expect(drawn).toContain("Response to questions");
  expect(drawn).toContain("more part");
});

function never(): never {
  throw new Error("there is no such card");
}

describe("a question", () => {
  const card = everyCard(
    "Round prices up to the next cent, and say so wherever a price is shown to somebody who buys",
    1,
  )["checkpoint, open"];
  if (card === undefined) throw new Error("no card");
  const drawn = drawCard(card, words);

  it("names goal, decision and deadline in its text and in its first block", () => {
    const first = drawn.blocks[0];
    expect(drawn.text).toContain("Checkpoint:");
    expect(drawn.text).toContain("Round prices up");
    expect(drawn.text).toMatch(
      /Answer by <!date\^1769504400\^\{date_short_pretty\} \{time\}\|2026-01-27 10:00 Europe\/Berlin>/,
    );
    expect(JSON.stringify(first)).toContain("Round prices up");
    expect(JSON.stringify(first)).toContain("<!date^1769504400^");
  });

  it("has buttons labelled with the choice, which say goal and deadline to screen readers", () => {
    const elements = drawn.blocks.flatMap((block) => (block.type === "actions" ? block.elements : []));
    const buttons = elements.flatMap((element) => (element.type === "button" ? [element] : []));
    const id = { checkpointId: "cp-1a2b3c4d", version: 1 };

    expect(buttons.map((button) => [button.text.text, button.action_id, button.value, button.style])).toEqual([
      ["Proceed", "cos:proceed", buttonValue({ call: { command: "answer", id, choice: "Proceed" } }), "primary"],
      ["Skip", "cos:skip", buttonValue({ call: { command: "answer", id, choice: "Skip" } }), undefined],
      ["Modify…", "cos:modify", buttonValue({ call: { command: "modify", id } }), undefined],
      ["Pause", "cos:pause", buttonValue({ call: { command: "answer", id, choice: "Pause" } }), undefined],
    ]);
    for (const button of buttons) {
      const choice = button.text.text.replace("…", "");
      expect(button.accessibility_label).toMatch(
        new RegExp(`^${choice}: Round prices .*…, answer by 2026-01-27 10:00$`),
      );
    }
  });

  it("keeps its buttons when everything else had to be shortened", () => {
    const large = everyCard("&".repeat(20_000), 40)["checkpoint, open"];
    const blocks = large === undefined ? [] : drawCard(large, words).blocks;
    expect(blocks.at(-1)?.type).toBe("actions");
    expect(JSON.stringify(blocks).length).toBeLessThanOrEqual(12_000);
  });
});

describe("text of others", () => {
  it("mentions nobody, links nowhere, formats nothing", () => {
    const drawn = escapeMrkdwn(hostile);
    expect(drawn).not.toMatch(/<[!@h]/);
    expect(drawn).not.toMatch(/(^|[^\p{L}\p{N}\u2060])[*_~`](?=\S)/u);
    expect(drawn).not.toMatch(/^&gt;/m);
    expect(drawn).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
  });

  it("keeps paths, identifiers and commands as they are", () => {
    for (const text of ["src/my_own_file.ts", "a*b*c", "npm run check:format", "snake_case_name"]) {
      expect(escapeMrkdwn(text)).toBe(text);
    }
    expect(drawText([{ code: "sort -o `list` list" }], words, 100)).toBe("`sort -o ˋlistˋ list`");
  });

  it("is cut between characters, never inside an entity, a token or a pair of marks", () => {
    for (let longest = 0; longest < 200; longest += 1) {
      const drawn = drawText(
        [
          { strong: "a&b<c>👩‍👩‍👧‍👦" },
          " x&y ",
          { at: "2026-01-27T09:00:00Z" },
          { link: "here & there", to: "/goals/goal-1a2b3c4d" },
        ],
        words,
        longest,
      );
      expect(drawn.length).toBeLessThanOrEqual(Math.max(longest, 0));
      expect(drawn).toBe(drawn.toWellFormed());
      expect(blockErrors([{ type: "section", text: { type: "mrkdwn", text: drawn === "" ? "·" : drawn } }])).toEqual(
        [],
      );
    }
  });

  it("names commands as they are typed in Slack, and leaves cosines alone", () => {
    const outcome = "Parked. Go on with: cos goal resume goal-1; without it: cos goal edit goal-2 --after none";
    const span = { command: "goal add" };

    expect(drawText(sentence(outcome), words, 200)).toBe(
      "Parked. Go on with: `/cos goal resume goal-1`; without it: `/cos goal edit goal-2 --after none`",
    );
    expect(plainText(sentence(outcome), "UTC")).toBe(outcome);
    expect(drawText(["cos x, cos of pi, ", { code: "cos goal add" }, " ", span], words, 200)).toBe(
      "cos x, cos of pi, `cos goal add` `/cos goal add`",
    );
    expect(plainText([span], "UTC")).toBe("cos goal add");
    expect(drawText([{ command: `goal edit goal-1 --run "\`<!here>" ${"x".repeat(900)}` }], words, 60)).toMatch(
      /^`\/cos goal edit goal-1 --run "ˋ&lt;!here&gt;" x+…`$/,
    );
  });

  it("keeps the space between a bold word and what follows", () => {
    expect(drawText([{ strong: "Skip: " }, "the goal is deferred"], words, 200)).toBe("*Skip:* the goal is deferred");
  });

  it.each([
    ["a &lt;b&gt; &amp;amp; c", "a <b> &amp; c"],
    ["curl -fsS <https://example.com/health?a=1&amp;b=2>", "curl -fsS https://example.com/health?a=1&b=2"],
    [
      "ping <http://example.com|example.com>, <mailto:ana@example.com|ana@example.com>",
      "ping example.com, ana@example.com",
    ],
    ["see <https://example.com/a|the page>", "see the page (https://example.com/a)"],
    ["sort &lt; in.txt &gt; out.txt", "sort < in.txt > out.txt"],
    ["&lt;https://example.com&gt;", "<https://example.com>"],
    [":+1:", "👍"],
    ["new :constructor: here", "new :constructor: here"],
    ["ok :+1::skin-tone-3: :rocket:", "ok 👍🏼 🚀"],
    [":parrot-of-ours: `:+1:` key:on:value 12:30:45", ":parrot-of-ours: `:+1:` key:on:value 12:30:45"],
    ["ask <@U0ANA>, <@U0BEN> or <@U0CARL|carl>", "ask @ana, @U0BEN or @carl"],
    ["<@U0BOT> ask <@U0ZOE> or <@U0CARL|Carl (he/him)>", "@Chief_of_Staff ask @Zoë_Ångström or @Carl_he_him"],
    ["in <#C0123ABCD|general> and <#C0123ABCE>", "in #general and #C0123ABCE"],
    ["<!here> <!subteam^S0123|@team> <!date^1769504400^{date}|Jan 27>", "@here @team Jan 27"],
    ["&gt; what I said\nretry: use <http://README.md|README.md>", "> what I said\nretry: use README.md"],
  ])("%s comes back as it was typed [F-110, F-405]", (said, typed) => {
    const names = { U0ANA: "@ana", U0BOT: "@Chief of Staff", U0ZOE: "@Zoë Ångström 🌟" };
    expect(asTyped(said, new Map(Object.entries(names)))).toBe(typed);
  });
});

describe("the validator", () => {
  const section = (text: string) => ({ type: "section", text: { type: "mrkdwn", text } });
  const button = (more: object) => ({
    type: "actions",
    elements: [{ type: "button", action_id: "a", text: { type: "plain_text", text: "Go" }, ...more }],
  });

  it.each<[string, unknown[]]>([
    ["51 blocks", Array.from({ length: 51 }, () => ({ type: "divider" }))],
    ["an unknown type", [{ type: "marquee" }]],
    ["3001 characters", [section("x".repeat(3001))]],
    ["no characters", [section("")]],
    ["11 fields", [{ type: "section", fields: Array.from({ length: 11 }, () => ({ type: "mrkdwn", text: "x" })) }]],
    ["a section of nothing", [{ type: "section" }]],
    ["a label of 76", [button({ text: { type: "plain_text", text: "x".repeat(76) } })]],
    ["a value of 2001", [button({ value: "x".repeat(2001) })]],
    ["an action id of 256", [button({ action_id: "x".repeat(256) })]],
    ["an accessibility label of 76", [button({ accessibility_label: "x".repeat(76) })]],
    ["a style that is none", [button({ style: "default" })]],
    ["mrkdwn on a button", [button({ text: { type: "mrkdwn", text: "Go" } })]],
    [
      "26 buttons",
      [
        {
          type: "actions",
          elements: Array.from({ length: 26 }, (_, id) => ({ ...button({}).elements[0], action_id: `a${id}` })),
        },
      ],
    ],
    ["one action id twice", [{ type: "actions", elements: [button({}).elements[0], button({}).elements[0]] }]],
    [
      "one block id twice",
      [
        { ...section("x"), block_id: "b" },
        { ...section("x"), block_id: "b" },
      ],
    ],
    ["a header of 151", [{ type: "header", text: { type: "plain_text", text: "x".repeat(151) } }]],
    [
      "an input in a message",
      [{ type: "input", label: { type: "plain_text", text: "x" }, element: { type: "plain_text_input" } }],
    ],
    ["a mention of everybody", [section("<!channel>")]],
    ["half a token", [section("see <https://x")]],
    ["an unknown field", [{ ...section("x"), colour: "red" }]],
    ["14 000 characters", Array.from({ length: 7 }, () => section("x".repeat(2000)))],
  ])("refuses %s", (_what, blocks) => {
    expect(blockErrors(blocks)).not.toEqual([]);
  });
});
