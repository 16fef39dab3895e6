/** Positions of the parts of the week's chart, in two shapes: a wide one for desktops and messages, a narrow one for phones. */

export type ChartShape = "wide" | "narrow";

interface Panel {
  readonly top: number;
  readonly bottom: number;
}

export interface ChartLayout {
  readonly width: number;
  readonly height: number;
  /** The left and right end of the days. */
  readonly left: number;
  readonly right: number;
  readonly goals: Panel;
  readonly spend: Panel;
  readonly legendY: number;
  readonly titleSize: number;
  /** The texts above the panels, wrapped into lines that fit. */
  readonly said: readonly string[];
  readonly ofGoals: readonly string[];
  /** The number of legend entries in each row. */
  readonly legendRows: readonly number[];
}

interface ChartText {
  readonly said: string;
  readonly ofGoals: string;
  readonly legend: readonly string[];
}

/** In pixels. The narrow chart is about as wide as a phone's page shows it, so that its text keeps its size. */
export const chartWidths: Readonly<Record<ChartShape, number>> = { wide: 900, narrow: 400 };

/** `longest`: how many letters fit into a line. */
const shapes = {
  wide: { left: 60, right: 826, titleSize: 20, longest: Number.POSITIVE_INFINITY },
  narrow: { left: 36, right: 346, titleSize: 16, longest: 40 },
};

const [lineHeight, rowHeight] = [18, 24];

/** The width of a legend entry with its mark. */
export function legendWidth(words: string): number {
  return 48 + words.length * 8.4;
}

/** The layout of a chart with these texts. */
export function chartLayout(shape: ChartShape, { said, ofGoals, legend }: ChartText): ChartLayout {
  const { left, right, titleSize, longest } = shapes[shape];
  const width = chartWidths[shape];
  const [saidLines, goalLines] = [wrapped(said, longest), wrapped(ofGoals, longest)];
  const legendRows = rowsOf(legend.map(legendWidth), width - left);
  const down = (saidLines.length + goalLines.length - 2) * lineHeight;
  return {
    width,
    height: 560 + down + (legendRows.length - 1) * rowHeight,
    left,
    right,
    goals: { top: 112 + down, bottom: 324 + down },
    spend: { top: 396 + down, bottom: 490 + down },
    legendY: 528 + down,
    titleSize,
    said: saidLines,
    ofGoals: goalLines,
    legendRows,
  };
}

/** The y coordinate of a line. The first line is at `y`; with `isUp`, the last one. */
export function lineAt(y: number, index: number, lines: number, isUp = false): number {
  return y + (isUp ? index - lines + 1 : index) * lineHeight;
}

/** The y coordinate of a row of the legend. */
export function legendRowAt(legendY: number, row: number): number {
  return legendY + row * rowHeight;
}

/** Wraps words into lines of at most `longest` letters. */
function wrapped(words: string, longest: number): string[] {
  const lines: string[] = [];
  for (const word of words.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= longest) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function rowsOf(widths: readonly number[], most: number): number[] {
  const rows: number[] = [];
  let room = 0;
  for (const width of widths) {
    if (rows.length === 0 || width > room) {
      rows.push(1);
      room = most - width;
    } else {
      rows[rows.length - 1] = (rows.at(-1) ?? 0) + 1;
      room -= width;
    }
  }
  return rows;
}
