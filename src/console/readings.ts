import { html } from "hono/html";
import type { Db } from "../db/connection/client.ts";
import { type Message, messagesUnder } from "../db/messages.ts";
import { drawnOf } from "./channel-page.ts";
import { drawCard, type DrawContext } from "./draw.ts";
import type { FlashPlaces } from "./flash.ts";
import type { Html } from "./layout.ts";

/** Returns the readings of replies below these cards that wait to be confirmed. */
export async function openReadings(db: Db, subjects: readonly string[]): Promise<Message[]> {
  const under = await messagesUnder(db, { platform: "console", channel: "main" }, subjects);
  return under.filter((each) => each.subject.startsWith("rp-") && drawnOf(each).card.actions.length > 0);
}

/** Draws the readings below one card, with their buttons. */
export function drawReadings(
  readings: readonly Message[],
  subject: string,
  said: FlashPlaces,
  context: DrawContext,
): Html[] {
  const own = readings.filter(({ threadSubject }) => threadSubject === subject);
  return own.map((each) => html`${drawCard(drawnOf(each), context)}${said.below(each.subject)}`);
}
