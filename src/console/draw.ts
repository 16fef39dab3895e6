import { html, raw } from "hono/html";
import { type Button, buttonValue, type FormKind, formOf, readButton } from "../core/calls.ts";
import { type Brief, briefOf, detailsLabel } from "../core/cards/brief.ts";
import {
  accessibleLabel,
  type Card,
  type CardAction,
  type CardBlock,
  type Span,
  type Text,
} from "../core/cards/card.ts";
import { criteriaHint } from "../core/cards/forms.ts";
import { plainSentence } from "../core/cards/times-in.ts";
import { takesBudget } from "../core/checkpoints/find-option.ts";
import { chartSize } from "../core/reports/chart.ts";
import { formatSeconds, formatTime } from "../core/time.ts";
import { inBoth, titleInBoth } from "./in-both.ts";
import type { Html } from "./layout.ts";

/** Draws cards for the console. All text is data: escaped by the template and isolated in its own direction. */

export interface DrawContext {
  readonly zone: string;
  readonly csrf: string;
  /** The path to return to after an answer. */
  readonly back: string;
}

/** The element id of an answer that only one person sees; no row is stored for it. */
export const privateAnswer = "private-answer";

export interface DrawnCard {
  /** Unique on the page; live updates replace the element with this id. */
  readonly elementId: string;
  readonly card: Card;
  /** Rises with every change, so that an older version never replaces a newer one. */
  readonly changed: number;
  readonly at: Date;
  readonly isReply: boolean;
  /** True for the first lines with the rest behind Details; false on a page that shows the whole card. */
  readonly isBrief: boolean;
}

/** Draws a card as an `article`; the rest of a brief card is behind *Details*. */
export function drawCard(drawn: DrawnCard, context: DrawContext): Html {
  const { elementId } = drawn;
  const until = drawn.card.actions.find((action) => action.until !== null)?.until ?? null;
  const asked = { ...drawn.card, ...leadOf(drawn.card, until), asks: [] };
  const whole = { card: drawn.card, rest: [] };
  const { narrow, wide } = drawn.isBrief
    ? { narrow: briefOf(asked, "page"), wide: briefOf(asked, "wide page") }
    : { narrow: whole, wide: whole };
  const { card } = narrow;
  const isShort = narrow.rest.length > 0;
  const fits = isShort && wide.rest.length === 0;
  const drawBlocks = (blocks: readonly CardBlock[]) => blocks.map((block) => drawBlock(block, context.zone, elementId));
  return html`<article id="${elementId}" data-changed="${drawn.changed}" class="card ${card.tone} ${card.kind} ${drawn.isReply ? "reply" : ""} ${isShort ? "short" : ""} ${fits ? "fits" : ""}" aria-label="${plainSentence(card.summary, context.zone)}">
  <header>
    <h2>${titleInBoth(card.title, wide.card.title)}</h2>
    <div class="meta">${inBoth(stateOf(narrow), stateOf(wide), (states) => states.map((state) => html`<span class="state">${state}</span>`))}
    ${isShort && until !== null ? html`<span class="until ${fits ? "narrow" : ""}">by ${drawTime(new Date(until), context.zone)}</span>` : ""}
    ${elementId === privateAnswer ? "" : drawTime(drawn.at, context.zone)}</div>
  </header>
  ${inBoth(leadShown(narrow), leadShown(wide), (leads) => leads.map((text) => html`<p>${drawText(text, context.zone)}</p>`))}
  ${inBoth(card.blocks, wide.card.blocks, drawBlocks)}
  ${card.actions.length === 0 ? "" : drawActions(card, elementId, context)}
  ${isShort ? drawDetails(drawn.card, inBoth(narrow.rest, wide.rest, drawBlocks), elementId) : ""}
  ${card.kind === "goal" && card.goalId !== undefined ? drawMenu(card.goalId) : ""}
  ${takesReplies(drawn) ? drawReply(elementId, card.title, context) : ""}
</article>`;
}

/** Shortens the lead of an open question, whose deadline is shown beside its state. */
function leadOf({ lead }: Card, until: string | null): Partial<Card> {
  return lead === undefined || until === null ? {} : { lead: lead.slice(0, 1) };
}

function stateOf({ card }: Brief): readonly string[] {
  return card.state === null ? [] : [card.state];
}

/** Returns the lead; empty when the card is shown whole, because its blocks say the same. */
function leadShown({ card, rest }: Brief): readonly Text[] {
  return rest.length === 0 || card.lead === undefined ? [] : [card.lead];
}

/** Draws the part behind Details; its label contains the full title. */
function drawDetails({ title }: Card, rest: Html[], elementId: string): Html {
  return html`<details class="rest" id="${elementId}-details"><summary aria-label="${detailsLabel}: ${title}">${detailsLabel}</summary>
  ${rest}
</details>`;
}

/** True when the card takes replies: a goal, or a question while it is open. */
function takesReplies({ card, isReply }: DrawnCard): boolean {
  if (card.kind === "checkpoint") return card.actions.length > 0;
  return card.kind === "goal" && !isReply;
}

function drawReply(subject: string, title: string, context: DrawContext): Html {
  const id = `${subject}-reply`;
  return html`<details class="reply" id="${id}"><summary aria-label="Reply: ${title}">Reply…</summary>
  <form method="post" action="/reply"><input type="hidden" name="csrf" value="${context.csrf}"><input type="hidden" name="id" value="${subject}"><input type="hidden" name="back" value="${context.back}">
    <label class="visually-hidden" for="${id}-text">Your reply</label>
    <textarea id="${id}-text" name="text" rows="2" required placeholder="retry: use the other file, skip, or an answer"></textarea>
    <button>Reply</button>
  </form>
</details>`;
}

/** Draws the links that Slack has in a card's menu. */
function drawMenu(goalId: string): Html {
  return html`<footer class="menu"><a href="/goals/${goalId}">Why</a><a href="/goals/${goalId}/diff">Diff</a></footer>`;
}

function drawBlock(block: CardBlock, zone: string, elementId: string): Html {
  switch (block.type) {
    case "text":
      return html`<p>${drawText(block.text, zone)}</p>`;
    case "note":
      return html`<p class="note">${drawText(block.text, zone)}</p>`;
    case "fields":
      return html`<dl>${block.fields.map((field) => html`<div><dt>${field.label}</dt><dd>${drawText(field.value, zone)}</dd></div>`)}</dl>`;
    case "list":
      return html`<ul>${block.items.map((item) => html`<li>${drawText(item, zone)}</li>`)}</ul>`;
    case "picture":
      return drawPicture(elementId === privateAnswer ? null : elementId, block.words);
    case "code":
      return html`<pre tabindex="0">${block.text}</pre>`;
  }
}

/** Draws the picture of a posted card, or of this week (null), for the colour scheme and width of the reader's screen. */
export function drawPicture(subject: string | null, words: string): Html {
  const source = subject === null ? "/weekly.png?" : `/weekly.png?card=${encodeURIComponent(subject)}&`;
  const narrowSource = `${source}shape=narrow&`;
  const narrow = "(max-width: 640px)";
  const dark = "(prefers-color-scheme: dark)";
  return html`<picture><source srcset="${narrowSource}theme=dark" media="${narrow} and ${dark}"><source srcset="${narrowSource}theme=light" media="${narrow}"><source srcset="${source}theme=dark" media="${dark}"><img class="chart" src="${source}theme=light" alt="${words}" width="${chartSize.width}" height="${chartSize.height}"></picture>`;
}

/** Draws spans as HTML, with times in `zone`. */
export function drawText(text: Text, zone: string): Html[] {
  return text.map((span) => drawSpan(span, zone));
}

function drawSpan(span: Span, zone: string): Html {
  if (typeof span === "string") return html`<bdi>${span}</bdi>`;
  if ("strong" in span) return html`<strong><bdi>${span.strong}</bdi></strong>`;
  if ("code" in span) return html`<code>${span.code}</code>`;
  if ("command" in span) return html`<code>cos ${span.command}</code>`;
  if ("link" in span) {
    // With this attribute the page stays open while the file is saved, so its live updates go on.
    const saved = span.isFile === true ? raw(" download") : "";
    return html`<a href="${/^(?:\/|https?:\/\/)/.test(span.to) ? span.to : "/"}"${saved}><bdi>${span.link}</bdi></a>`;
  }
  if ("person" in span) return html`<bdi>${span.person}</bdi>`;
  return (span.withSeconds === true ? drawSeconds : drawTime)(new Date(span.at), zone);
}

/** Draws a time in the configured zone; the page's script converts it to the reader's zone. */
export function drawTime(at: Date, zone: string): Html {
  return html`<time datetime="${at.toISOString()}">${formatTime(at, zone)}</time>`;
}

/** Like `drawTime`, with seconds. */
export function drawSeconds(at: Date, zone: string): Html {
  return html`<time datetime="${at.toISOString()}" data-seconds>${formatSeconds(at, zone)}</time>`;
}

function drawActions(card: Card, elementId: string, context: DrawContext): Html {
  return html`<footer class="actions">${card.actions.map((action) => drawAction(action, elementId, context))}</footer>`;
}

/** Draws a button as a form that posts; a button that needs input opens its fields below it. */
export function drawAction(action: CardAction, elementId: string, context: DrawContext): Html {
  const button = { choice: action.choice, value: buttonValue(action) };
  const call = readButton(button);
  const form = call === null ? null : formOf(call);
  if (form !== null)
    return drawForm({ ...action, ...button, form, isRecommended: action.style === "primary" }, elementId, context, {});
  return html`<form method="post" action="/answer">${hidden(button, context, elementId)}<button class="${action.style}" aria-label="${accessibleLabel(action, context.zone)}">${action.label}</button></form>`;
}

/** The values of a form that was refused, to be shown again. */
export interface Typed {
  readonly instructions?: string;
  readonly criteria?: string;
  readonly budget?: string;
  readonly run?: string;
  readonly error?: string;
}

/** Draws the fields of a button. Values from `typed` replace the fields' initial values. */
export function drawForm(
  action: Button & Omit<CardAction, "call" | "style"> & { readonly form: FormKind; readonly isRecommended?: boolean },
  elementId: string,
  context: DrawContext,
  typed: Typed,
): Html {
  const id = `${elementId}-${action.form}`;
  return html`<details class="modify ${action.isRecommended === true ? "primary" : ""}" id="${id}" ${typed.error === undefined ? "" : raw("open")}>
  <summary aria-label="${accessibleLabel(action, context.zone)}">${action.label}</summary>
  <form method="post" action="/answer">
    ${hidden(action, context, elementId)}
    ${typed.error === undefined ? "" : html`<p class="error" role="alert">${typed.error}</p>`}
    ${fieldsOf(action, typed)}
  </form>
</details>`;
}

function fieldsOf(
  {
    form,
    initial,
    choice,
    takesNoWords,
  }: Pick<CardAction, "initial" | "choice" | "takesNoWords"> & { readonly form: FormKind },
  typed: Typed,
): Html {
  switch (form) {
    case "edit":
      return editFields(typed.run ?? initial ?? "");
    case "modify":
      return modifyFields(typed, takesBudget(choice), takesNoWords === true);
    case "criteria":
      return html`<label>Acceptance criteria <textarea name="criteria" rows="8" required spellcheck="false" placeholder="${criteriaHint}">${typed.criteria ?? ""}</textarea></label>
    <button class="primary">Run them</button>`;
  }
}

function editFields(command: string): Html {
  return html`<label>Command <textarea name="run" rows="3" required spellcheck="false">${command}</textarea></label>
    <button class="primary">Run this instead</button>`;
}

/** `takesNoWords` is sent along, so that a refused form is drawn the same way again. */
function modifyFields(typed: Typed, hasBudget: boolean, takesNoWords: boolean): Html {
  const words = takesNoWords
    ? html`<input type="hidden" name="takesNoWords" value="yes">`
    : html`<label>Instructions <textarea name="instructions" rows="3" placeholder="What should be different?">${typed.instructions ?? ""}</textarea></label>`;
  return html`${words}
    <label>Acceptance criteria <span class="hint">optional</span><textarea name="criteria" rows="2">${typed.criteria ?? ""}</textarea></label>
    ${hasBudget ? html`<label>Ceiling in USD <span class="hint">optional</span><input name="budget" inputmode="decimal" value="${typed.budget ?? ""}"></label>` : ""}
    <button class="primary">Continue with these changes</button>`;
}

function hidden(action: Button, context: DrawContext, elementId: string): Html {
  return html`<input type="hidden" name="csrf" value="${context.csrf}"><input type="hidden" name="call" value="${action.value}"><input type="hidden" name="choice" value="${action.choice}"><input type="hidden" name="back" value="${context.back}"><input type="hidden" name="element" value="${elementId}">`;
}
