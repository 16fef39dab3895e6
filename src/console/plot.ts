import { html, raw } from "hono/html";
import { plotSize } from "../core/reports/plots.ts";
import type { Html } from "./layout.ts";

/**
 * Draws a plot with its title, and with `words` for people who cannot see it. `drawn` is not escaped; it may contain only numbers and
 * fixed words.
 */
export function drawPlot(title: string, drawn: string, words: string): Html {
  const { width, height } = plotSize;
  return html`<figure class="plot"><figcaption>${title}</figcaption><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${words}">${raw(drawn)}</svg></figure>`;
}
