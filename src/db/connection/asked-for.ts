import { getTableName, is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import * as schema from "../schema/index.ts";

/** Other tables that a table's triggers read or write when a statement writes the table, not at the COMMIT. */
interface Met {
  readonly looksAt: readonly string[];
  readonly writes: readonly string[];
}

/** By the table that has the triggers. `tests/db/kept.test.ts` compares it with the database. */
export const databaseTriggers: Readonly<Record<string, Met>> = {
  campaigns: { looksAt: [], writes: ["tallies"] },
  goals: { looksAt: [], writes: ["open_branches", "tallies"] },
  merges: { looksAt: ["goals", "runs"], writes: ["open_branches"] },
  spend: { looksAt: [], writes: ["totals"] },
  timeline: { looksAt: ["goals", "runs"], writes: ["open_branches"] },
};

/** The views on a table. `tests/db/kept.test.ts` compares it with the database. */
export const views: Readonly<Record<string, readonly string[]>> = { spend: ["call_costs"] };

/** True when the text of a statement needs a write that was kept. */
export type AsksFor = (text: string) => boolean;

/**
 * Returns a test for statements before which kept writes of this table must be sent. Such a statement names the table, a view of it, or
 * a table that its triggers write. Or it writes a table whose triggers use this one, or (for new rows) one that refers to them.
 */
export function askedForBy(table: string, isNew: boolean): AsksFor {
  const key = `${table} ${isNew}`;
  const asks = known.get(key) ?? asksFor(table, isNew);
  known.set(key, asks);
  return asks;
}

const known = new Map<string, AsksFor>();

function asksFor(table: string, isNew: boolean): AsksFor {
  const named = [table, ...(views[table] ?? []), ...(databaseTriggers[table]?.writes ?? [])];
  const written = new Set([...withTriggersThatMeet(table), ...(isNew ? referringTo(table) : [])]);
  return (text) => named.some((name) => hasWord(text, name)) || writtenBy(text).some((name) => written.has(name));
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!isInWord(text[at - 1]) && !isInWord(text[at + word.length])) return true;
  return false;
}

function isInWord(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character);
}

/** The tables that a statement writes. */
function writtenBy(text: string): string[] {
  return [...text.matchAll(/\b(?:insert into|update|delete from) "?cos"?\."?(\w+)/gi)].map(([, table = ""]) => table);
}

function withTriggersThatMeet(table: string): string[] {
  return Object.entries(databaseTriggers).flatMap(([name, { looksAt, writes }]) =>
    name !== table && [...looksAt, ...writes].includes(table) ? [name] : [],
  );
}

function referringTo(table: string): string[] {
  const tables = Object.values<unknown>(schema).filter((each) => is(each, PgTable));
  const refers = (each: PgTable) =>
    getTableConfig(each).foreignKeys.some((key) => getTableName(key.reference().foreignTable) === table);
  return tables.filter(refers).map(getTableName);
}
