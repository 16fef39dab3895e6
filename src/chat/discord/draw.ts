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
  type CardBlock,
  type CardTone,
  mostAsked,
  type Text,
  withoutLinks,
} from "../../core/cards/card.ts";
import { count, shorten } from "../../core/text.ts";
import { inOneLine } from "../../core/text/bounds.ts";
import { customId } from "./custom-ids.ts";
import { limits } from "./limits.ts";
import { codeBlock, drawText, type Permalink, plainSentence, sentence } from "./markdown.ts";

/** Cards as messages of Discord: everything clamped to its limits, so that a card is never rejected for its size. */

export type Row = APIActionRowComponent<APIButtonComponentWithCustomId>;

/** The part of a message that a card is drawn as. */
export interface Drawn {
  /** What notifications and screen readers get first: goal, decision, deadline. */
  readonly content: string;
  readonly embeds: APIEmbed[];
  readonly components: Row[];
  /** The only ones who are notified: nothing that is written in a text mentions anybody. */
  readonly allowed_mentions: { readonly parse: never[]; readonly users: string[]; readonly roles: string[] };
}

const colours: Readonly<Record<CardTone, number>> = {
  neutral: 0x80848e,
  asking: 0xf0b232,
  good: 0x23a55a,
  bad: 0xf23f43,
  working: 0x5865f2,
};

/** Kept for the footer, line ends and the words that something was left out. */
const reserve = 200;

/** `mark`: our own id, by which the message is found again; null for answers, which are never looked for and notify nobody. */
export function drawCard(card: Card, permalink: Permalink, mark: string | null): Drawn {
  const description = fitBody(card.blocks, permalink, limits.embedDescription - reserve);
  const mentions = mark === null ? { users: [], roles: [] } : mentionsIn(card);
  const embed: APIEmbed = {
    color: colours[card.tone],
    ...(description === "" ? {} : { description }),
    ...(mark === null ? {} : { footer: { text: mark } }),
  };
  return {
    content: drawHeading(card, permalink) + pings(mentions),
    embeds: description === "" && mark === null ? [] : [embed],
    components: drawRows(card),
    allowed_mentions: { parse: [], ...mentions },
  };
}

/** A card as a channel shows it: its first lines, and Details. `key`: its message, and its mark. */
export function drawPosted(card: Card, permalink: Permalink, key: string): Drawn {
  return drawCard(inBrief({ ...card, asks: ofPlatforms(card.asks ?? [], ["discord"]) }, key), permalink, key);
}

/** Words without any markup; the buttons stay, so that a question can still be answered, and so does whom it asks. */
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

/** Whether a message is the one that carries this mark. */
export function carriesMark(
  message: { readonly content: string; readonly embeds: readonly APIEmbed[] },
  mark: string,
): boolean {
  return message.embeds[0]?.footer?.text === mark || message.content.endsWith(`-# ${mark}`);
}

/** Lines for one person. */
export function drawLines(lines: readonly Text[]): Drawn {
  const content = lines.map((line) => drawText(line, () => null, 600)).join("\n");
  return {
    content: shorten(content.trim() === "" ? "·" : content, limits.content),
    embeds: [],
    components: [],
    allowed_mentions: { parse: [], users: [], roles: [] },
  };
}

/** The title, and of a question also its goal and deadline. */
function drawHeading(card: Card, permalink: Permalink): string {
  const title = drawText([{ strong: spokenTitle(card.title) }], permalink, 600);
  const rest = card.summary.startsWith(card.title) ? card.summary.slice(card.title.length) : "";
  const state = card.state === null ? "" : `  ·  ${drawText([inOneLine(card.state)], permalink, 100)}`;
  // A notification shows no links.
  if (card.lead !== undefined)
    return `${title === "" ? "**·**" : title}: ${drawText(withoutLinks(card.lead), permalink, 600)}`;
  const tail = card.kind === "checkpoint" && rest.trim() !== "" ? sentence(rest, 600) : state;
  return `${title === "" ? "**·**" : title}${tail}`;
}

/** Its longest texts are shortened until everything fits; what still does not fit is left out, and that is said. */
function fitBody(blocks: readonly CardBlock[], permalink: Permalink, room: number): string {
  for (const longest of [3000, 1500, 800, 400, 200]) {
    const drawn = blocks.flatMap((block) => drawBlock(block, permalink, longest)).join("\n");
    if (drawn.length <= room) return drawn;
  }
  const parts = blocks.flatMap((block) => drawBlock(block, permalink, 200));
  let drawn = "";
  for (const [index, part] of parts.entries()) {
    if (drawn.length + part.length + 1 > room)
      return `${drawn}\n-# and ${count(parts.length - index, "more part")}: see the console`;
    drawn = drawn === "" ? part : `${drawn}\n${part}`;
  }
  return drawn;
}

/** One part of a card, no text in it longer than `longest`; what is blank is left out. */
function drawBlock(block: CardBlock, permalink: Permalink, longest: number): string[] {
  switch (block.type) {
    case "text":
      return unlessBlank(drawText(block.text, permalink, longest));
    case "note":
      return small(drawText(block.text, permalink, longest));
    case "fields":
      return block.fields.flatMap(({ label, value }) =>
        unlessBlank(drawText([{ strong: `${label}: ` }, ...value], permalink, longest)),
      );
    case "list":
      return block.items.map((item) => `- ${inOneLine(drawText(item, permalink, Math.min(longest, 900)), "\n  ")}`);
    case "picture":
      return small(drawText([block.words], permalink, longest));
    case "code":
      return [codeBlock(block.text, longest)];
  }
}

function unlessBlank(drawn: string): string[] {
  return drawn.trim() === "" ? [] : [drawn];
}

/** Small print, line by line. */
function small(drawn: string): string[] {
  return drawn
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => `-# ${line}`);
}

const styles = {
  primary: ButtonStyle.Primary,
  default: ButtonStyle.Secondary,
  danger: ButtonStyle.Danger,
} as const satisfies Readonly<Record<CardAction["style"], ButtonStyle>>;

/** The buttons, five to a row, and for a goal Why and Diff. The same call stands there once. */
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

/** Whom the card notifies: members and roles of Discord. */
function mentionsIn({ asks = [] }: Card): { readonly users: string[]; readonly roles: string[] } {
  const found = ofPlatforms(asks, ["discord"]).slice(0, mostAsked);
  const ids = (pattern: RegExp) => found.flatMap((person) => pattern.exec(person)?.[1] ?? []);
  return { users: ids(/^discord:(\d+)$/), roles: ids(/^discord:@(\d+)$/) };
}

/** Inside an embed a mention notifies nobody. */
function pings({ users, roles }: { readonly users: readonly string[]; readonly roles: readonly string[] }): string {
  return [...users.map((id) => ` <@${id}>`), ...roles.map((id) => ` <@&${id}>`)].join("");
}
