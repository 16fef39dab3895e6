import { formatUsd } from "../money.ts";

/** Pieces of SVG for charts. Their texts are numbers and fixed words only, so nothing is escaped. */

/** How a text is drawn. */
export interface LabelStyle {
  readonly fill: string;
  readonly size: number;
  readonly anchor?: string;
  readonly bold?: boolean;
  /** The colour of an outline that keeps the text readable on top of lines. */
  readonly halo?: string;
}

/** A text that starts at a point, or with `anchor` is centred on it or ends there. */
export function label(x: number, y: number, words: string, how: LabelStyle): string {
  const weight = how.bold === true ? ' font-weight="bold"' : "";
  const edge =
    how.halo === undefined ? "" : ` stroke="${how.halo}" stroke-width="4" stroke-linejoin="round" paint-order="stroke"`;
  return `<text x="${round(x)}" y="${round(y)}" fill="${how.fill}" font-size="${how.size}" text-anchor="${how.anchor ?? "start"}"${weight}${edge}>${words}</text>`;
}

/** A rectangle, given by its upper left corner and its size. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A bar with rounded corners. `name`: its CSS class. */
export function rect({ x, y, width, height }: Box, fill: string, name?: string): string {
  const corner = round(Math.min(3, height / 2));
  const about = name === undefined ? "" : `class="${name}" `;
  return `<rect ${about}x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${corner}" fill="${fill}"/>`;
}

/** A grid step: 1, 2 or 5 times a power of ten, so that at most five steps reach the value. */
export function niceStep(value: number): number {
  for (let power = 1; ; power *= 10) {
    for (const factor of [1, 2, 5]) if (factor * power * 5 >= value) return factor * power;
  }
}

/** "$4.12", "$30", "$124", "$1.2k": an amount that fits above a bar. */
export function shortUsd(microUsd: number): string {
  const usd = microUsd / 1_000_000;
  if (usd >= 1_000_000) return `$${round(usd / 1_000_000)}M`;
  if (usd >= 1_000) return `$${round(usd / 1_000)}k`;
  return usd >= 100 || Number.isInteger(usd) ? `$${Math.round(usd)}` : formatUsd(microUsd);
}

/** Rounds to a tenth, which is enough for a picture. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
