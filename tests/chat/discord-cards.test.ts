import { ApplicationCommandOptionType } from "discord.js";
import { describe, expect, it } from "vitest";
import type { ChatCommand } from "../../src/chat/commands.ts";
import { commandChosen, listCommands, optionName } from "../../src/chat/discord/command-list.ts";
import { customId, readCustomId } from "../../src/chat/discord/custom-ids.ts";
import { drawAnswer, drawCard, drawLines, drawPlain, drawPosted, type Drawn } from "../../src/chat/discord/draw.ts";
import { formModal } from "../../src/chat/discord/forms.ts";
import { drawText, escapeMarkdown, permalinks } from "../../src/chat/discord/markdown.ts";
import { threadName } from "../../src/chat/discord/threads.ts";
import type { Call } from "../../src/core/calls.ts";
import { plainCard, text } from "../../src/core/cards/card.ts";
import { refusalTexts } from "../../src/core/cards/chat-words.ts";
import { formFor } from "../../src/core/cards/forms.ts";
import { chatCommands } from "../../src/inbox/chat-commands.ts";
import { commandErrors, messageErrors, modalErrors, strayMarks } from "../fakes/discord/check.ts";
import { everyCard } from "./every-card.ts";

const permalink = permalinks("900000000000000001", { "goal-1a2b3c4d": "1/2" });
const nowhere = () => null;

const hostile = [
  "@everyone @here <@800000000000000003> <@&7> <#9> <t:1:R> <:a:1> </cos:1> https://evil.example [console](https://evil.example)",
  "**bold** *it* __under__ _it_ ~~no~~ `code` ```block``` ||spoiler|| \\*x\\* | \u202Egnidrocer\u2066 \u0000 \uD83D",
  "\n> quoted\n# heading\n-# small\n- item\n```\n",
].join(" ");

const contents: Readonly<Record<string, string>> = {
  empty: "",
  blank: "  \n\t ",
  short: "Round prices up",
  hostile,
  long: "a long goal ".repeat(400),
  "without spaces": "x".repeat(20_000),
  "that grows when it is escaped": "*_|".repeat(5_000),
  "of joined emoji": "👩‍👩‍👧‍👦".repeat(2_000),
  "of many lines": "line\n".repeat(3_000),
  "right to left": "مرحبا بالعالم ".repeat(300),
  "with times that there are not":
    "0000-00-00T00:00:00Z 2016-12-31T23:59:60Z 2026-13-45T25:61:61Z 2026-02-30T12:00:00.000Z 9999-99-99T99:99:99Z",
};

/** What of a message is drawn as more than data: links of ours are known, times and people are ours too. */
function strayIn({ content, embeds }: Drawn): string[] {
  const all = [content, ...embeds.map(({ description = "" }) => description)].join("\n");
  const ours =
    /\]\(https:\/\/discord\.com\/channels\/900000000000000001\/1\/2\)|<t:\d+:f>|<@[!&]?[89]000000000000\d{5,6}>/g;
  return strayMarks(all.replace(ours, ""));
}

describe.each(Object.entries(contents))("cards of text that is %s", (_name, content) => {
  for (const many of [0, 1, 40]) {
    it(`are accepted by Discord as data, lists of ${many}`, () => {
      const wrong = Object.entries(everyCard(content, many)).flatMap(([kind, card]) => {
        const drawn = [
          drawCard(card, permalink, "cos-1234567"),
          drawPlain(card, "UTC", "cos-1234567"),
          ...(many === 1 ? drawAnswer(card, permalink) : []),
        ];
        return drawn
          .flatMap((each) => [...messageErrors({ ...each }), ...strayIn(each)])
          .map((error) => `${kind}: ${error}`);
      });
      expect(wrong).toEqual([]);
    });
  }

  it("are accepted in forms and refusals", () => {
    const facts = { about: content, until: "2026-01-27T09:00:00Z", ceilingUsd: 5, command: content };
    const call: Call = { command: "modify", id: { checkpointId: "cp-1a2b3c4d", version: 1 } };
    const edit: Call = { command: "goal edit", id: "goal-1a2b3c4d" };
    const refused = { reason: content, next: `cos ${content}`, ask: ["discord:1", "discord:@2", "slack:U1"] };

    expect(
      modalErrors({ ...formModal(formFor("modify", { ...facts, command: null }), call, { instructions: content }) }),
    ).toEqual([]);
    expect(modalErrors({ ...formModal(formFor("edit", facts), edit, {}) })).toEqual([]);
    expect(messageErrors({ ...drawLines(refusalTexts(refused)) })).toEqual([]);
  });
});

describe("a question", () => {
  const question = "Round prices up to the next cent, and say so wherever a price is shown to somebody who buys";
  const card = everyCard(question, 1)["checkpoint, open"];
  if (card === undefined) throw new Error("no card");
  const drawn = drawCard(card, permalink, "cos-1");

  it("names goal, decision and deadline in what notifications show", () => {
    expect(drawn.content).toMatch(/^\*\*Checkpoint: .*\*\*: Round prices up .*Answer by <t:1769504400:f>/);
  });

  it("names the thread under it by what it is about, without a person's number or a time that passes", () => {
    const asks = ["discord:800000000000000001", "discord:@7"];
    const posted = drawPosted({ ...card, asks }, permalink, "cos-1");
    const plain = drawPlain({ ...card, asks }, "UTC", "cos-1");

    expect(posted.content).toContain("<@800000000000000001> <@&7>");
    expect(threadName(posted)).toMatch(/^Checkpoint: .*: Round prices up[^<]*$/);
    expect(threadName(posted)).not.toContain("Answer by");
    expect(threadName(plain)).not.toContain("<");
    expect(threadName({ content: "**a \\<@99\\>** <@99>" })).toBe("a <@99>");
  });

  it("has buttons labelled with the choice, five to a row", () => {
    const rows = drawn.components.map((row) =>
      row.components.map(({ label, style, custom_id }) => [label, style, custom_id]),
    );
    expect(rows).toEqual([
      [
        ["Proceed", 1, "cos|answer|cp-1a2b3c4d|1|Proceed"],
        ["Skip", 2, "cos|answer|cp-1a2b3c4d|1|Skip"],
        ["Modify…", 2, "cos|modify|cp-1a2b3c4d|1"],
        ["Pause", 2, "cos|answer|cp-1a2b3c4d|1|Pause"],
        ["Why", 2, "cos|why|goal-1a2b3c4d"],
      ],
      [["Diff", 2, "cos|diff|goal-1a2b3c4d"]],
    ]);
  });

  it("keeps its buttons when everything else had to be shortened, and says what was left out", () => {
    const large = everyCard("*".repeat(20_000), 40)["checkpoint, open"];
    if (large === undefined) throw new Error("no card");
    expect(drawCard(large, permalink, "cos-1").components[0]?.components[0]?.label).toBe("Proceed");
    const weekly = everyCard("Round prices up everywhere", 210)["weekly"];
    if (weekly === undefined) throw new Error("no card");
    expect(drawCard(weekly, permalink, "cos-1").embeds[0]?.description).toContain("more part");
  });
});

describe("an answer", () => {
  it("says all that the card says, over several messages where one does not hold it, with the buttons below the last", () => {
    const texts = Array.from({ length: 30 }, (_, index) => `${index}: ${"what was found ".repeat(20)}end of ${index}`);
    const blocks = texts.flatMap((each) => [text(each)]);
    const actions = everyCard("Round prices up", 1)["checkpoint, open"]?.actions ?? [];
    const card = { ...plainCard({ kind: "notice", tone: "neutral", title: "All", summary: "All", blocks }), actions };

    const drawn = drawAnswer(card, permalink);

    const all = drawn.map(({ embeds }) => embeds[0]?.description ?? "").join("\n");
    expect(texts.filter((each) => !all.includes(each))).toEqual([]);
    expect(drawn.map(({ content }) => content)).toEqual(["**All**", "", ""]);
    expect(drawn.map(({ components }) => components.length > 0)).toEqual([false, false, true]);
  });

  it("of a card that no window holds says what is left out", () => {
    const blocks = Array.from({ length: 400 }, () => text("x".repeat(190)));
    const drawn = drawAnswer(
      plainCard({ kind: "notice", tone: "neutral", title: "All", summary: "All", blocks }),
      permalink,
    );
    expect(drawn).toHaveLength(5);
    expect(drawn.at(-1)?.embeds[0]?.description).toMatch(/-# and \d+ more parts: see the console$/);
  });
});

describe("people", () => {
  it("are notified by name alone, never by what somebody wrote", () => {
    const asked = text(
      { person: "discord:800000000000000001" },
      { person: "discord:@7" },
      { person: "slack:U1" },
      " <@99>",
    );
    const asks = ["discord:800000000000000001", "discord:@7", "slack:U1"];
    const card = plainCard({ kind: "notice", tone: "asking", title: "@everyone", summary: "s", blocks: [asked], asks });

    const drawn = drawCard(card, permalink, "cos-1");
    const [answer] = drawAnswer(card, permalink);

    expect(answer).toMatchObject({ content: "**\\@everyone**", allowed_mentions: { parse: [], users: [], roles: [] } });
    expect(drawn.allowed_mentions).toEqual({ parse: [], users: ["800000000000000001"], roles: ["7"] });
    expect(drawn.content).toBe("**\\@everyone** <@800000000000000001> <@&7>");
    // Named without being asked, as in a report: nobody is notified.
    const { asks: _, ...report } = card;
    expect(drawCard(report, permalink, "cos-1").allowed_mentions).toEqual({ parse: [], users: [], roles: [] });
    expect(drawn.embeds[0]?.description).toBe("<@800000000000000001><@&7>slack:U1 \\<@99\\>");
  });
});

describe("text of others", () => {
  it("keeps identifiers as they are, and a path is only read as it was written", () => {
    for (const written of ["src/my_own_file.ts", "npm run check:format", "snake_case_name", "a - b # c"])
      expect(escapeMarkdown(written)).toBe(written);
    expect(drawText([{ code: "sort -o `list` list" }], nowhere, 100)).toBe("`sort -o ˋlistˋ list`");
    expect(drawText([{ command: "goal resume goal-1" }], nowhere, 100)).toBe("`/cos goal resume goal-1`");
  });

  it("is cut between characters, never inside a token or a pair of marks", () => {
    const spans = [
      { strong: "a*b_c👩‍👩‍👧‍👦" },
      " x*y ",
      { at: "2026-01-27T09:00:00Z" },
      { link: "here & there", to: "/goals/goal-1a2b3c4d" },
      { code: "x`y" },
    ];
    for (let longest = 0; longest < 200; longest += 1) {
      const drawn = drawText(spans, permalink, longest);
      expect(drawn.length).toBeLessThanOrEqual(longest);
      expect(drawn).toBe(drawn.toWellFormed());
      expect((drawn.match(/(?<!\\)\*\*/g) ?? []).length % 2).toBe(0);
      expect(drawn).not.toMatch(/<t:\d*$|\]\([^)]*$/);
    }
  });
});

describe("custom ids", () => {
  const calls: readonly Call[] = [
    { command: "answer", id: { checkpointId: "cp-1a2b3c4d", version: null }, choice: "Send back | now" },
    { command: "answer", id: { checkpointId: "cp-1a2b3c4d", version: 12 }, choice: "Proceed" },
    { command: "modify", id: { checkpointId: "cp-1a2b3c4d", version: 1 } },
    { command: "goal edit", id: "goal-1a2b3c4d" },
    { command: "goal check", id: "goal-1a2b3c4d", criterion: "AC-1" },
    { command: "campaign start", id: "camp-1" },
    { command: "merge stop" },
    { command: "merge stop", repo: "person" },
    { command: "batch answer", kind: "cost_cumulative", choice: "Go on | all", shown: 1_769_418_000_000 },
    { command: "batch undo", id: "ba-1a2b3c4d" },
    { command: "night end" },
    { command: "diff", id: "goal-1a2b3c4d" },
  ];

  it.each(calls)("carry $command and come back as it was", (call) => {
    const id = customId("press", call) ?? "";
    expect(readCustomId(id)).toEqual({ carrier: "press", call });
  });

  it("are none for what does not fit, and nothing is read out of others", () => {
    expect(customId("press", { command: "goal check", id: "goal-1a2b3c4d", criterion: "x".repeat(100) })).toBeNull();
    for (const id of [
      "",
      "cos",
      "cos|dance|goal-1",
      "other|why|goal-1",
      "cos|why|a b",
      "cos|answer|cp-1|x|Proceed",
      "cos|modify",
    ])
      expect(readCustomId(id)).toBeNull();
  });
});

function commandOf(word: string): ChatCommand {
  return { name: word, words: [word], summary: "x".repeat(200), isReading: true, fields: [] };
}

describe("slash commands", () => {
  const listed = listCommands(chatCommands());

  it("has what people type first directly below /cos, however many commands there are", () => {
    const below = (listed.find(({ name }) => name === "cos")?.options ?? []).map(({ name }) => name);

    expect(below).toEqual(
      expect.arrayContaining([
        "sample",
        "help",
        "status",
        "checkpoints",
        "approve",
        "reject",
        "answer",
        "modify",
        "goals",
        "why",
        "plan",
      ]),
    );
  });

  it("have room for more commands than Discord has places: what is left over stands in a group", () => {
    const more = Array.from({ length: 8 }, (_, index) => ({ ...commandOf(`extra-${index}`) }));
    const crowded = listCommands([...chatCommands(), ...more]);

    expect(commandErrors(crowded.map((each) => ({ ...each })))).toEqual([]);
    const cos = crowded.at(-1)?.options ?? [];
    expect(cos.length).toBe(25);
    expect(JSON.stringify(cos.find(({ name }) => name === "more"))).toContain('"name":"extra-7"');
  });

  it("can be told apart: each says what it does, and each option its first words", () => {
    const shownOf = (words: readonly string[]) => {
      const own = listed.find(({ name }) => name === words.join(" "));
      const below = listed.find(({ name }) => name === "cos")?.options ?? [];
      const all = below.flatMap((each) =>
        each.type === ApplicationCommandOptionType.SubcommandGroup
          ? (each.options ?? []).map((one) => ({
              ...one,
              path: each.name === "more" ? [one.name] : [each.name, one.name],
            }))
          : [{ ...each, path: [each.name] }],
      );
      return own ?? all.find(({ path }) => path.join("-") === words.join("-"));
    };
    const keeps = (shown: string | undefined, whole: string, least: number) =>
      shown === whole || (shown?.endsWith("…") === true && shown.length >= least);

    for (const { words, summary, fields } of chatCommands()) {
      const shown = shownOf(words);
      expect(shown?.description).toSatisfy((text: string) => keeps(text, summary, 40));
      const options = shown !== undefined && "options" in shown ? (shown.options ?? []) : [];
      for (const field of fields) {
        const option = options.find(({ name }) => name === optionName(field));
        const whole = field.isMultiple ? `several: ${field.description}` : field.description;
        expect(option?.description).toSatisfy((text: string) => keeps(text, whole, 15));
      }
    }
  });

  it("are all of the registry that is listed, within Discord's limits", () => {
    expect(commandErrors(listed.map((each) => ({ ...each })))).toEqual([]);
    expect(listed.map(({ name }) => name)).toEqual(["standup", "weekly", "cos"]);
    const cos = listed.find(({ name }) => name === "cos");
    const chosen = (cos?.options ?? []).flatMap((option) =>
      "options" in option && option.type === ApplicationCommandOptionType.SubcommandGroup
        ? (option.options ?? []).map(({ name }) => (option.name === "more" ? [name] : [option.name, name]))
        : [[option.name]],
    );
    const reached = chosen.map((words) => commandChosen(chatCommands(), words)?.name);
    for (const { name } of chatCommands()) if (!["standup", "weekly"].includes(name)) expect(reached).toContain(name);
  });
});

describe("the validator", () => {
  const mentions = { allowed_mentions: { parse: [] } };
  const button = (more: object) => ({ type: 2, style: 1, label: "Go", custom_id: "a", ...more });
  const rows = (...rows_: object[][]) => ({
    content: "x",
    ...mentions,
    components: rows_.map((components) => ({ type: 1, components })),
  });

  it.each<[string, Record<string, unknown>]>([
    ["nothing at all", { content: "", ...mentions }],
    ["2001 characters", { content: "x".repeat(2001), ...mentions }],
    ["a description of 4097", { ...mentions, embeds: [{ description: "x".repeat(4097) }] }],
    [
      "embeds of 6001 together",
      { ...mentions, embeds: [{ description: "x".repeat(4000) }, { description: "x".repeat(2001) }] },
    ],
    ["an empty embed", { ...mentions, embeds: [{ color: 1 }] }],
    ["six rows", rows(...Array.from({ length: 6 }, (_, id) => [button({ custom_id: `a${id}` })]))],
    ["six buttons in a row", rows(Array.from({ length: 6 }, (_, id) => button({ custom_id: `a${id}` })))],
    ["an empty row", rows([])],
    ["a button without a style", rows([button({ style: undefined })])],
    ["a label of 81", rows([button({ label: "x".repeat(81) })])],
    ["a custom id of 101", rows([button({ custom_id: "x".repeat(101) })])],
    ["one custom id twice", rows([button({})], [button({})])],
    ["a nonce of 26", { content: "x", ...mentions, nonce: "x".repeat(26) }],
    ["mentions out of texts", { content: "x", allowed_mentions: { parse: ["users"] } }],
    ["no word on mentions", { content: "x" }],
    ["an unknown field", { content: "x", ...mentions, colour: 1 }],
    ["half a character", { content: "x\uD83D", ...mentions }],
  ])("refuses %s", (_what, message) => {
    expect(messageErrors(message)).not.toEqual([]);
  });

  it.each<[string, object]>([
    [
      "26 children",
      {
        name: "a",
        description: "b",
        options: Array.from({ length: 26 }, (_, id) => ({ type: 3, name: `a${id}`, description: "b" })),
      },
    ],
    [
      "a word that is a command and a group",
      {
        name: "a",
        description: "b",
        options: [
          { type: 1, name: "n", description: "b" },
          { type: 2, name: "n", description: "b" },
        ],
      },
    ],
    ["capitals", { name: "A", description: "b" }],
    [
      "commands beside options",
      {
        name: "a",
        description: "b",
        options: [
          { type: 1, name: "n", description: "b" },
          { type: 3, name: "o", description: "b" },
        ],
      },
    ],
    [
      "a required option at the end",
      {
        name: "a",
        description: "b",
        options: [
          { type: 3, name: "n", description: "b" },
          { type: 3, name: "o", description: "b", required: true },
        ],
      },
    ],
    [
      "8001 characters",
      {
        name: "a",
        description: "b",
        options: Array.from({ length: 25 }, (_, id) => ({
          type: 1,
          name: `a${id}`,
          description: "b",
          options: Array.from({ length: 4 }, (__, at) => ({ type: 3, name: `o${at}`, description: "x".repeat(90) })),
        })),
      },
    ],
  ])("refuses commands with %s", (_what, command) => {
    expect(commandErrors([{ ...command }])).not.toEqual([]);
  });
});

describe("a card that goes out as plain words", () => {
  it("mentions whom it asks, as the full one does, and nobody else", () => {
    const asks = ["discord:5", "discord:@7", "slack:U1"];
    const card = {
      ...plainCard({ kind: "notice", tone: "asking", title: "t", summary: "x".repeat(3_000), blocks: [] }),
      asks,
    };
    const drawn = drawPlain(card, "UTC", "cos-1");

    expect(drawn.content).toContain(" <@5> <@&7>\n-# cos-1");
    expect(drawn.content.length).toBeLessThanOrEqual(2_000);
    expect(drawn.allowed_mentions).toEqual({ parse: [], users: ["5"], roles: ["7"] });
    expect(drawPlain({ ...card, asks: [] }, "UTC", "cos-1").allowed_mentions).toEqual({
      parse: [],
      users: [],
      roles: [],
    });
  });
});
