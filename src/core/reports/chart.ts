import { formatUsd } from "../money.ts";
import { count } from "../text.ts";
import type { Week, WeekDay } from "./week.ts";

/** The week as a picture: goals verified, claimed, failed and escalated a day as bars, spend a day against its ceiling as a line. */

export type ChartTheme = "light" | "dark";

interface Colours {
  readonly paper: string;
  readonly ink: string;
  readonly faint: string;
  readonly grid: string;
  readonly verified: string;
  readonly claimed: string;
  readonly failed: string;
  readonly escalated: string;
  readonly spend: string;
}

const colours: Readonly<Record<ChartTheme, Colours>> = {
  light: {
    paper: "#ffffff",
    ink: "#1d2320",
    faint: "#5b645f",
    grid: "#d9dedb",
    verified: "#1f6b45",
    claimed: "#7fb89a",
    failed: "#b3261e",
    escalated: "#b26a00",
    spend: "#2b4c9b",
  },
  dark: {
    paper: "#141816",
    ink: "#e8ede9",
    faint: "#a3ada7",
    grid: "#343b37",
    verified: "#5fc795",
    claimed: "#2f6b4c",
    failed: "#f2786d",
    escalated: "#e8b04f",
    spend: "#8fb0ff",
  },
};

export const chartSize = { width: 900, height: 480 };

const box = { left: 60, right: 830, top: 90, bottom: 400 };
const kinds = ["verified", "claimed", "failed", "escalated"] as const;

/** The chart as SVG. Everything in it is numbers and fixed words, so there is nothing to escape. */
export function weekChart(week: Week, theme: ChartTheme): string {
  const colour = colours[theme];
  const most = Math.max(4, ...week.days.map((day) => kinds.reduce((sum, kind) => sum + day[kind], 0)));
  const mostSpent = Math.max(week.dayCeilingMicroUsd, ...week.days.map((day) => day.spentMicroUsd), 1);
  const step = (box.right - box.left) / week.days.length;
  const y = (value: number, top: number): number => box.bottom - (value / top) * (box.bottom - box.top);
  const x = (index: number): number => box.left + step * (index + 0.5);
  const points = week.days.map((day, index) => `${round(x(index))},${round(y(day.spentMicroUsd, mostSpent))}`);
  const ceilingY = round(y(week.dayCeilingMicroUsd, mostSpent));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${chartSize.width}" height="${chartSize.height}" viewBox="0 0 ${chartSize.width} ${chartSize.height}" font-family="DejaVu Sans">`,
    `<rect width="100%" height="100%" fill="${colour.paper}"/>`,
    label(box.left, 36, `Week of ${week.from} to ${week.to}`, { fill: colour.ink, size: 20, bold: true }),
    label(
      box.left,
      62,
      `${count(week.complete, "goal")} complete, ${week.failed} failed, ${formatUsd(week.spentMicroUsd)} spent`,
      { fill: colour.faint, size: 14 },
    ),
    ...gridLines(most, colour),
    ...week.days.flatMap((day, index) => bars(day, x(index), Math.min(64, step * 0.6), most, colour)),
    `<line x1="${box.left}" x2="${box.right}" y1="${ceilingY}" y2="${ceilingY}" stroke="${colour.spend}" stroke-dasharray="6 6" stroke-width="1.5"/>`,
    `<polyline points="${points.join(" ")}" fill="none" stroke="${colour.spend}" stroke-width="3"/>`,
    ...points.map(
      (point) =>
        `<circle cx="${point.split(",")[0]}" cy="${point.split(",")[1]}" r="4.5" fill="${colour.paper}" stroke="${colour.spend}" stroke-width="2.5"/>`,
    ),
    label(box.right + 8, ceilingY + 5, formatUsd(week.dayCeilingMicroUsd).replace(/\.00$/, ""), {
      fill: colour.spend,
      size: 13,
    }),
    label(box.right + 8, box.bottom + 5, "$0", { fill: colour.spend, size: 13 }),
    ...week.days.map((day, index) =>
      label(x(index), box.bottom + 26, weekday(day.date), { fill: colour.ink, size: 14, anchor: "middle" }),
    ),
    ...legend(colour),
    "</svg>",
  ].join("\n");
}

/** The same in words, for whoever does not see it. */
export function chartWords(week: Week): string {
  const days = week.days
    .filter((day) => day.spentMicroUsd > 0 || kinds.some((kind) => day[kind] > 0))
    .map((day) => {
      const said = kinds.filter((kind) => day[kind] > 0).map((kind) => `${day[kind]} ${kind}`);
      return `${weekday(day.date)} ${day.date}: ${[...said, `${formatUsd(day.spentMicroUsd)} spent`].join(", ")}`;
    });
  const ceiling = `the day's ceiling is ${formatUsd(week.dayCeilingMicroUsd)}`;
  return `${days.length === 0 ? "Nothing happened" : days.join("; ")}; ${ceiling}.`;
}

function bars(day: WeekDay, middle: number, width: number, most: number, colour: Colours): string[] {
  let bottom = box.bottom;
  return kinds.flatMap((kind) => {
    const height = (day[kind] / most) * (box.bottom - box.top);
    if (height === 0) return [];
    bottom -= height;
    const bar = `<rect x="${round(middle - width / 2)}" y="${round(bottom)}" width="${round(width)}" height="${round(Math.max(height - 2, 1))}" rx="3" fill="${colour[kind]}"/>`;
    const isRoomy = height >= 22;
    return isRoomy
      ? [
          bar,
          label(middle, bottom + height / 2 + 5, String(day[kind]), {
            fill: colour.paper,
            size: 13,
            anchor: "middle",
            bold: true,
          }),
        ]
      : [bar];
  });
}

function gridLines(most: number, colour: Colours): string[] {
  const every = Math.max(1, Math.ceil(most / 5));
  const lines: string[] = [];
  for (let value = 0; value <= most; value += every) {
    const at = round(box.bottom - (value / most) * (box.bottom - box.top));
    lines.push(`<line x1="${box.left}" x2="${box.right}" y1="${at}" y2="${at}" stroke="${colour.grid}"/>`);
    lines.push(label(box.left - 12, at + 5, String(value), { fill: colour.faint, size: 13, anchor: "end" }));
  }
  return lines;
}

function legend(colour: Colours): string[] {
  const entries = [
    ...kinds.map((kind) => ({ words: kind, fill: colour[kind] })),
    { words: "spend a day (dashed: its ceiling)", fill: colour.spend },
  ];
  let x = box.left;
  return entries.flatMap(({ words, fill }) => {
    const at = x;
    x += 34 + words.length * 8.4;
    return [
      `<rect x="${at}" y="444" width="14" height="14" rx="3" fill="${fill}"/>`,
      label(at + 20, 456, words, { fill: colour.ink, size: 13 }),
    ];
  });
}

function label(
  x: number,
  y: number,
  words: string,
  how: { readonly fill: string; readonly size: number; readonly anchor?: string; readonly bold?: boolean },
): string {
  const weight = how.bold === true ? ' font-weight="bold"' : "";
  return `<text x="${round(x)}" y="${round(y)}" fill="${how.fill}" font-size="${how.size}" text-anchor="${how.anchor ?? "start"}"${weight}>${words}</text>`;
}

function weekday(date: string): string {
  return ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][new Date(`${date}T00:00:00Z`).getUTCDay()] ?? "";
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
