import { inOneLine } from "../text/bounds.ts";
import { cutWords, widthOf } from "../text/width.ts";
import { type Card, type CardAction, type CardBlock, mostAsked, type Span, type Text, text } from "./card.ts";
import { countedList, isCounted } from "./counted-list.ts";
import { cutBlock, cutText } from "./cut-block.ts";
import { countLines, linesOfText, mostLines, spanText } from "./drawn-lines.ts";
import { pictureAlone } from "./picture.ts";

/**
 * A card as a channel shows it (F-407): at most eight lines before the buttons on a narrow phone, and *Details* for the rest. The row keeps
 * the whole card. This file only chooses what is drawn, so nothing is lost.
 */

/**
 * Characters of usual width in a line: on a phone that is 400 px wide, and on a page from `48rem` on (`app.css`), whose column does not
 * grow further. A page's own fonts may be wide.
 */
const columnsOf: Readonly<Record<DrawnAt, number>> = { chat: 38, page: 30, "wide page": 64 };
/** Maximum number of lines of a title. */
const titleLines = 2;
/** Lines that a chat's heading takes with its goal and deadline. */
const headingLines = 3;
/** Maximum number of buttons. The others are on the goal's own page and in the terminal. */
const mostActions = 22;

export const detailsLabel = "Details";

export interface Brief {
  /** What is shown at once. The card itself when all of it fits. */
  readonly card: Card;
  /** The blocks that are not shown whole. Empty when *Details* would show nothing more. */
  readonly rest: readonly CardBlock[];
}

/** A posted card as a chat draws it. `key` identifies its message for the Details button. */
export function inBrief(card: Card, key: string): Card {
  const { card: brief, rest } = briefOf(card, "chat");
  if (rest.length === 0) return brief;
  return { ...brief, actions: [...brief.actions.slice(0, mostActions), detailsAction(card, key)] };
}

function detailsAction({ title }: Card, key: string): CardAction {
  return {
    choice: "details",
    label: detailsLabel,
    call: { command: "details", id: key },
    style: "default",
    about: title,
    until: null,
  };
}

/** The whole card, shown to one person: without buttons and without mentions. */
export function wholeCard(card: Card): Card {
  const { goalId: _goal, asks: _asks, ...rest } = card;
  return { ...rest, actions: [] };
}

/** Where a card is drawn. A chat's heading is one paragraph; a page, narrow or wide, puts the lead below the title. */
export type DrawnAt = "chat" | "page" | "wide page";

/** The card within eight lines: the title, who is asked and until when, and then the most important blocks. */
export function briefOf(card: Card, place: DrawnAt): Brief {
  const columns = columnsOf[place];
  const title = cutWords(card.title, titleLines * columns - 3);
  if (pictureAlone(card) !== null) return { card: { ...card, title }, rest: [] };
  const state = card.state === null ? null : cutWords(inOneLine(card.state), columns);
  const fit = (blocks: readonly CardBlock[], under: Card): Filled =>
    fill(blocks, mostLines - linesOfText(headingOf(under, place), columns), columns);
  const whole = fit(card.blocks, card);
  const isCut = title !== card.title || state !== card.state;
  if (whole.rest.length === 0 && !isCut) return { card, rest: [] };

  const wanted = (place === "wide page" ? card.wideBrief : undefined) ?? card.brief ?? card.blocks;
  const lead = leadWithin(card.lead, leadWidth({ ...card, title, state }, wanted, place));
  const shown = { ...card, title, state, ...(lead === undefined ? {} : { lead }) };
  const filled = fit(wanted, shown);
  const cut = isCut ? [text({ strong: card.title }, card.state === null ? "" : `  ·  ${card.state}`)] : [];
  return {
    card: { ...shown, blocks: filled.shown },
    rest: [...cut, ...(card.brief === undefined ? filled.rest : card.blocks.map(asWords))],
  };
}

/** The heading as drawn: the title with a question's lead, or with the state, and the people it mentions. */
function headingOf({ title, lead, state, asks }: Card, place: DrawnAt): Text {
  if (place !== "chat") return lead === undefined ? [title] : [title, "\n", ...lead];
  const mentions = mentioned({ asks: asks ?? [] });
  if (lead !== undefined) return [title, ": ", ...lead, ...mentions];
  return [title, ...(state === null ? [] : ["  ·  ", state]), ...mentions];
}

function mentioned({ asks = [] }: Pick<Card, "asks">): Span[] {
  return asks.slice(0, mostAsked).map((person) => ({ person }));
}

/** On a page the lead is shortened to leave room for the blocks below. In a chat it is what a notification shows, so it gets more. */
function leadWidth(card: Card, wanted: readonly CardBlock[], place: DrawnAt): number {
  const columns = columnsOf[place];
  const taken = wanted.reduce((sum, block) => sum + countLines(block, columns), 0);
  // One line more than fits: the last block gives way to the goal's words.
  if (place !== "chat") {
    const left = mostLines + 1 - taken - linesOfText([card.title], columns);
    return Math.min(2, Math.max(1, left)) * columns - 2;
  }
  const asked = mentioned(card).reduce((sum, span) => sum + widthOf(spanText(span)), 0);
  const lines = Math.min(headingLines + 1, Math.max(headingLines, mostLines - taken));
  return Math.max(columns, lines * columns - widthOf(card.title) - asked - 6);
}

/** Shortens the subject of a lead first, so that the deadline is never cut. */
function leadWithin(lead: Text | undefined, width: number): Text | undefined {
  if (lead === undefined) return undefined;
  const [about, ...more] = lead;
  if (about === undefined) return lead;
  const left = width - more.reduce((sum, span) => sum + widthOf(spanText(span)), 0);
  const shown = cutText([about], Math.max(left, 24));
  const [next, ...rest] = cutText(more, width);
  if (next === undefined) return shown;
  // No full stop after an ellipsis.
  const isCut = shown.map(spanText).join("").endsWith("…");
  return [...shown, isCut && typeof next === "string" ? next.replace(/^\./, "") : next, ...rest];
}

interface Filled {
  readonly shown: readonly CardBlock[];
  readonly rest: readonly CardBlock[];
}

/** Takes blocks in order until no line is left. A block that is cut is also in the rest. */
function fill(blocks: readonly CardBlock[], lines: number, columns: number): Filled {
  const shown: CardBlock[] = [];
  const rest: CardBlock[] = [];
  // Lines reserved for later blocks that are always shown.
  let kept = blocks.reduce((sum, block) => sum + (isKept(block) ? countLines(block, columns) : 0), 0);
  let left = lines;
  for (const [index, block] of blocks.entries()) {
    const needed = countLines(block, columns);
    if (isKept(block)) kept -= needed;
    else if (rest.length > 0) {
      rest.push(asWords(block));
      continue;
    }
    const room = left - kept;
    if (isCounted(block)) {
      const { blocks: counted, isCut } = countedList(block, room, columns);
      shown.push(...counted);
      left -= counted.reduce((sum, each) => sum + countLines(each, columns), 0);
      if (isCut) rest.push(block);
      continue;
    }
    const above = isHeading(block, blocks[index + 1]) ? 1 : 0;
    if (needed + above <= room) {
      shown.push(block);
      left -= needed;
      continue;
    }
    const cut = room < 1 || above > 0 || isWhole(block) ? null : cutBlock(block, room, columns);
    if (cut !== null) {
      shown.push(cut);
      left -= countLines(cut, columns);
    }
    rest.push(asWords(block));
  }
  return { shown, rest };
}

function isKept(block: CardBlock): boolean {
  return block.type === "text" && block.isKept === true;
}

function isWhole(block: CardBlock): boolean {
  return block.type === "text" && block.isWhole === true;
}

/** True for a heading of the list that follows, which says nothing by itself. */
function isHeading(block: CardBlock, next: CardBlock | undefined): boolean {
  if (block.type !== "text" || next?.type !== "list") return false;
  const [first] = block.text;
  return block.text.length === 1 && typeof first === "object" && "strong" in first;
}

/** A picture is shown only once, so the rest has its words. */
function asWords(block: CardBlock): CardBlock {
  return block.type === "picture" ? text(block.words) : block;
}
