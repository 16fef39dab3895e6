import { setImmediate as breath } from "node:timers/promises";
import type pg from "pg";

/*
 * Reads that are asked in one breath go to the server as one statement:
 *
 *   reads ──nobody goes on without an answer──► select (select … from (first)), (select … from (second)), … ──► each its rows
 *
 * Every value comes as the text in which PostgreSQL writes it, and is read like that of a statement of its own. What the columns of a
 * statement are is learnt when this process asks it for the first time, alone.
 */

export type Ask = (statement: pg.QueryConfig, values?: unknown[]) => Promise<pg.QueryResult>;

interface Asked {
  readonly statement: pg.QueryConfig;
  readonly values: readonly unknown[];
  readonly settle: (answer: pg.QueryResult | Promise<never>) => void;
}

/** The columns of each statement that was asked, by its text: names, and types by their numbers. */
const columnsOf = new Map<string, readonly pg.FieldDef[]>();

/** Lists of values make texts of their own; a process that knows so many learns no more. */
const mostKnown = 1_000;

/** Asks as `ask` does, in as few statements as it can. For reads only: of one breath, none sees what another one has changed. */
export function gathering(ask: Ask): Ask {
  let waiting: Asked[] = [];
  let isSending = false;

  async function send(): Promise<void> {
    isSending = true;
    while (waiting.length > 0) {
      // Whoever can go on without an answer has asked by then.
      await breath();
      const asked = waiting;
      waiting = [];
      for (const group of groupsOf(asked)) await answerAll(ask, group);
    }
    isSending = false;
  }

  return (statement, values = []) =>
    new Promise((settle) => {
      waiting.push({ statement, values, settle });
      if (!isSending) void send();
    });
}

/** Of the same text each in a group of its own: so few texts come of it, however much is read. */
function groupsOf(asked: readonly Asked[]): Asked[][] {
  const alone = asked.filter((each) => !isKnown(each)).map((each) => [each]);
  const groups: Map<string, Asked>[] = [];
  for (const each of asked.filter(isKnown)) {
    const { text } = each.statement;
    const group = groups.find((known) => !known.has(text)) ?? new Map<string, Asked>();
    if (group.size === 0) groups.push(group);
    group.set(text, each);
  }
  return [...alone, ...groups.map((group) => [...group.values()])];
}

/** Locks are taken one after the other, in the order in which they are asked for. */
function isKnown({ statement: { text } }: Asked): boolean {
  return columnsOf.has(text) && /^\s*select\b/i.test(text) && !/\bfor (no key )?(update|share)\b/i.test(text);
}

async function answerAll(ask: Ask, group: readonly Asked[]): Promise<void> {
  try {
    const [first] = group;
    if (first !== undefined && group.length === 1) return first.settle(await askAlone(ask, first));
    const { text, values } = oneStatement(group);
    const { rows } = await ask({ text }, values);
    const [row = {}] = rows as Record<string, string[][] | null>[];
    for (const [index, each] of group.entries()) each.settle(answerOf(each, row[`q${index}`] ?? []));
  } catch (error) {
    for (const each of group) each.settle(Promise.reject(error));
  }
}

async function askAlone(ask: Ask, { statement, values }: Asked): Promise<pg.QueryResult> {
  const answer = await ask(statement, [...values]);
  if (columnsOf.size < mostKnown) columnsOf.set(statement.text, answer.fields);
  return answer;
}

function oneStatement(group: readonly Asked[]): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const parts = group.map(({ statement, values: own }, index) => {
    const before = values.length;
    values.push(...own);
    const inner = statement.text.replaceAll(/\$(\d+)/g, (_, number: string) => `$${Number(number) + before}`);
    const names = columnsIn(statement).map((_, column) => `c${column}`);
    const row = names.map((name) => `${name}::text`).join(", ");
    return `(select json_agg(array[${row}]) from (${inner}) as t (${names.join(", ")})) as q${index}`;
  });
  return { text: `select ${parts.join(",\n")}`, values };
}

function columnsIn({ text }: pg.QueryConfig): readonly pg.FieldDef[] {
  return columnsOf.get(text) ?? [];
}

/** The answer as a statement of its own would have it. */
function answerOf({ statement }: Asked, texts: readonly (readonly (string | null)[])[]): pg.QueryResult {
  const { rowMode } = statement as pg.QueryArrayConfig;
  const fields = columnsIn(statement);
  const read = fields.map(({ dataTypeID }) => parserOf(statement, dataTypeID));
  const rows = texts.map((row) => {
    const values = row.map((text, column) => (text === null ? null : read[column]?.(text)));
    return rowMode === "array" ? values : Object.fromEntries(fields.map(({ name }, column) => [name, values[column]]));
  });
  return { command: "SELECT", rowCount: rows.length, oid: 0, fields: [...fields], rows };
}

function parserOf({ types }: pg.QueryConfig, type: number): (text: string) => unknown {
  if (types === undefined) throw new Error("a statement that does not say how its values are read");
  return types.getTypeParser(type, "text");
}
