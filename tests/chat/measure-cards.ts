import type { Page } from "playwright-core";

export interface Measured {
  readonly kind: string;
  /** Of text, before its first button. */
  readonly lines: number;
  /** Where its first button ends below its top, in px; 0 without one. */
  readonly buttons: number;
}

/** Every card of a page as it is laid out. In the page's own language: it runs there. */
export async function measureCards(page: Page): Promise<readonly Measured[]> {
  // The script below answers exactly this.
  return await page.evaluate<Measured[]>(script);
}

const script = `[...document.querySelectorAll("article")].map((card) => {
  const first = card.querySelector("footer.actions, details.rest, footer.menu, details.reply");
  const end = first === null ? Infinity : first.getBoundingClientRect().top + 2;
  const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
  const rects = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(node);
    rects.push(...[...range.getClientRects()].filter((rect) => rect.width > 1 && rect.height > 1 && rect.bottom <= end));
  }
  const middles = rects.map((rect) => (rect.top + rect.bottom) / 2).sort((one, other) => one - other);
  const lines = middles.filter((middle, index) => index === 0 || middle - middles[index - 1] > 7).length;
  const actions = card.querySelector("footer.actions");
  const bottom = actions === null ? 0 : (actions.firstElementChild ?? actions).getBoundingClientRect().bottom;
  const top = card.getBoundingClientRect().top;
  return { kind: card.dataset.kind ?? "", lines, buttons: actions === null ? 0 : Math.round(bottom - top) };
})`;
