import { label, niceStep, rect, round } from "./drawing.ts";

/**
 * Plots over days, in the colours of the page that contains them (CSS variables): bars with a ceiling, and rising lines. They are small
 * enough for a phone. They contain only numbers, dates and fixed words, so nothing is escaped.
 */

export const plotSize = { width: 480, height: 210 };

const panel = { left: 46, right: 472, top: 16, bottom: 158 };
const legendY = 198;

/** The meaning of a bar's part or of a line. Each kind has the same colour everywhere. */
export type PlotKind = "good" | "helped" | "spend" | "over" | "plan" | "claimed";

const colours: Readonly<Record<PlotKind | "ink" | "grid", string>> = {
  good: "var(--good)",
  helped: "var(--ask)",
  spend: "var(--accent)",
  over: "var(--bad)",
  plan: "var(--soft)",
  claimed: "var(--soft)",
  ink: "var(--soft)",
  grid: "var(--line)",
};

export interface PlotBar {
  /** The name below the bar: "2026-01-27", or "day 3". Only the first and the last name are drawn. */
  readonly name: string;
  /** From the bottom up. */
  readonly parts: readonly { readonly kind: PlotKind; readonly value: number }[];
  /** The bar in words, shown when the pointer is on it. */
  readonly words: string;
}

export interface BarsPlot {
  readonly bars: readonly PlotBar[];
  /** A line across all bars. Null when there is none. */
  readonly ceiling: number | null;
  /** Formats a value of the axis: "$20", "3 h". */
  readonly format: (value: number) => string;
  /** The unit of the axis' steps: 1 for numbers, 3,600,000 for hours in milliseconds. */
  readonly unit: number;
  readonly legend: readonly { readonly kind: PlotKind; readonly words: string }[];
}

/** Bars of days, with stacked parts. */
export function barsPlot({ bars, ceiling, format, unit, legend }: BarsPlot): string {
  const total = ({ parts }: PlotBar): number => parts.reduce((sum, part) => sum + part.value, 0);
  const axis = axisFor(Math.max(ceiling ?? 0, ...bars.map(total)), unit);
  const step = (panel.right - panel.left) / Math.max(1, bars.length);
  const drawn = bars.map((bar, index) => {
    const x = panel.left + step * (index + 0.15);
    let below = 0;
    const parts = bar.parts.flatMap(({ kind, value }) => {
      if (value <= 0) return [];
      const top = axis.y(below + value);
      const height = Math.max(1, axis.y(below) - top);
      below += value;
      return [rect({ x, y: top, width: step * 0.7, height }, colours[kind], kind)];
    });
    return `<g><title>${bar.words}</title>${parts.join("")}</g>`;
  });
  return [
    ...axisLines(axis, format),
    ...drawn,
    ...(ceiling === null ? [] : [dashed(axis.y(ceiling))]),
    ...names(bars.map(({ name }) => name)),
    ...legendOf(legend),
  ].join("");
}

export interface PlotLine {
  readonly kind: PlotKind;
  readonly words: string;
  readonly isDashed: boolean;
  /** Starts at the first name. Shorter than the names if the line ends earlier. */
  readonly values: readonly number[];
}

/** Lines over the same names, such as the planned and the done goals after each day. */
export function linesPlot(all: readonly string[], lines: readonly PlotLine[]): string {
  const axis = axisFor(Math.max(0, ...lines.flatMap(({ values }) => values)), 1);
  const step = (panel.right - panel.left) / Math.max(1, all.length);
  const x = (index: number): number => round(panel.left + step * (index + 0.5));
  const drawn = lines.map(({ kind, isDashed, values }) => {
    const points = values.map((value, index) => `${x(index)},${axis.y(value)}`).join(" ");
    const dash = isDashed ? ' stroke-dasharray="6 5"' : "";
    const last = values.length - 1;
    const end =
      isDashed || last < 0
        ? ""
        : `<circle cx="${x(last)}" cy="${axis.y(values[last] ?? 0)}" r="4" fill="${colours[kind]}"/>`;
    return `<polyline class="${kind}" points="${points}" fill="none" stroke="${colours[kind]}" stroke-width="2.5"${dash}/>${end}`;
  });
  return [...axisLines(axis, String), ...drawn, ...names(all), ...legendOf(lines)].join("");
}

interface Axis {
  readonly y: (value: number) => number;
  readonly marks: readonly number[];
}

/** An axis from 0 to at least the value, in round numbers of units. */
function axisFor(value: number, unit: number): Axis {
  const every = niceStep(Math.max(1, value / unit)) * unit;
  const most = Math.max(every, Math.ceil(value / every) * every);
  const marks = Array.from({ length: Math.round(most / every) + 1 }, (_, index) => index * every);
  return { y: (at) => round(panel.bottom - (at / most) * (panel.bottom - panel.top)), marks };
}

function axisLines({ y, marks }: Axis, format: (value: number) => string): string[] {
  return marks.flatMap((mark) => [
    `<line x1="${panel.left}" x2="${panel.right}" y1="${y(mark)}" y2="${y(mark)}" stroke="${colours.grid}"/>`,
    label(panel.left - 6, y(mark) + 4, format(mark), { fill: colours.ink, size: 12, anchor: "end" }),
  ]);
}

function dashed(y: number): string {
  return `<line class="ceiling" x1="${panel.left}" x2="${panel.right}" y1="${y}" y2="${y}" stroke="${colours.over}" stroke-width="1.5" stroke-dasharray="6 5"/>`;
}

function names(all: readonly string[]): string[] {
  const how = { fill: colours.ink, size: 12 };
  const [first, last] = [all[0], all.at(-1)];
  return [
    ...(first === undefined ? [] : [label(panel.left, panel.bottom + 17, first, how)]),
    ...(last === undefined || all.length < 2
      ? []
      : [label(panel.right, panel.bottom + 17, last, { ...how, anchor: "end" })]),
  ];
}

function legendOf(
  entries: readonly { readonly kind: PlotKind; readonly words: string; readonly isDashed?: boolean }[],
): string[] {
  let x = panel.left;
  return entries.flatMap(({ kind, words, isDashed }) => {
    const at = x;
    x += 38 + words.length * 6.6;
    const mark =
      isDashed === undefined
        ? rect({ x: at, y: legendY - 10, width: 12, height: 12 }, colours[kind])
        : `<line x1="${at}" x2="${at + 14}" y1="${legendY - 4}" y2="${legendY - 4}" stroke="${colours[kind]}" stroke-width="2.5"${isDashed ? ' stroke-dasharray="4 3"' : ""}/>`;
    return [mark, label(at + 20, legendY, words, { fill: colours.ink, size: 12 })];
  });
}
