import { html } from "hono/html";
import { drawFlash, type Flash } from "./flash.ts";
import { drawCard, type DrawContext, privateAnswer } from "./draw.ts";
import { type Html, page, type PageName } from "./layout.ts";

/** Draws a page with the answer of one command. */
export function cardPage(
  title: string,
  current: PageName,
  { said, drawing }: { said: Flash; drawing: DrawContext },
): Html {
  const { card } = said;
  const drawn = { elementId: privateAnswer, changed: 0, at: new Date(0), isReply: false, isBrief: false };
  return page(
    title,
    current,
    html`<h1 class="visually-hidden">${title}</h1>
${card === null ? drawFlash(said, drawing) : drawCard({ ...drawn, card }, drawing)}`,
  );
}
