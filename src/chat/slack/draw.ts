import type { types } from "@slack/bolt";
import { accessibleLabel, type Card, type CardAction, type CardBlock, type Text } from "../../core/cards/card.ts";
import { shorten } from "../../core/text.ts";
import { limits } from "./limits.ts";
import { codeBlock, drawText, escapeMrkdwn, sentence, type Words } from "./mrkdwn.ts";

/** Cards as Block Kit: everything clamped to Slack's limits, so that a card is never rejected for its size. */

export interface Drawn {
  /** What notifications, lock screens and screen readers get: goal, decision, deadline. */
  readonly text: string;
  readonly blocks: types.KnownBlock[];
}

/** Ids by which presses come back. */
export const actionIds = { choice: "cos:", menu: "cos:menu" } as const;

/** A card as a message. `room` limits its blocks where several share a place. */
export function drawCard(card: Card, words: Words, room: number = limits.messageBlocks): Drawn {
  const footer = drawFooter(card, words);
  const body = [drawHeading(card, words), ...card.blocks.flatMap((block) => drawBlock(block, words))];
  const shown = fitCount(body, room - footer.length);
  const blocks = fitSize([...shown, ...footer]);
  return { text: topText(card, words), blocks };
}

/** The top-level text of a message: the card in one sentence. */
export function topText(card: Pick<Card, "summary" | "title">, words: Words): string {
  const text = card.summary.trim() === "" ? card.title : card.summary;
  const drawn = sentence(shorten(text, limits.topText / 2), words.zone);
  // Hostile text may double in length when it is escaped: then it is cut once more.
  const fits = drawn.length <= limits.topText ? drawn : sentence(shorten(text, limits.topText / 8), words.zone);
  return fits.trim() === "" ? "(no text)" : fits;
}

/** The first thing that is read out: the title, and of a question also its goal and deadline. */
function drawHeading(card: Card, words: Words): types.KnownBlock {
  const rest = card.summary.startsWith(card.title) ? card.summary.slice(card.title.length) : "";
  const title = drawText([{ strong: card.title }], words, 600);
  const state = card.state === null ? "" : `  ·  ${escapeMrkdwn(shorten(card.state, 100))}`;
  const tail = card.kind === "checkpoint" && rest.trim() !== "" ? sentence(shorten(rest, 400), words.zone) : state;
  return section(`${title === "" ? "*·*" : title}${tail}`);
}

function drawBlock(block: CardBlock, words: Words): types.KnownBlock[] {
  switch (block.type) {
    case "text":
      return textSections(block.text, words);
    case "note":
      return isBlank(block.text) ? [] : [note(drawText(block.text, words, limits.contextText))];
    case "fields":
      return inGroups(block.fields, limits.sectionFields).map((fields) => ({
        type: "section",
        fields: fields.map(({ label, value }) =>
          mrkdwn(drawText([{ strong: label }, "\n", ...(isBlank(value) ? ["–"] : value)], words, limits.fieldText)),
        ),
      }));
    case "list":
      return listSections(block.items, words);
    case "code":
      return [section(codeBlock(block.text, limits.sectionText))];
  }
}

function textSections(text: Text, words: Words): types.KnownBlock[] {
  return isBlank(text) ? [] : [section(drawText(text, words, limits.sectionText))];
}

/** Lines "• item", as many to a section as fit. */
function listSections(items: readonly Text[], words: Words): types.KnownBlock[] {
  const sections: string[] = [];
  for (const item of items) {
    const line = `•  ${drawText(item, words, 1000).replaceAll("\n", "\n    ")}`;
    const last = sections.at(-1);
    if (last !== undefined && last.length + line.length < limits.sectionText) sections[sections.length - 1] = `${last}\n${line}`;
    else sections.push(line);
  }
  return sections.map(section);
}

/** The buttons, and for a goal the menu with Why and Diff. */
function drawFooter(card: Card, words: Words): types.KnownBlock[] {
  const buttons = card.actions.slice(0, limits.actionElements - 1).map((action) => drawButton(action, words));
  const menu = card.goalId === undefined ? [] : [drawMenu(card.goalId)];
  if (buttons.length + menu.length === 0) return [];
  return [{ type: "actions", elements: [...buttons, ...menu] }];
}

function drawButton(action: CardAction, words: Words): types.Button {
  return {
    type: "button",
    action_id: shorten(`${actionIds.choice}${action.choice}`, limits.actionId),
    text: plain(action.label, limits.buttonText),
    value: shorten(action.value, limits.buttonValue),
    accessibility_label: accessibleLabel(action, words.zone, limits.accessibilityLabel),
    ...(action.style === "default" ? {} : { style: action.style }),
  };
}

function drawMenu(goalId: string): types.Overflow {
  const option = (label: string, command: string): types.PlainTextOption => ({
    text: plain(label, limits.optionText),
    value: shorten(`${command} ${goalId}`, limits.optionValue),
  });
  return { type: "overflow", action_id: actionIds.menu, options: [option("Why", "why"), option("Diff", "diff")] };
}

/** At most `most` blocks; what is left out is said. */
function fitCount(blocks: types.KnownBlock[], most: number): types.KnownBlock[] {
  if (blocks.length <= most) return blocks;
  return [...blocks.slice(0, most - 1), note(`and ${blocks.length - most + 1} more parts: see the console`)];
}

/** Shortens the longest text until all blocks together are accepted; heading and buttons stay. */
function fitSize(blocks: types.KnownBlock[]): types.KnownBlock[] {
  let fitting = blocks;
  while (JSON.stringify(fitting).length > limits.blocksJson) {
    const sizes = fitting.map((block, index) => (index === 0 || block.type === "actions" ? 0 : JSON.stringify(block).length));
    const largest = sizes.indexOf(Math.max(...sizes));
    const shorter = halved(fitting[largest]);
    fitting = fitting.flatMap((block, index) => (index === largest ? shorter : [block]));
  }
  return fitting;
}

/** The block with half of its text, or nothing when there is little left to take. */
function halved(block: types.KnownBlock | undefined): types.KnownBlock[] {
  if (block?.type !== "section") return [];
  if (block.fields !== undefined) return block.fields.length > 1 ? [{ ...block, fields: block.fields.slice(0, -1) }] : [];
  const text = block.text?.text ?? "";
  if (text.length < 200) return [];
  const isCode = text.startsWith("```");
  const lines = text.slice(0, text.length / 2).split("\n");
  // Cut at the end of a line: no entity and no token reaches over one.
  const kept = lines.length > 1 ? lines.slice(0, -1).join("\n") : cutBeforeToken(lines[0] ?? "");
  return kept.trim() === "" ? [] : [section(`${kept}\n…${isCode ? "\n```" : ""}`)];
}

function cutBeforeToken(line: string): string {
  const open = Math.max(line.lastIndexOf("<"), line.lastIndexOf("&"));
  const isOpen = open !== -1 && !/[>;]/.test(line.slice(open));
  return isOpen ? line.slice(0, open) : line;
}

function section(text: string): types.SectionBlock {
  return { type: "section", text: mrkdwn(text) };
}

export function note(text: string): types.ContextBlock {
  return { type: "context", elements: [mrkdwn(text)] };
}

/** `verbatim`: addresses and names in it are not turned into links or mentions. */
function mrkdwn(text: string): types.MrkdwnElement {
  return { type: "mrkdwn", text, verbatim: true };
}

export function plain(text: string, longest: number): types.PlainTextElement {
  const shown = shorten(text.trim(), longest);
  return { type: "plain_text", text: shown === "" ? "·" : shown, emoji: false };
}

function isBlank(text: Text): boolean {
  return text.every((span) => (typeof span === "string" ? span : "strong" in span ? span.strong : "x").trim() === "");
}

function inGroups<Item>(items: readonly Item[], size: number): Item[][] {
  const groups: Item[][] = [];
  for (let at = 0; at < items.length; at += size) groups.push(items.slice(at, at + size));
  return groups;
}
