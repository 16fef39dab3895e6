import { html } from "hono/html";
import { twoWidths } from "../core/cards/two-widths.ts";
import type { Html } from "./layout.ts";

/** What a narrow page shows and what a wide one does (`app.css`): once where that is the same. */
export function inBoth<T>(narrow: readonly T[], wide: readonly T[], draw: (each: readonly T[]) => Html[]): Html[] {
  const parts = twoWidths(narrow, wide);
  const only = (width: string, part: readonly T[]): Html[] =>
    part.length === 0 ? [] : [html`<div class="${width}">${draw(part)}</div>`];
  return [...draw(parts.before), ...only("narrow", parts.narrow), ...only("wide", parts.wide), ...draw(parts.after)];
}

/** A title, the same way; a heading holds no blocks. */
export function titleInBoth(narrow: string, wide: string): Html {
  if (narrow === wide) return html`<bdi>${narrow}</bdi>`;
  return html`<bdi class="narrow">${narrow}</bdi><bdi class="wide">${wide}</bdi>`;
}
