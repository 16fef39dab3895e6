import { formatUsd } from "../money.ts";

/** What pictures of numbers are drawn with: pieces of SVG. Words are numbers and fixed words only: nothing is escaped. */

/** How words are drawn. */
export interface LabelStyle {
  readonly fill: string;
  readonly size: number;
  readonly anchor?: string;
  readonly bold?: boolean;
  /** The colour of an edge that keeps it readable on lines. */
  readonly halo?: string;
}

/** Words from a point on, or (`anchor`) around or up to it. */
export function label(x: number, y: number, words: string, how: LabelStyle): string {
  const weight = how.bold === true ? ' font-weight="bold"' : "";
  const edge =
    how.halo === undefined ? "" : ` stroke="${how.halo}" stroke-width="4" stroke-linejoin="round" paint-order="stroke"`;
  return `<text x="${round(x)}" y="${round(y)}" fill="${how.fill}" font-size="${how.size}" text-anchor="${how.anchor ?? "start"}"${weight}${edge}>${words}</text>`;
}

/** Where something stands, from its upper left corner on. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A bar with round corners; `name`: its class. */
export function rect({ x, y, width, height }: Box, fill: string, name?: string): string {
  const corner = round(Math.min(3, height / 2));
  const about = name === undefined ? "" : `class="${name}" `;
  return `<rect ${about}x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${corner}" fill="${fill}"/>`;
}

/** 1, 2 or 5 times a power of ten, so that at most five of them reach the value. */
export function niceStep(value: number): number {
  for (let power = 1; ; power *= 10) {
    for (const factor of [1, 2, 5]) if (factor * power * 5 >= value) return factor * power;
  }
}

/** "$4.12", "$30", "$124", "$1.2k": what fits over a bar. */
export function shortUsd(microUsd: number): string {
  const usd = microUsd / 1_000_000;
  if (usd >= 1_000_000) return `$${round(usd / 1_000_000)}M`;
  if (usd >= 1_000) return `$${round(usd / 1_000)}k`;
  return usd >= 100 || Number.isInteger(usd) ? `$${Math.round(usd)}` : formatUsd(microUsd);
}

/** To a tenth: a picture needs no more. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
