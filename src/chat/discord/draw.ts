import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  type APIEmbed,
  ButtonStyle,
  ComponentType,
} from "discord.js";
import type { Call } from "../../core/calls.ts";
import { inBrief } from "../../core/cards/brief.ts";
import { spokenTitle } from "../../core/cards/plain.ts";
import { ofPlatforms } from "../../core/chat-platforms.ts";
import {
  type Card,
  type CardAction,
  type CardTone,
  mostAsked,
  type Text,
  withoutLinks,
} from "../../core/cards/card.ts";
import { shorten } from "../../core/text.ts";
import { inOneLine } from "../../core/text/bounds.ts";
import { drawPages } from "./body.ts";
import { customId } from "./custom-ids.ts";
import { limits } from "./limits.ts";
import { plainSentence } from "../../core/cards/times-in.ts";
import { drawText, type Permalink, drawSentence } from "./markdown.ts";

/** Cards as Discord messages, cut to Discord's limits so that a card is never rejected for its size. */

export type Row = APIActionRowComponent<APIButtonComponentWithCustomId>;

/** A message body, as drawn from a card. */
export interface Drawn {
  /** The text that notifications and screen readers show first: goal, decision, deadline. */
  readonly content: string;
  readonly embeds: APIEmbed[];
  readonly components: Row[];
  /** The only accounts that are notified: a mention inside a text notifies nobody. */
  readonly allowed_mentions: { readonly parse: never[]; readonly users: string[]; readonly roles: string[] };
}

const colours: Readonly<Record<CardTone, number>> = {
  neutral: 0x80848e,
  asking: 0xf0b232,
  good: 0x23a55a,
  bad: 0xf23f43,
  working: 0x5865f2,
};

/** Maximum number of messages for one answer. */
const mostPages = 5;

/** Characters kept free for the mark below a plain message. */
const reserve = 200;

/** Draws a card as one message. `mark`: our own id, which finds the message again. */
export function drawCard(card: Card, permalink: Permalink, mark: string): Drawn {
  const [description = ""] = drawPages(card.blocks, permalink, 1);
  const mentions = mentionsIn(card);
  const embed: APIEmbed = {
    color: colours[card.tone],
    ...(description === "" ? {} : { description }),
    footer: { text: mark },
  };
  return {
    content: drawHeading(card, permalink) + pings(mentions),
    embeds: [embed],
    components: drawRows(card),
    allowed_mentions: { parse: [], ...mentions },
  };
}

/** Draws a card as a complete answer to one person, over several messages if needed, with the buttons below the last. */
export function drawAnswer(card: Card, permalink: Permalink): readonly [Drawn, ...Drawn[]] {
  const [page = "", ...more] = drawPages(card.blocks, permalink, mostPages);
  const message = (content: string, description: string, components: Row[]): Drawn => ({
    content,
    embeds: description === "" ? [] : [{ color: colours[card.tone], description }],
    components,
    allowed_mentions: { parse: [], users: [], roles: [] },
  });
  const rows = drawRows(card);
  return [
    message(drawHeading(card, permalink), page, more.length === 0 ? rows : []),
    ...more.map((each, index) => message("", each, index === more.length - 1 ? rows : [])),
  ];
}

/** Draws a card for a channel: its first lines and a Details button. `key`: the message's key, which is also its mark. */
export function drawPosted(card: Card, permalink: Permalink, key: string): Drawn {
  return drawCard(inBrief({ ...card, asks: ofPlatforms(card.asks ?? [], ["discord"]) }, key), permalink, key);
}

/** Draws a card as words without markup. Its buttons and mentions stay, so that a question can still be answered. */
export function drawPlain(card: Card, zone: string, mark: string): Drawn {
  const words = plainSentence(card.summary, zone);
  const mentions = mentionsIn(card);
  const asked = pings(mentions);
  const room = limits.content - reserve - asked.length;
  return {
    content: `${drawText([words.trim() === "" ? "(no text)" : words], () => null, room)}${asked}\n-# ${mark}`,
    embeds: [],
    components: drawRows(card),
    allowed_mentions: { parse: [], ...mentions },
  };
}

/** True when the message carries this mark. */
export function carriesMark(
  message: { readonly content: string; readonly embeds: readonly APIEmbed[] },
  mark: string,
): boolean {
  return message.embeds[0]?.footer?.text === mark || message.content.endsWith(`-# ${mark}`);
}

/** Draws lines of text for one person. */
export function drawLines(lines: readonly Text[]): Drawn {
  const content = lines.map((line) => drawText(line, () => null, 600)).join("\n");
  return {
    content: shorten(content.trim() === "" ? "·" : content, limits.content),
    embeds: [],
    components: [],
    allowed_mentions: { parse: [], users: [], roles: [] },
  };
}

/** Draws the title; for a question also its goal and deadline. */
function drawHeading(card: Card, permalink: Permalink): string {
  const title = drawText([{ strong: spokenTitle(card.title) }], permalink, 600);
  const rest = card.summary.startsWith(card.title) ? card.summary.slice(card.title.length) : "";
  const state = card.state === null ? "" : `  ·  ${drawText([inOneLine(card.state)], permalink, 100)}`;
  // Notifications show no links.
  if (card.lead !== undefined)
    return `${title === "" ? "**·**" : title}: ${drawText(withoutLinks(card.lead), permalink, 600)}`;
  const tail = card.kind === "checkpoint" && rest.trim() !== "" ? drawSentence(rest, 600) : state;
  return `${title === "" ? "**·**" : title}${tail}`;
}

const styles = {
  primary: ButtonStyle.Primary,
  default: ButtonStyle.Secondary,
  danger: ButtonStyle.Danger,
} as const satisfies Readonly<Record<CardAction["style"], ButtonStyle>>;

/** Draws the buttons, five to a row; a goal also gets Why and Diff. Each call appears once. */
function drawRows(card: Card): Row[] {
  const more: readonly { label: string; call: Call }[] =
    card.goalId === undefined
      ? []
      : [
          { label: "Why", call: { command: "why", id: card.goalId } },
          { label: "Diff", call: { command: "diff", id: card.goalId } },
        ];
  const buttons = new Map<string, APIButtonComponentWithCustomId>();
  for (const { label, style, call } of [
    ...card.actions,
    ...more.map((each) => ({ ...each, style: "default" as const })),
  ]) {
    const id = customId("press", call);
    if (id === null || buttons.has(id) || buttons.size === limits.rows * limits.rowButtons) continue;
    const words = shorten(inOneLine(label).trim(), limits.buttonLabel).toWellFormed();
    buttons.set(id, {
      type: ComponentType.Button,
      style: styles[style],
      custom_id: id,
      label: words === "" ? "·" : words,
    });
  }
  const all = [...buttons.values()];
  return Array.from({ length: Math.ceil(all.length / limits.rowButtons) }, (_, row) => ({
    type: ComponentType.ActionRow,
    components: all.slice(row * limits.rowButtons, (row + 1) * limits.rowButtons),
  }));
}

/** Returns the members and roles of Discord that the card notifies. */
function mentionsIn({ asks = [] }: Card): { readonly users: string[]; readonly roles: string[] } {
  const found = ofPlatforms(asks, ["discord"]).slice(0, mostAsked);
  const ids = (pattern: RegExp) => found.flatMap((person) => pattern.exec(person)?.[1] ?? []);
  return { users: ids(/^discord:(\d+)$/), roles: ids(/^discord:@(\d+)$/) };
}

/** Returns the mentions as text for the content: a mention inside an embed notifies nobody. */
function pings({ users, roles }: { readonly users: readonly string[]; readonly roles: readonly string[] }): string {
  return [...users.map((id) => ` <@${id}>`), ...roles.map((id) => ` <@&${id}>`)].join("");
}
