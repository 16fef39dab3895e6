import { html } from "hono/html";
import { type Card, nextSpans } from "../core/cards/card.ts";
import { drawCard, type DrawContext, drawText, privateAnswer } from "./draw.ts";
import type { Html } from "./layout.ts";

/** The answer of a command, shown only to the person who ran it. */
export interface Flash {
  readonly tone: "good" | "bad";
  readonly line: string;
  readonly next: string | null;
  readonly card: Card | null;
  /** The id of the element below which the answer is shown; when absent, it is shown apart. */
  readonly about?: string;
}

/** The id of the answer's element. */
export const saidId = "said";

/** Where the answer is drawn on a page. */
export interface FlashPlaces {
  /** Returns the answer when it is about this element, else "". */
  below(elementId: string): Html | "";
  /** The answer, when the page does not have the element that it is about. */
  readonly apart: Html | "";
}

/**
 * Places the answer below the element that it is about, if that is among `shown`, so that it is visible where somebody pressed. `flash`
 * is null when there is no answer.
 */
export function placeFlash(flash: Flash | null, shown: readonly string[], context: DrawContext): FlashPlaces {
  const about = shown.find((each) => each === flash?.about) ?? null;
  return {
    below: (elementId) => (elementId === about ? drawFlash(flash, context) : ""),
    apart: about === null ? drawFlash(flash, context) : "",
  };
}

/** Draws the answer of a command; empty for null. It gets the focus, unless the page's address leads to another element. */
export function drawFlash(flash: Flash | null, context: DrawContext): Html | "" {
  if (flash === null) return "";
  return html`<section id="${saidId}" class="flash ${flash.tone}" role="status" aria-label="Only you see this" tabindex="-1" autofocus>
  <p>${flash.line}${flash.next === null ? "" : html` ${drawText(nextSpans(flash.next), context.zone)}`}</p>
  ${flash.card === null ? "" : drawCard({ elementId: privateAnswer, card: flash.card, changed: 0, at: new Date(0), isReply: false, isBrief: false }, context)}
  <span class="note">Only you see this.</span>
</section>`;
}
