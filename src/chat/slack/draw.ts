import type { types } from "@slack/bolt";
import {
  accessibleLabel,
  type Card,
  type CardAction,
  type CardBlock,
  mostAsked,
  type Text,
  withoutLinks,
} from "../../core/cards/card.ts";
import { inBrief } from "../../core/cards/brief.ts";
import { spokenTitle } from "../../core/cards/plain.ts";
import { ofPlatforms } from "../../core/chat-platforms.ts";
import { buttonValue } from "../../core/calls.ts";
import { count, shorten } from "../../core/text.ts";
import { inOneLine } from "../../core/text/bounds.ts";
import { limits } from "./limits.ts";
import { codeBlock, drawText, escapeMrkdwn, mentionOf, drawSentence, type Words } from "./mrkdwn.ts";

/** Cards as Block Kit, cut to Slack's limits so that a card is never rejected for its size. */

export interface Drawn {
  /** The text for notifications, lock screens and screen readers: goal, decision, deadline. */
  readonly text: string;
  readonly blocks: types.KnownBlock[];
}

/** Action ids, by which presses are recognised. */
export const actionIds = { choice: "cos:", menu: "cos:menu" } as const;

interface Room {
  readonly blocks: number;
  readonly json: number;
}

const messageRoom: Room = { blocks: limits.messageBlocks, json: limits.blocksJson };

/** Draws a card as a message. `room`: the space elsewhere, such as in a window, or when other blocks share the message. */
export function drawCard(card: Card, words: Words, room: Room = messageRoom): Drawn {
  const heading = section(`${drawHeading(card, words)}${mentionsOf(card)}`);
  const footer = drawFooter(card, words);
  const left = { blocks: room.blocks - 1 - footer.length, json: room.json - sizeOf([heading, ...footer]) };
  return { text: topText(card, words), blocks: [heading, ...fitBody(card.blocks, words, left), ...footer] };
}

/** Maximum number of mentions in the heading. More are placed below the buttons, so that they do not displace the question. */
const mostInHeading = 3;

/** Draws a card for a channel: its first lines and a Details button. `key`: the message's key. */
export function drawPosted(card: Card, key: string, words: Words): Drawn {
  const asks = ofPlatforms(card.asks ?? [], ["slack"]);
  if (asks.length <= mostInHeading || card.actions.length === 0)
    return drawCard(inBrief({ ...card, asks }, key), words);
  const below = smallPrint(mentionsOf({ asks }).trim());
  const room = { blocks: messageRoom.blocks - 1, json: messageRoom.json - sizeOf([below]) };
  const { text, blocks } = drawCard(inBrief({ ...card, asks: [] }, key), words, room);
  return { text, blocks: [...blocks, below] };
}

/**
 * Draws the body within `room`. Its longest texts are shortened until everything fits. Parts that still do not fit are left out, with a
 * note that says how many.
 */
function fitBody(body: readonly CardBlock[], words: Words, room: Room): types.KnownBlock[] {
  for (const longest of [limits.sectionText, 1500, 800, 400, 200, 160]) {
    const drawn = body.flatMap((block) => drawBlock(block, words, longest));
    if (drawn.length <= room.blocks && sizeOf(drawn) <= room.json) return drawn;
  }
  const drawn = body.flatMap((block) => drawBlock(block, words, 200));
  const kept: types.KnownBlock[] = [];
  for (const block of drawn) {
    const more = smallPrint(`and ${count(drawn.length - kept.length, "more part")}: see the console`);
    if (kept.length + 2 > room.blocks || sizeOf([...kept, block, more]) > room.json) return [...kept, more];
    kept.push(block);
  }
  return kept;
}

function sizeOf(blocks: readonly types.KnownBlock[]): number {
  return JSON.stringify(blocks).length;
}

/** Returns the top-level text of a message: the card in one sentence. */
export function topText(card: Pick<Card, "summary" | "title">, words: Words): string {
  const text = card.summary.trim() === "" ? card.title : card.summary;
  const drawn = drawSentence(shorten(text, limits.topText / 2), words.zone);
  // Escaping can make a text several times as long; then a shorter piece of it is used.
  const fits = drawn.length <= limits.topText ? drawn : drawSentence(shorten(text, limits.topText / 8), words.zone);
  return fits.trim() === "" ? "(no text)" : fits;
}

/** Draws the heading, which is read out first: the title, and for a question also its goal and deadline. */
function drawHeading(card: Card, words: Words): string {
  const rest = card.summary.startsWith(card.title) ? card.summary.slice(card.title.length) : "";
  const title = drawText([{ strong: spokenTitle(card.title) }], words, 600);
  const state = card.state === null ? "" : `  ·  ${escapeMrkdwn(shorten(card.state, 100))}`;
  if (card.lead !== undefined)
    return `${title === "" ? "*·*" : title}: ${drawText(withoutLinks(card.lead), words, 400)}`;
  const tail = card.kind === "checkpoint" && rest.trim() !== "" ? drawSentence(shorten(rest, 400), words.zone) : state;
  return `${title === "" ? "*·*" : title}${tail}`;
}

/** Returns the mentions of the Slack people whom the card notifies; empty when there are none. */
export function mentionsOf({ asks = [] }: Pick<Card, "asks">): string {
  const mentions = asks.flatMap((each) => mentionOf(each) ?? []).slice(0, mostAsked);
  return mentions.map((each) => ` ${each}`).join("");
}

/** Draws one part of a card with every text cut to `longest`. */
function drawBlock(block: CardBlock, words: Words, longest: number): types.KnownBlock[] {
  switch (block.type) {
    case "text":
      return unlessBlank(drawText(block.text, words, longest), section);
    case "note":
      return unlessBlank(drawText(block.text, words, Math.min(longest, limits.contextText)), smallPrint);
    case "fields":
      return inGroups(block.fields, limits.sectionFields).map((fields) => ({
        type: "section",
        fields: fields.map((field) => drawField(field, words, Math.min(longest, limits.fieldText))),
      }));
    case "list":
      return listSections(block.items, words, longest);
    case "picture":
      // Messages contain no pictures; a card that is only a picture is uploaded (pictures.ts).
      return unlessBlank(drawText([block.words], words, Math.min(longest, limits.contextText)), smallPrint);
    case "code":
      return [section(codeBlock(block.text, longest))];
  }
}

function drawField(
  { label, value }: { label: string; value: Text },
  words: Words,
  longest: number,
): types.MrkdwnElement {
  const drawn = drawText(value, words, longest - 50);
  return mrkdwn(`${drawText([{ strong: label }], words, 49)}\n${drawn.trim() === "" ? "–" : drawn}`);
}

function unlessBlank(drawn: string, draw: (text: string) => types.KnownBlock): types.KnownBlock[] {
  return drawn.trim() === "" ? [] : [draw(drawn)];
}

/** Draws lines "• item", as many in each section as fit. */
function listSections(items: readonly Text[], words: Words, longest: number): types.KnownBlock[] {
  const sections: string[] = [];
  for (const item of items) {
    // Indenting makes it at most three times as long.
    const line = `•  ${inOneLine(drawText(item, words, Math.min(longest, 900)), "\n    ")}`;
    const last = sections.at(-1);
    if (last !== undefined && last.length + line.length < limits.sectionText)
      sections[sections.length - 1] = `${last}\n${line}`;
    else sections.push(line);
  }
  return sections.map(section);
}

/**
 * Draws the buttons; a goal also gets the menu with Why and Diff. A button whose call is too long is left out, because Slack would reject
 * the whole card.
 */
function drawFooter(card: Card, words: Words): types.KnownBlock[] {
  const carried = card.actions.filter((action) => buttonValue(action).length <= limits.buttonValue);
  const buttons = carried.slice(0, limits.actionElements - 1).map((action) => drawButton(action, words));
  const menu = card.goalId === undefined ? [] : [drawMenu(card.goalId)];
  if (buttons.length + menu.length === 0) return [];
  return [{ type: "actions", elements: [...buttons, ...menu] }];
}

function drawButton(action: CardAction, words: Words): types.Button {
  return {
    type: "button",
    action_id: shorten(`${actionIds.choice}${action.choice}`, limits.actionId),
    text: plainUpTo(action.label, limits.buttonText),
    value: buttonValue(action),
    accessibility_label: accessibleLabel(action, words.zone, limits.accessibilityLabel),
    ...(action.style === "default" ? {} : { style: action.style }),
  };
}

function drawMenu(goalId: string): types.Overflow {
  const option = (label: string, command: "why" | "diff"): types.PlainTextOption => ({
    text: plainUpTo(label, limits.optionText),
    value: buttonValue({ call: { command, id: goalId } }),
  });
  return { type: "overflow", action_id: actionIds.menu, options: [option("Why", "why"), option("Diff", "diff")] };
}

function section(text: string): types.SectionBlock {
  return { type: "section", text: mrkdwn(text) };
}

/** Draws small grey text. The text must be escaped. */
export function smallPrint(text: string): types.ContextBlock {
  return { type: "context", elements: [mrkdwn(text)] };
}

/** `verbatim`: Slack turns no addresses or names in it into links or mentions. */
function mrkdwn(text: string): types.MrkdwnElement {
  return { type: "mrkdwn", text, verbatim: true };
}

/** Returns text without markup of at most `longest` characters. Empty text becomes a dot, because Slack refuses it. */
export function plainUpTo(text: string, longest: number): types.PlainTextElement {
  const shown = shorten(text.trim(), longest);
  return { type: "plain_text", text: shown === "" ? "·" : shown, emoji: false };
}

function inGroups<Item>(items: readonly Item[], size: number): Item[][] {
  const groups: Item[][] = [];
  for (let at = 0; at < items.length; at += size) groups.push(items.slice(at, at + size));
  return groups;
}
