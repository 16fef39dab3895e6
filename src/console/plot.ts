import { html, raw } from "hono/html";
import { plotSize } from "../core/reports/plots.ts";
import type { Html } from "./layout.ts";

/** A plot with its title, and in words for whoever does not see it. `drawn` holds numbers and fixed words only. */
export function drawPlot(title: string, drawn: string, words: string): Html {
  const { width, height } = plotSize;
  return html`<figure class="plot"><figcaption>${title}</figcaption><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${words}">${raw(drawn)}</svg></figure>`;
}
