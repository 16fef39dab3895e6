import type pg from "pg";

/** How often a statement is sent before it gets a name: a rare statement is not worth keeping on every connection. */
const wantedTimes = 3;

/** Maximum number of names. Lists of values produce new texts: at this limit no more names are given. */
const mostNames = 1_000;

/** How often each text without a name was sent, and the names of the others. For this process. */
const times = new Map<string, number>();
const names = new Map<string, string>();

/**
 * Gives a statement that is sent often a name of its own. PostgreSQL then parses it once on each connection, and plans it once when
 * every value has the same plan. Statements without values stay unnamed: they may be several in one.
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
    // Otherwise texts that are sent only once would be kept for ever.
    if (times.size >= 10 * mostNames) times.clear();
    times.set(text, sent);
    return null;
  }
  times.delete(text);
  const name = `cos_${names.size}`;
  names.set(text, name);
  return name;
}
