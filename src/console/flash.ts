import { html } from "hono/html";
import { type Card, nextSpans } from "../core/cards/card.ts";
import { drawCard, type DrawContext, drawText, privateAnswer } from "./draw.ts";
import type { Html } from "./layout.ts";

/** What a command answered, for whoever asked alone. */
export interface Flash {
  readonly tone: "good" | "bad";
  readonly line: string;
  readonly next: string | null;
  readonly card: Card | null;
  /** The element that it answers, below which it stands; absent: it stands apart. */
  readonly about?: string;
}

/** The element of what was said. */
export const saidId = "said";

/** Where what was said stands on a page. */
export interface FlashPlaces {
  /** It, below an element that it is about. */
  below(elementId: string): Html | "";
  /** It, where the page has no such element. */
  readonly apart: Html | "";
}

/** Below what it is about, if that is among `shown`: so it is seen where somebody pressed. Null: nothing was said. */
export function placeFlash(flash: Flash | null, shown: readonly string[], context: DrawContext): FlashPlaces {
  const about = shown.find((each) => each === flash?.about) ?? null;
  return {
    below: (elementId) => (elementId === about ? drawFlash(flash, context) : ""),
    apart: about === null ? drawFlash(flash, context) : "",
  };
}

/** What a command answered; null: nothing was asked. It has the focus on a page whose address leads nowhere else. */
export function drawFlash(flash: Flash | null, context: DrawContext): Html | "" {
  if (flash === null) return "";
  return html`<section id="${saidId}" class="flash ${flash.tone}" role="status" aria-label="Only you see this" tabindex="-1" autofocus>
  <p>${flash.line}${flash.next === null ? "" : html` ${drawText(nextSpans(flash.next), context.zone)}`}</p>
  ${flash.card === null ? "" : drawCard({ elementId: privateAnswer, card: flash.card, changed: 0, at: new Date(0), isReply: false, isBrief: false }, context)}
  <span class="note">Only you see this.</span>
</section>`;
}
