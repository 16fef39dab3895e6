import type pg from "pg";

/** From this time on a statement is named: what is asked once is not worth keeping on every connection. */
const wantedTimes = 3;

/** Lists of values make texts of their own; a process that has named so many names no more. */
const mostNames = 1_000;

/** Texts of statements that were sent, and how often; named ones have their name. Both of this process. */
const times = new Map<string, number>();
const names = new Map<string, string>();

/**
 * Gives a statement that comes again a name of its own: PostgreSQL parses it once on each connection, and plans it
 * once where every value has the same plan. Statements without values stay as they are: they may be several in one.
 */
export function prepared(statement: pg.QueryConfig, values: readonly unknown[] | undefined): pg.QueryConfig {
  if (values === undefined || values.length === 0) return statement;
  const name = names.get(statement.text) ?? nameFor(statement.text);
  return name === null ? statement : { ...statement, name };
}

function nameFor(text: string): string | null {
  if (names.size >= mostNames) return null;
  const sent = (times.get(text) ?? 0) + 1;
  if (sent < wantedTimes) {
    // Texts that come once would be kept for ever.
    if (times.size >= 10 * mostNames) times.clear();
    times.set(text, sent);
    return null;
  }
  times.delete(text);
  const name = `cos_${names.size}`;
  names.set(text, name);
  return name;
}
