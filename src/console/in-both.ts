import { html } from "hono/html";
import { twoWidths } from "../core/cards/two-widths.ts";
import type { Html } from "./layout.ts";

/** Draws the contents of a narrow and of a wide page (`app.css`); the parts that are the same are drawn once. */
export function inBoth<T>(narrow: readonly T[], wide: readonly T[], draw: (each: readonly T[]) => Html[]): Html[] {
  const parts = twoWidths(narrow, wide);
  const only = (width: string, part: readonly T[]): Html[] =>
    part.length === 0 ? [] : [html`<div class="${width}">${draw(part)}</div>`];
  return [...draw(parts.before), ...only("narrow", parts.narrow), ...only("wide", parts.wide), ...draw(parts.after)];
}

/** Like `inBoth`, for a title, because a heading may not contain blocks. */
export function titleInBoth(narrow: string, wide: string): Html {
  if (narrow === wide) return html`<bdi>${narrow}</bdi>`;
  return html`<bdi class="narrow">${narrow}</bdi><bdi class="wide">${wide}</bdi>`;
}
