import type { Executed } from "./plans.ts";

/** A statement with the most that any of its executions touched. */
export interface Most {
  readonly buffers: number;
  readonly rows: number;
  readonly descents: number;
  readonly written: number;
  readonly scanned: ReadonlySet<string>;
  /** Of the execution that touched most pages. */
  readonly plan: unknown;
}

/** What each statement touched at most, by its text. */
export function mostOf(executed: readonly Executed[]): ReadonlyMap<string, Most> {
  const found = new Map<string, Most>();
  for (const { statement, scanned, ...each } of executed) {
    const most = found.get(statement);
    found.set(statement, {
      buffers: Math.max(each.buffers, most?.buffers ?? 0),
      rows: Math.max(each.rows, most?.rows ?? 0),
      descents: Math.max(each.descents, most?.descents ?? 0),
      written: Math.max(each.written, most?.written ?? 0),
      scanned: new Set([...(most?.scanned ?? []), ...scanned]),
      plan: each.buffers >= (most?.buffers ?? 0) ? each.plan : most?.plan,
    });
  }
  return found;
}

/** A statement that two bots have asked, the one with less history and the one with more. */
export interface Both {
  readonly statement: string;
  readonly young: Most;
  readonly old: Most;
}

/** The statements that both have asked. */
export function inBoth(before: ReadonlyMap<string, Most>, after: ReadonlyMap<string, Most>): readonly Both[] {
  return [...after].flatMap(([statement, old]) => {
    const young = before.get(statement);
    return young === undefined ? [] : [{ statement, young, old }];
  });
}

/** `rows 3 to 5, pages 7 to 9: select …`; in short, the statement's beginning and end. */
export function inWords({ statement, young, old }: Both, isShort = false): string {
  const rows = `rows ${Math.round(young.rows)} to ${Math.round(old.rows)}`;
  const isCut = isShort && statement.length > 200;
  const text = isCut ? `${statement.slice(0, 60)} … ${statement.slice(-130)}` : statement;
  return `${rows}, pages ${young.buffers} to ${old.buffers}: ${text}`;
}
