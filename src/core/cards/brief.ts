import { type Card, type CardAction, type CardBlock, mostAsked, type Span, type Text, text } from "./card.ts";
import { pictureAlone } from "./picture.ts";
import { shorten } from "../text.ts";
import { inOneLine } from "../text/bounds.ts";
import { cutWords, widthOf } from "../text/width.ts";

/**
 * A card as a channel shows it (F-407): at most eight lines before the buttons on a narrow phone, and *Details* for the rest.
 * The row keeps the whole card: this only chooses what is drawn, so nothing that a card says is lost.
 */

/** Lines before the buttons. */
export const mostLines = 8;
/** Characters of usual width in a line of a phone that is 400 px wide; a page's own fonts may be wide. */
const columnsOf: Readonly<Record<Place, number>> = { chat: 38, page: 30 };
/** The same of output, whose lines a page does not wrap. */
const codeColumns = 34;
/** A title takes no more. */
const titleLines = 2;
/** What a chat's heading takes with its goal and deadline. */
const headingLines = 3;
/** The drawn form of a moment is at most as wide as this. */
const momentWords = "Jan 27th, 2026 10:00 AM";
/** More buttons than this are found on the goal's own page and in the terminal. */
const mostActions = 22;

export const detailsLabel = "Details";

export interface Brief {
  /** What is shown at once; the card itself where all of it fits. */
  readonly card: Card;
  /** The blocks that are not shown whole; empty: there is nothing behind Details. */
  readonly rest: readonly CardBlock[];
}

/** A posted card as a chat draws it. `key`: its message, which Details asks for. */
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

/** All that a card says, for one person: nothing in it is pressed and nobody is notified. */
export function wholeCard(card: Card): Card {
  const { goalId: _goal, asks: _asks, ...rest } = card;
  return { ...rest, actions: [] };
}

/** Where a card is drawn: a chat's heading is one paragraph; a page has the title and the lead below it. */
export type Place = "chat" | "page";

/** Within eight lines: the title, for whom and until when, and then what matters first. */
export function briefOf(card: Card, place: Place): Brief {
  const columns = columnsOf[place];
  const title = cutWords(card.title, titleLines * columns - 3);
  if (pictureAlone(card) !== null) return { card: { ...card, title }, rest: [] };
  const state = card.state === null ? null : cutWords(inOneLine(card.state), columns);
  const fit = (blocks: readonly CardBlock[], under: Card): Filled =>
    fill(blocks, mostLines - linesOfText(headingOf(under, place), columns), columns);
  const whole = fit(card.blocks, card);
  const isCut = title !== card.title || state !== card.state;
  if (whole.rest.length === 0 && !isCut) return { card, rest: [] };

  const wanted = card.brief ?? card.blocks;
  const lead = leadWithin(card.lead, leadWidth({ ...card, title, state }, wanted, place));
  const shown = { ...card, title, state, ...(lead === undefined ? {} : { lead }) };
  const filled = fit(wanted, shown);
  const cut = isCut ? [text({ strong: card.title }, card.state === null ? "" : `  ·  ${card.state}`)] : [];
  return {
    card: { ...shown, blocks: filled.shown },
    rest: [...cut, ...(card.brief === undefined ? filled.rest : card.blocks.map(asWords))],
  };
}

/** As it is drawn: the title with the lead of a question, or with the state, and whom it notifies. */
function headingOf({ title, lead, state, asks = [] }: Card, place: Place): Text {
  if (place === "page") return lead === undefined ? [title] : [title, "\n", ...lead];
  const mentions = asks.slice(0, mostAsked).map((person): Span => ({ person }));
  if (lead !== undefined) return [title, ": ", ...lead, ...mentions];
  return [title, ...(state === null ? [] : ["  ·  ", state]), ...mentions];
}

/** On a page it gives way to what stands below it; in a chat it is what a notification shows. */
function leadWidth(card: Card, wanted: readonly CardBlock[], place: Place): number {
  const columns = columnsOf[place];
  const taken = wanted.reduce((sum, block) => sum + linesOf(block, columns), 0);
  // What stands last gives way to the goal's words.
  if (place === "page") {
    const left = mostLines + 1 - taken - linesOfText([card.title], columns);
    return Math.min(2, Math.max(1, left)) * columns - 2;
  }
  const asked = (card.asks ?? []).length === 0 ? 0 : widthOf(wordsOf({ person: "" }));
  const lines = Math.min(headingLines + 1, Math.max(headingLines, mostLines - taken));
  return Math.max(columns, lines * columns - widthOf(card.title) - asked - 6);
}

/** What it is about gives way to the rest of a lead: the deadline is never cut. */
function leadWithin(lead: Text | undefined, width: number): Text | undefined {
  if (lead === undefined) return undefined;
  const [about, ...more] = lead;
  if (about === undefined) return lead;
  const left = width - more.reduce((sum, span) => sum + widthOf(wordsOf(span)), 0);
  const shown = cutText([about], Math.max(left, 24));
  const [next, ...rest] = cutText(more, width);
  if (next === undefined) return shown;
  // No full stop behind three dots.
  const isCut = shown.map(wordsOf).join("").endsWith("…");
  return [...shown, isCut && typeof next === "string" ? next.replace(/^\./, "") : next, ...rest];
}

interface Filled {
  readonly shown: readonly CardBlock[];
  readonly rest: readonly CardBlock[];
}

/** Blocks in their order until there is no line left; the one that is cut is also in the rest. */
function fill(blocks: readonly CardBlock[], lines: number, columns: number): Filled {
  const shown: CardBlock[] = [];
  const rest: CardBlock[] = [];
  // Lines for what stands further below and gives way to nothing.
  let kept = blocks.reduce((sum, block) => sum + (isKept(block) ? linesOf(block, columns) : 0), 0);
  let left = lines;
  for (const [index, block] of blocks.entries()) {
    const needed = linesOf(block, columns);
    if (isKept(block)) kept -= needed;
    else if (rest.length > 0) {
      rest.push(asWords(block));
      continue;
    }
    const room = left - kept;
    const above = isHeading(block, blocks[index + 1]) ? 1 : 0;
    if (needed + above <= room) {
      shown.push(block);
      left -= needed;
      continue;
    }
    const cut = room < 1 || above > 0 ? null : cutBlock(block, room, columns);
    if (cut !== null) {
      shown.push(cut);
      left -= linesOf(cut, columns);
    }
    rest.push(asWords(block));
  }
  return { shown, rest };
}

function isKept(block: CardBlock): boolean {
  return block.type === "text" && block.isKept === true;
}

/** It stands over the list that follows, and says nothing by itself. */
function isHeading(block: CardBlock, next: CardBlock | undefined): boolean {
  if (block.type !== "text" || next?.type !== "list") return false;
  const [first] = block.text;
  return block.text.length === 1 && typeof first === "object" && "strong" in first;
}

/** A picture is shown once; its words say the same. */
function asWords(block: CardBlock): CardBlock {
  return block.type === "picture" ? text(block.words) : block;
}

function linesOf(block: CardBlock, columns: number): number {
  switch (block.type) {
    case "text":
    case "note":
      return linesOfText(block.text, columns);
    case "fields":
      // The label stands above its value.
      return block.fields.reduce((sum, { value }) => sum + 1 + Math.max(1, linesOfText(value, columns)), 0);
    case "list":
      return block.items.reduce((sum, item) => sum + Math.max(1, linesOfText(["•  ", ...item], columns)), 0);
    case "code":
      return linesOfCode(block.text);
    case "picture":
      return linesOfText([block.words], columns);
  }
}

/** Letters of output are all as wide as each other. */
const isFixed = /^[ -~]*$/;

function linesOfCode(code: string): number {
  const near = code.slice(0, mostLines * codeColumns * 2).split("\n");
  return near.reduce((sum, line) => {
    const width = isFixed.test(line) ? line.length : widthOf(line);
    return sum + Math.max(1, Math.ceil(width / codeColumns));
  }, 0);
}

/** How many lines a text takes; none where nothing is drawn. */
function linesOfText(spans: Text, columns: number): number {
  const words = spans.map(wordsOf).join("");
  if (words.trim() === "") return 0;
  // What is longer than any card does not have to be measured.
  if (words.length > mostLines * columns * 2) return mostLines * 4;
  // Words that do not fit leave room at the end of a line.
  const linesIn = (line: string): number => Math.ceil((widthOf(line) * (line.length > columns ? 1.06 : 1)) / columns);
  return words.split("\n").reduce((sum, line) => sum + Math.max(1, linesIn(line)), 0);
}

function wordsOf(span: Span): string {
  if (typeof span === "string") return span;
  if ("strong" in span) return span.strong;
  if ("code" in span) return span.code;
  if ("command" in span) return `/cos ${span.command}`;
  if ("link" in span) return span.link;
  if ("person" in span) return "@".padEnd(12);
  return momentWords;
}

/** A block in so many lines; null where it cannot be cut. */
function cutBlock(block: CardBlock, lines: number, columns: number): CardBlock | null {
  const width = lines * columns * 0.92 - 2;
  switch (block.type) {
    case "text":
    case "note": {
      const cut = cutText(block.text, width);
      return cut.length === 0 ? null : { ...block, text: cut };
    }
    case "fields":
      return listOf(
        cutItems(
          block.fields.map(({ label, value }) => [{ strong: `${label}: ` }, ...value]),
          lines,
          columns,
        ),
      );
    case "list":
      return listOf(cutItems(block.items, lines, columns));
    case "code":
      return { ...block, text: cutLines(partOf(block.text.split("\n"), lines, block.isEnd === true)) };
    case "picture":
      return { ...block, words: cutWords(inOneLine(block.words), width) };
  }
}

function listOf(items: readonly Text[]): CardBlock | null {
  return items.length === 0 ? null : { type: "list", items };
}

function partOf(all: readonly string[], most: number, isEnd: boolean): readonly string[] {
  return isEnd ? all.slice(-most) : all.slice(0, most);
}

/** As many items as there are lines; one that would take more than two is cut. */
function cutItems(items: readonly Text[], lines: number, columns: number): Text[] {
  const shown: Text[] = [];
  let left = lines;
  for (const item of items) {
    const most = Math.min(2, left);
    if (most < 1) break;
    const isShort = linesOfText(["•  ", ...item], columns) <= most;
    const cut = isShort ? item : cutText(item, most * columns * 0.92 - 5);
    if (cut.length === 0) break;
    shown.push(cut);
    left -= Math.max(1, linesOfText(["•  ", ...cut], columns));
  }
  return shown;
}

/** Lines that do not wrap on a phone. */
export function cutLines(lines: readonly string[]): string {
  return lines
    .map((line) => (line.length > codeColumns ? line.replaceAll(/ {3,80}/g, "  ") : line))
    .map((line) => (isFixed.test(line) ? shorten(line, codeColumns) : cutWords(line, codeColumns)))
    .join("\n");
}

/** Spans in one line of at most that width. */
function cutText(spans: Text, width: number): Text {
  const shown: Span[] = [];
  let left = width;
  for (const span of spans) {
    const words = wordsOf(span);
    const needed = widthOf(words, left);
    if (needed <= left && !words.includes("\n")) {
      shown.push(span);
      left -= needed;
      continue;
    }
    const cut = cutSpan(span, left);
    if (cut === null) return withoutLoose(shown);
    shown.push(cut);
    if (needed > left) return shown;
    left -= needed;
  }
  return shown;
}

/** Words that lead to what is not shown any more: "Answer by", a label with its colon. */
function withoutLoose(shown: readonly Span[]): Text {
  const last = shown.at(-1);
  if (last === undefined) return shown;
  const isLabel = typeof last === "object" && "strong" in last && /:\s*$/.test(last.strong);
  if (isLabel) return withoutLoose(shown.slice(0, -1));
  if (typeof last !== "string" || !/\s$/.test(last)) return shown;
  const end = Math.max(last.lastIndexOf(". "), last.lastIndexOf("; "), last.lastIndexOf(", "));
  return end < 1 ? withoutLoose(shown.slice(0, -1)) : [...shown.slice(0, -1), last.slice(0, end)];
}

/** A moment or a person is whole or not there. */
function cutSpan(span: Span, width: number): Span | null {
  if (width < 2) return null;
  const cut = (words: string): string => cutWords(inOneLine(words), width);
  if (typeof span === "string") return cutWords(span.replaceAll("\n", " "), width);
  if ("strong" in span) return { strong: cut(span.strong) };
  if ("code" in span) return { code: cut(span.code) };
  if ("command" in span) return { command: cut(span.command) };
  if ("link" in span) return { ...span, link: cut(span.link) };
  return null;
}
