import { html, raw } from "hono/html";
import type { Html } from "./layout.ts";

/** A day of a row of bars. */
export interface DayBar {
  /** "2026-01-27". */
  readonly date: string;
  readonly value: number;
}

const [width, height] = [720, 200];
const panel = { left: 8, right: 640, top: 20, bottom: 172 };

/** Bars of days as SVG in the page's own colours; what is above the ceiling stands out, and each bar says what it is. */
export function drawBars(
  days: readonly DayBar[],
  {
    ceiling,
    words,
    format,
  }: { readonly ceiling: number; readonly words: string; readonly format: (value: number) => string },
): Html {
  const most = Math.max(ceiling, ...days.map((day) => day.value), 1) * 1.05;
  const step = (panel.right - panel.left) / days.length;
  const y = (value: number): number => round(panel.bottom - (value / most) * (panel.bottom - panel.top));
  const bar = (day: DayBar, index: number) => {
    const x = round(panel.left + step * index + step * 0.15);
    const part = (kind: string, from: number, to: number) =>
      to <= from
        ? ""
        : `<rect class="${kind}" x="${x}" y="${y(to)}" width="${round(step * 0.7)}" height="${Math.max(1, round(y(from) - y(to)))}"/>`;
    const within = Math.min(day.value, ceiling);
    return `<g><title>${day.date}: ${format(day.value)}</title>${part("within", 0, within)}${part("over", ceiling, day.value)}</g>`;
  };
  const label = (index: number, anchor: string) =>
    `<text x="${round(panel.left + step * (index + 0.5))}" y="${panel.bottom + 20}" text-anchor="${anchor}">${days[index]?.date ?? ""}</text>`;
  // Numbers, dates and fixed words only: there is nothing in it to escape.
  const drawing = [
    ...days.map(bar),
    `<line class="base" x1="${panel.left}" x2="${panel.right}" y1="${panel.bottom}" y2="${panel.bottom}"/>`,
    `<line class="ceiling" x1="${panel.left}" x2="${panel.right}" y1="${y(ceiling)}" y2="${y(ceiling)}"/>`,
    `<text x="${panel.right + 6}" y="${y(ceiling) + 4}">${format(ceiling)}</text>`,
    label(0, "start"),
    label(days.length - 1, "end"),
  ].join("");
  return html`<svg class="bars" viewBox="0 0 ${width} ${height}" role="img" aria-label="${words}">${raw(drawing)}</svg>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
