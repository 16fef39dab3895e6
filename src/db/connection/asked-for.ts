import { getTableName, is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import * as schema from "../schema/index.ts";

/** Other tables that a table's triggers meet with the statement that writes it, not with the COMMIT. */
interface Met {
  readonly looksAt: readonly string[];
  readonly writes: readonly string[];
}

/** By the table that has the triggers. `tests/db/kept.test.ts` holds it against the database. */
export const databaseTriggers: Readonly<Record<string, Met>> = {
  campaigns: { looksAt: [], writes: ["tallies"] },
  goals: { looksAt: [], writes: ["open_branches", "tallies"] },
  merges: { looksAt: ["goals", "runs"], writes: ["open_branches"] },
  spend: { looksAt: [], writes: ["totals"] },
  timeline: { looksAt: ["goals", "runs"], writes: ["open_branches"] },
};

/** Views that show a table. `tests/db/kept.test.ts` holds it against the database. */
export const views: Readonly<Record<string, readonly string[]>> = { spend: ["call_costs"] };

/** Whether a text of a statement asks for something that was kept. */
export type AsksFor = (text: string) => boolean;

/**
 * Statements that must find what was kept of a table: they name it, a view of it or what its triggers write, or write what has triggers
 * that meet it, or, of new rows, what has rows that refer to them.
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
