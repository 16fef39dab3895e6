import type { Measured } from "./measure.ts";

/** The repeats of one subject, at one concurrency, as their medians. */
export interface Line extends Measured {
  /** Of the floor in the same repeat. */
  readonly share: number;
  /** The lowest and the highest of the repeats. */
  readonly shares: readonly [number, number];
  /** Of the same on the empty database in the same repeat, and the lowest and the highest of the repeats; null on that one. */
  readonly ofEmpty: { readonly share: number; readonly shares: readonly [number, number] } | null;
}

/** What a script reads of one queue: cycles a second, and what one cycle takes. */
interface Figures {
  readonly cyclesPerSecond: number;
  readonly floorCyclesPerSecond: number;
  readonly decisionToDoneMs: { readonly p50: number; readonly p99: number };
  readonly statements: number;
  readonly writeTransactions: number;
  readonly nodeCpuMs: number;
}

interface Engine extends Figures {
  readonly byConcurrency: Readonly<Record<string, Figures>>;
}

/** The figures of both queues on the empty database, at most at once at the top; null for one that was not measured. */
export function enginesOf(lines: readonly Line[]): Readonly<Record<"postgres" | "redis", Engine | null>> {
  const empty = lines.filter((line) => line.finished === 0);
  const engineOf = (subject: Line["subject"]): Engine | null => {
    const mine = empty.filter((line) => line.subject === subject).toSorted((a, b) => a.concurrency - b.concurrency);
    const figures = mine.map((line): [string, Figures] => [
      String(line.concurrency),
      figuresOf(line, floorOf(empty, line)),
    ]);
    const [, most] = figures.at(-1) ?? [];
    return most === undefined ? null : { ...most, byConcurrency: Object.fromEntries(figures) };
  };
  return { postgres: engineOf("PostgreSQL"), redis: engineOf("Redis") };
}

function floorOf(lines: readonly Line[], { concurrency }: Line): number {
  return lines.find((line) => line.subject === "floor" && line.concurrency === concurrency)?.perSecond ?? Number.NaN;
}

function figuresOf(line: Line, floorCyclesPerSecond: number): Figures {
  const { perSecond, decisionToDoneMs, statements, writes, nodeCpuMs } = line;
  return {
    cyclesPerSecond: perSecond,
    floorCyclesPerSecond,
    decisionToDoneMs,
    statements,
    writeTransactions: writes,
    nodeCpuMs,
  };
}
