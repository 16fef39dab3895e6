import { setImmediate as breath } from "node:timers/promises";
import type pg from "pg";
import { type Joins, joinedOnce, mostKnown, newJoins, countedFrom } from "./joined.ts";

/*
 * Reads that are asked in one breath go to the server as one statement:
 *
 *   reads ──nobody goes on without an answer──► select (select … from (first)), (select … from (second)), … ──► each its rows
 *
 * Every value comes as the text in which PostgreSQL writes it, and is read like that of a statement of its own. What the columns of a
 * statement are is learnt the first time: from its answer, or, where others go with it, by asking for none of its rows. Their answers
 * are of one moment that time, too.
 */

export type Ask = (statement: pg.QueryConfig, values?: unknown[]) => Promise<pg.QueryResult>;

interface Asked {
  readonly statement: pg.QueryConfig;
  readonly values: readonly unknown[];
  readonly settle: (answer: pg.QueryResult | Promise<never>) => void;
}

/** The columns of each read that was asked of a database, by its text: names, and types by their numbers. */
export type Columns = Map<string, readonly pg.FieldDef[]>;

/** Asks as `ask` does, in as few statements as it can. For reads only: of one breath, none sees what another one has changed. */
export function gathering(ask: Ask, columns: Columns): Ask {
  const answer = answering(ask, columns);
  const learnt = learning(ask, columns);
  let waiting: Asked[] = [];
  let isSending = false;

  async function send(): Promise<void> {
    isSending = true;
    while (waiting.length > 0) {
      // Whoever can go on without an answer has asked by then.
      await breath();
      const asked = waiting;
      waiting = [];
      const known = asked.length > 1 ? await learnt(asked) : asked;
      for (const group of groupsOf(known, columns)) await answer(group);
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
function groupsOf(asked: readonly Asked[], columns: Columns): Asked[][] {
  const isKnown = ({ statement: { text } }: Asked): boolean => columns.has(text);
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
function isRead(text: string): boolean {
  return /^\s*select\b/i.test(text) && !/\bfor (no key )?(update|share)\b/i.test(text);
}

/** Learns the columns of reads as far as they are not known; returns those that can be asked. Never throws: who asked hears. */
function learning(ask: Ask, columns: Columns): (asked: readonly Asked[]) => Promise<Asked[]> {
  async function learn({ statement: { text }, values }: Asked): Promise<void> {
    if (columns.has(text) || columns.size >= mostKnown || !isRead(text)) return;
    const { fields } = await ask({ text: `select * from (${text}) as t limit 0` }, [...values]);
    columns.set(text, fields);
  }

  return async (asked) => {
    const learnt: Asked[] = [];
    for (const each of asked) {
      try {
        await learn(each);
        learnt.push(each);
      } catch (error) {
        each.settle(Promise.reject(error));
      }
    }
    return learnt;
  };
}

/** Asks what goes together as one statement. Never throws: who asked hears. */
function answering(ask: Ask, columns: Columns): (group: readonly Asked[]) => Promise<void> {
  async function askAlone({ statement, values }: Asked): Promise<pg.QueryResult> {
    const answer = await ask(statement, [...values]);
    if (columns.size < mostKnown && isRead(statement.text)) columns.set(statement.text, answer.fields);
    return answer;
  }

  async function askTogether(group: readonly Asked[]): Promise<readonly pg.QueryResult[]> {
    const parts = group.map((asked) => ({ asked, fields: columns.get(asked.statement.text) ?? [] }));
    const values = group.flatMap((asked) => asked.values);
    const { rows } = await ask({ text: textFor(columns, parts) }, values);
    const [row = {}] = rows as Record<string, Texts | null>[];
    return parts.map((part, index) => answerOf(part, row[`q${index}`] ?? []));
  }

  return async (group) => {
    try {
      const [first] = group;
      const answers = group.length === 1 && first !== undefined ? [await askAlone(first)] : await askTogether(group);
      for (const [index, answer] of answers.entries()) group[index]?.settle(answer);
    } catch (error) {
      for (const each of group) each.settle(Promise.reject(error));
    }
  };
}

interface Part {
  readonly asked: Asked;
  readonly fields: readonly pg.FieldDef[];
}

/** Rows of values as PostgreSQL writes them. */
type Texts = readonly (readonly (string | null)[])[];

const joins = new WeakMap<Columns, Joins>();

function textFor(columns: Columns, parts: readonly Part[]): string {
  const known = joins.get(columns) ?? newJoins();
  joins.set(columns, known);
  const texts = parts.map(({ asked }) => asked.statement.text);
  return joinedOnce(known, texts, () => oneStatement(parts));
}

function oneStatement(all: readonly Part[]): string {
  let before = 0;
  const parts = all.map(({ asked, fields }, index) => {
    const inner = countedFrom(asked.statement.text, before);
    before += asked.values.length;
    const names = fields.map((_, column) => `c${column}`);
    const row = names.map((name) => `${name}::text`).join(", ");
    return `(select json_agg(array[${row}]) from (${inner}) as t (${names.join(", ")})) as q${index}`;
  });
  return `select ${parts.join(",\n")}`;
}

/** The answer as a statement of its own would have it. */
function answerOf({ asked: { statement }, fields }: Part, texts: Texts): pg.QueryResult {
  const { rowMode } = statement as pg.QueryArrayConfig;
  const read = fields.map(({ dataTypeID }) => parserOf(statement, dataTypeID));
  const rows = texts.map((row) => {
    const values = row.map((text, column) => (text === null ? null : read[column]?.(text)));
    return rowMode === "array" ? values : Object.fromEntries(fields.map(({ name }, column) => [name, values[column]]));
  });
  return { command: "SELECT", rowCount: rows.length, oid: 0, fields: [...fields], rows };
}

function parserOf({ types }: pg.QueryConfig, type: number): (text: string) => unknown {
  if (types === undefined) throw new Error("a statement that does not say how its values are read");
  const parserFor: (id: number, format: "text") => (text: string) => unknown = types.getTypeParser;
  return parserFor(type, "text");
}
