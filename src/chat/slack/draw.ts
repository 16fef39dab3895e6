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

/** Cards as Block Kit: everything clamped to Slack's limits, so that a card is never rejected for its size. */

export interface Drawn {
  /** What notifications, lock screens and screen readers get: goal, decision, deadline. */
  readonly text: string;
  readonly blocks: types.KnownBlock[];
}

/** Ids by which presses come back. */
export const actionIds = { choice: "cos:", menu: "cos:menu" } as const;

interface Room {
  readonly blocks: number;
  readonly json: number;
}

const messageRoom: Room = { blocks: limits.messageBlocks, json: limits.blocksJson };

/** A card as a message. `room`: of another place, such as a window, or one that several cards share. */
export function drawCard(card: Card, words: Words, room: Room = messageRoom): Drawn {
  const heading = section(`${drawHeading(card, words)}${mentionsOf(card)}`);
  const footer = drawFooter(card, words);
  const left = { blocks: room.blocks - 1 - footer.length, json: room.json - sizeOf([heading, ...footer]) };
  return { text: topText(card, words), blocks: [heading, ...fitBody(card.blocks, words, left), ...footer] };
}

/** More people than these are mentioned below the buttons: above them they would take the lines of what is asked. */
const mostInHeading = 3;

/** A card as a channel shows it: its first lines, and Details. `key`: its message. */
export function drawPosted(card: Card, key: string, words: Words): Drawn {
  const asks = ofPlatforms(card.asks ?? [], ["slack"]);
  if (asks.length <= mostInHeading || card.actions.length === 0)
    return drawCard(inBrief({ ...card, asks }, key), words);
  const below = smallPrint(mentionsOf({ asks }).trim());
  const room = { blocks: messageRoom.blocks - 1, json: messageRoom.json - sizeOf([below]) };
  const { text, blocks } = drawCard(inBrief({ ...card, asks: [] }, key), words, room);
  return { text, blocks: [...blocks, below] };
}

/** Its longest texts are shortened until everything fits; what still does not fit is left out, and that is said. */
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

/** The top-level text of a message: the card in one sentence. */
export function topText(card: Pick<Card, "summary" | "title">, words: Words): string {
  const text = card.summary.trim() === "" ? card.title : card.summary;
  const drawn = drawSentence(shorten(text, limits.topText / 2), words.zone);
  // Hostile text may double in length when it is escaped: then it is cut once more.
  const fits = drawn.length <= limits.topText ? drawn : drawSentence(shorten(text, limits.topText / 8), words.zone);
  return fits.trim() === "" ? "(no text)" : fits;
}

/** The first thing that is read out: the title, and of a question also its goal and deadline. */
function drawHeading(card: Card, words: Words): string {
  const rest = card.summary.startsWith(card.title) ? card.summary.slice(card.title.length) : "";
  const title = drawText([{ strong: spokenTitle(card.title) }], words, 600);
  const state = card.state === null ? "" : `  ·  ${escapeMrkdwn(shorten(card.state, 100))}`;
  if (card.lead !== undefined)
    return `${title === "" ? "*·*" : title}: ${drawText(withoutLinks(card.lead), words, 400)}`;
  const tail = card.kind === "checkpoint" && rest.trim() !== "" ? drawSentence(shorten(rest, 400), words.zone) : state;
  return `${title === "" ? "*·*" : title}${tail}`;
}

/** Whom the card notifies, of those who are in Slack; empty when it notifies nobody. */
export function mentionsOf({ asks = [] }: Pick<Card, "asks">): string {
  const mentions = asks.flatMap((each) => mentionOf(each) ?? []).slice(0, mostAsked);
  return mentions.map((each) => ` ${each}`).join("");
}

/** One part of a card, no text in it longer than `longest`. */
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
      // Messages hold no pictures of ours: one that is a card of its own is uploaded (pictures.ts).
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

/** Lines "• item", as many to a section as fit. */
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

/** The buttons, and for a goal the menu with Why and Diff. One that could not carry its call would lose the whole card. */
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

/** Small grey text. Its spans are escaped before. */
export function smallPrint(text: string): types.ContextBlock {
  return { type: "context", elements: [mrkdwn(text)] };
}

/** `verbatim`: addresses and names in it are not turned into links or mentions. */
function mrkdwn(text: string): types.MrkdwnElement {
  return { type: "mrkdwn", text, verbatim: true };
}

/** Text without markup, at most `longest` characters; Slack refuses empty text, so that is a dot. */
export function plainUpTo(text: string, longest: number): types.PlainTextElement {
  const shown = shorten(text.trim(), longest);
  return { type: "plain_text", text: shown === "" ? "·" : shown, emoji: false };
}

function inGroups<Item>(items: readonly Item[], size: number): Item[][] {
  const groups: Item[][] = [];
  for (let at = 0; at < items.length; at += size) groups.push(items.slice(at, at + size));
  return groups;
}
