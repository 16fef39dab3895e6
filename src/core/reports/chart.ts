import { verifiedCount } from "../cards/tag-words.ts";
import { formatUsd } from "../money.ts";
import { count } from "../text.ts";
import { type ChartTheme, type Colours, colours, type Kind, kinds, kindWords } from "./chart-colours.ts";
import { type ChartLayout, type ChartShape, chartLayout, legendRowAt, legendWidth, lineAt } from "./chart-layout.ts";
import { label, niceStep, rect, round, shortUsd } from "./drawing.ts";
import type { Week, WeekDay } from "./week.ts";

/**
 * The week as a picture of two panels over the same days. The upper one has a bar for each day: goals verified, claimed, not checked,
 * failed and escalated. The lower one shows the cost of each day and its ceiling.
 */

/** The kinds to draw. The rare one, "not checked", only if it occurs. A week that was stored long ago lacks it. */
function kindsIn(days: readonly WeekDay[]): readonly Kind[] {
  return kinds.filter((kind) => kind !== "notChecked" || days.some((day) => day[kind] > 0));
}

/** The size of the wide chart, which messages and files show. The height of a narrow one depends on its texts. */
export const chartSize = { width: 900, height: 560 };

const smallest = { numbered: 16, drawn: 2 };

/** The chart as SVG. Everything in it is numbers and fixed words, so there is nothing to escape. */
export function weekChart(week: Week, theme: ChartTheme, shape: ChartShape = "wide"): string {
  const colour = colours[theme];
  const spent = `${formatUsd(week.spentMicroUsd)} spent${week.spentIsEstimated ? " (estimated)" : ""}`;
  const entries = legendOf(kindsIn(week.days), colour);
  const layout = chartLayout(shape, {
    said: `${sumWords(week)}, ${spent}`,
    ofGoals: dayWords(week),
    legend: entries.map(({ words }) => words),
  });
  const { width, height, left, right, said } = layout;
  const step = (right - left) / week.days.length;
  const x = (index: number): number => left + step * (index + 0.5);
  const columns: Columns = { ...layout, x, barWidth: Math.min(64, step * 0.6) };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="DejaVu Sans">`,
    `<rect width="${width}" height="${height}" fill="${colour.paper}"/>`,
    label(left, 38, `Week of ${week.from} to ${week.to}`, { fill: colour.ink, size: layout.titleSize, bold: true }),
    ...said.map((line, index) => label(left, lineAt(64, index, said.length), line, { fill: colour.faint, size: 14 })),
    ...goalsPanel(week, colour, columns),
    ...week.days.map((day, index) =>
      label(x(index), layout.goals.bottom + 24, weekday(day.date), { fill: colour.ink, size: 14, anchor: "middle" }),
    ),
    ...spendPanel(week, colour, columns),
    ...legend(entries, colour, layout),
    "</svg>",
  ].join("\n");
}

/** The sums of the columns. A goal that was escalated and ended in the same week counts in both, as in the columns. */
function sumWords({ days, complete, verified, guardsOnly }: Week): string {
  const sum = (kind: Kind): number => days.reduce((total, day) => total + day[kind], 0);
  const escalated = sum("escalated");
  const asked = escalated === 0 ? "" : `, ${escalated} escalated`;
  return `${count(complete, "goal")} complete (${verifiedCount({ verified, guardsOnly })}), ${sum("failed")} failed${asked}`;
}

/** The chart in words, for people who do not see it. */
export function chartWords(week: Week): string {
  const days = week.days
    .filter((day) => day.spentMicroUsd > 0 || totalOf(day) > 0)
    .map((day) => {
      const said = [...kindsSaid(day), `${formatUsd(day.spentMicroUsd)} spent`];
      return `${weekday(day.date)} ${day.date}: ${said.join(", ")}`;
    });
  const isTwice = week.days.reduce((sum, day) => sum + totalOf(day), 0) > week.complete + week.failed;
  const twice = isTwice ? "; an escalated goal counts once more on the day on which it ends" : "";
  const ceiling = `the day's ceiling is ${formatUsd(week.dayCeilingMicroUsd)}`;
  return `${days.length === 0 ? "Nothing happened" : days.join("; ")}${twice}; ${ceiling}.`;
}

/** "2 verified, 1 claimed (1 of them accepted by a person), 1 failed". */
function kindsSaid(day: WeekDay): string[] {
  const said = (some: readonly Kind[]): string[] =>
    some.filter((kind) => day[kind] > 0).map((kind) => `${day[kind]} ${kindWords[kind]}`);
  const done = said(kinds.filter(isDone)).join(", ");
  const accepted = day.accepted === undefined ? "" : ` (${day.accepted} of them accepted by a person)`;
  return [...(done === "" ? [] : [`${done}${accepted}`]), ...said(kinds.filter((kind) => !isDone(kind)))];
}

function isDone(kind: Kind): boolean {
  return kind !== "failed" && kind !== "escalated";
}

/** The positions of the days. */
interface Columns extends ChartLayout {
  readonly x: (index: number) => number;
  readonly barWidth: number;
}

function goalsPanel(week: Week, colour: Colours, columns: Columns): string[] {
  const { x, left, right, goals, ofGoals } = columns;
  const every = niceStep(Math.max(4, ...week.days.map(totalOf)));
  const most = Math.max(4, Math.ceil(Math.max(...week.days.map(totalOf)) / every) * every);
  const nothing = week.days.every((day) => totalOf(day) === 0);
  return [
    ...ofGoals.map((line, index) =>
      label(left, lineAt(goals.top - 22, index, ofGoals.length, true), line, { fill: colour.faint, size: 13 }),
    ),
    ...gridLines({ most, every }, colour, columns),
    ...week.days.flatMap((day, index) => bars(day, { middle: x(index), most }, colour, columns)),
    ...(nothing
      ? [
          label((left + right) / 2, (goals.top + goals.bottom) / 2 - 22, "No goal ended in this week", {
            fill: colour.faint,
            size: 15,
            anchor: "middle",
          }),
        ]
      : []),
  ];
}

function dayWords({ days }: Week): string {
  const isAsked = days.some(({ escalated }) => escalated > 0);
  return `Goals a day${isAsked ? "; what was escalated stands where a person was asked, and again where it was completed" : ""}`;
}

/** A day's goals as stacked bars, each with its number if there is room, and the total above them. */
function bars(
  day: WeekDay,
  { middle, most }: { readonly middle: number; readonly most: number },
  colour: Colours,
  { goals, barWidth: width }: Columns,
): string[] {
  let bottom = goals.bottom;
  const drawn = kindsIn([day]).flatMap((kind) => {
    if (day[kind] === 0) return [];
    const height = (day[kind] / most) * (goals.bottom - goals.top);
    bottom -= height;
    const gap = height > 6 ? 2 : 0;
    const bar = rect(
      { x: middle - width / 2, y: bottom, width, height: Math.max(height - gap, smallest.drawn) },
      colour[kind],
    );
    if (height < smallest.numbered) return [bar];
    const number = { fill: colour.on[kind], size: 13, anchor: "middle", bold: true };
    return [bar, label(middle, bottom + (height - gap) / 2 + 5, String(day[kind]), number)];
  });
  const isOfSeveral = kinds.filter((kind) => day[kind] > 0).length > 1;
  if (totalOf(day) === 0 || (!isOfSeveral && goals.bottom - bottom >= smallest.numbered)) return drawn;
  const total = { fill: colour.faint, size: 13, anchor: "middle", halo: colour.paper };
  return [...drawn, label(middle, bottom - 6, String(totalOf(day)), total)];
}

function gridLines(
  { most, every }: { readonly most: number; readonly every: number },
  colour: Colours,
  { left, right, goals }: ChartLayout,
): string[] {
  const lines: string[] = [];
  for (let value = 0; value <= most; value += every) {
    const at = round(goals.bottom - (value / most) * (goals.bottom - goals.top));
    lines.push(`<line x1="${left}" x2="${right}" y1="${at}" y2="${at}" stroke="${colour.grid}"/>`);
    lines.push(label(left - 12, at + 5, String(value), { fill: colour.faint, size: 13, anchor: "end" }));
  }
  return lines;
}

/** The cost of each day. The part above the ceiling has another colour. */
function spendPanel(week: Week, colour: Colours, { x, barWidth, left, right, spend }: Columns): string[] {
  const ceiling = week.dayCeilingMicroUsd;
  // Room above the highest bar for its amount.
  const most = Math.max(ceiling, ...week.days.map((day) => day.spentMicroUsd), 1) * 1.2;
  const y = (microUsd: number): number => spend.bottom - (microUsd / most) * (spend.bottom - spend.top);
  const ceilingY = round(y(ceiling));
  const columns = week.days.flatMap(({ spentMicroUsd: spent }, index) => {
    if (spent === 0) return [];
    const from = x(index) - barWidth / 2;
    const within = Math.min(spent, ceiling);
    const over = spent - within;
    return [
      rect(
        { x: from, y: y(within), width: barWidth, height: Math.max(spend.bottom - y(within), smallest.drawn) },
        colour.spend,
      ),
      ...(over === 0
        ? []
        : [rect({ x: from, y: y(spent), width: barWidth, height: y(within) - y(spent) }, colour.failed)]),
    ];
  });
  const amounts = week.days.flatMap(({ spentMicroUsd: spent }, index) => {
    if (spent === 0) return [];
    const isOver = spent > ceiling;
    const how = { fill: isOver ? colour.failed : colour.ink, size: 12, anchor: "middle", bold: isOver };
    return [label(x(index), y(spent) - 5, shortUsd(spent), { ...how, halo: colour.paper })];
  });
  return [
    label(left, spend.top - 10, "Spend a day", { fill: colour.faint, size: 13 }),
    `<line x1="${left}" x2="${right}" y1="${spend.bottom}" y2="${spend.bottom}" stroke="${colour.grid}"/>`,
    ...columns,
    `<line x1="${left}" x2="${right}" y1="${ceilingY}" y2="${ceilingY}" stroke="${colour.spend}" stroke-dasharray="6 6" stroke-width="1.5"/>`,
    ...amounts,
    label(right + 8, ceilingY + 5, shortUsd(ceiling), { fill: colour.spend, size: 13 }),
    label(left - 12, spend.bottom + 5, "$0", { fill: colour.faint, size: 13, anchor: "end" }),
  ];
}

interface LegendEntry {
  readonly words: string;
  readonly fill: string;
  readonly isLine: boolean;
}

function legendOf(drawn: readonly Kind[], colour: Colours): readonly LegendEntry[] {
  return [
    ...drawn.map((kind) => ({ words: kindWords[kind], fill: colour[kind], isLine: false })),
    { words: "spend", fill: colour.spend, isLine: false },
    { words: "ceiling of a day", fill: colour.spend, isLine: true },
  ];
}

function legend(
  entries: readonly LegendEntry[],
  colour: Colours,
  { left, legendY, legendRows }: ChartLayout,
): string[] {
  let next = 0;
  return legendRows.flatMap((number, row) => {
    const top = legendRowAt(legendY, row);
    let x = left;
    return entries.slice(next, (next += number)).flatMap(({ words, fill, isLine }) => {
      const at = x;
      x += legendWidth(words);
      const y = top + 7;
      const mark = isLine
        ? `<line x1="${round(at - 8)}" x2="${round(at + 14)}" y1="${y}" y2="${y}" stroke="${fill}" stroke-dasharray="6 2" stroke-width="2"/>`
        : rect({ x: at, y: top, width: 14, height: 14 }, fill);
      return [mark, label(at + 20, top + 12, words, { fill: colour.ink, size: 13 })];
    });
  });
}

function totalOf(day: WeekDay): number {
  return kindsIn([day]).reduce((sum, kind) => sum + day[kind], 0);
}

function weekday(date: string): string {
  return ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][new Date(`${date}T00:00:00Z`).getUTCDay()] ?? "";
}
