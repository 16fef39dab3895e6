import { holdsOf, type Written } from "./functions.ts";
import type { Source } from "./source.ts";

/** What none should be over. */
export const longestFunction = 80;
export const longestFile = 250;
export const mostParameters = 4;

/** How large functions and files are, and what has no type. */
export interface Sizes {
  readonly files: number;
  readonly functions: {
    readonly count: number;
    readonly median: number;
    readonly p90: number;
    readonly longest: number;
    readonly tooLong: readonly Written[];
    readonly manyParameters: readonly Written[];
  };
  /** `file lines`, without the schema. */
  readonly longFiles: readonly string[];
  readonly anys: readonly string[];
  readonly nonNulls: readonly string[];
}

export function sizesOf(sources: readonly Source[]): Sizes {
  const held = sources.map(holdsOf);
  const functions = held.flatMap((each) => each.functions);
  const lengths = functions.map(({ lines }) => lines);
  return {
    files: sources.length,
    functions: {
      count: functions.length,
      median: percentile(lengths, 50),
      p90: percentile(lengths, 90),
      longest: percentile(lengths, 100),
      tooLong: functions.filter(({ lines }) => lines > longestFunction),
      manyParameters: functions.filter(({ parameters }) => parameters > mostParameters),
    },
    longFiles: sources
      .filter(({ file }) => !/^src\/db\/schema(\.ts|\/)/.test(file))
      .map(({ file, lineStarts }) => ({ file, lines: lineStarts.length - 1 }))
      .filter(({ lines }) => lines > longestFile)
      .map(({ file, lines }) => `${file} ${lines}`),
    anys: held.flatMap((each) => each.anys),
    nonNulls: held.flatMap((each) => each.nonNulls),
  };
}

/** By the nearest rank; 0 of nothing. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0;
}
