import { setImmediate as breath } from "node:timers/promises";
import type pg from "pg";
import { type Joins, joinedOnce, mostKnown, newJoins, countedFrom } from "./joined.ts";

/*
 * Reads that are started at the same time are sent to the server as one statement:
 *
 *   reads ──nobody goes on without an answer──► select array(select … from (first)), array(select … from (second)), … ──► each its rows
 *
 * Each value comes as PostgreSQL's text for it, and is parsed as in a statement of its own. The columns of a statement are learnt the
 * first time: from its result, or, when it is sent with others, by querying it with `limit 0`. So those results, too, are of one
 * moment.
 *
 * One of them may lock rows. The others were read as of the beginning of the statement, so they are valid only when nothing was
 * committed until the lock was granted. The statement reports that itself (`cos.is_current`); otherwise they are read again.
 */

export type AskDatabase = (statement: pg.QueryConfig, values?: unknown[]) => Promise<pg.QueryResult>;

interface Asked {
  readonly statement: pg.QueryConfig;
  readonly values: readonly unknown[];
  readonly isLock: boolean;
  readonly settle: (answer: pg.QueryResult | Promise<never>) => void;
}

/** The columns of each statement by its text: names, and types by their numbers. */
type Fields = Map<string, readonly pg.FieldDef[]>;

/** What is known about the statements that are sent together to a database. */
export interface KnownStatements {
  readonly reads: Fields;
  readonly locks: Fields;
  readonly joins: Joins;
}

/** Nothing known yet. */
export function newKnown(): KnownStatements {
  return { reads: new Map(), locks: new Map(), joins: newJoins() };
}

/** Sends statements together. */
export interface ReadGroup {
  /** For reads only: none of those that are sent together sees what another one has changed. */
  readonly read: AskDatabase;
  /** For one statement that locks and changes nothing. */
  readonly lock: AskDatabase;
}

/** Sends statements with `ask`, as few as possible. With a lock, the lock must be among the first: nothing is read before it. */
export function gathering(ask: AskDatabase, known: KnownStatements, begins: "with-lock" | "with-reads"): ReadGroup {
  const answer = answering(ask, known);
  const learnt = learning(ask, known);
  let waiting: Asked[] = [];
  let isSending = false;
  let isLocked = begins === "with-reads";

  async function send(): Promise<void> {
    isSending = true;
    while (waiting.length > 0) {
      // By then, all callers that need no result have added their statements.
      await breath();
      const asked = waiting;
      waiting = [];
      isLocked ||= asked.some(({ isLock }) => isLock);
      if (!isLocked) {
        for (const each of asked) each.settle(Promise.reject(new Error("it was read before it was locked")));
        continue;
      }
      const isLearnt = asked.length === 1 || asked.every((each) => fieldsOf(known, each) !== undefined);
      const ready = isLearnt ? asked : await learnt(asked);
      for (const group of groupsOf(ready, known)) await answer(group);
    }
    isSending = false;
  }

  const asking =
    (isLock: boolean): AskDatabase =>
    (statement, values = []) =>
      new Promise((settle) => {
        waiting.push({ statement, values, isLock, settle });
        if (!isSending) void send();
      });
  return { read: asking(false), lock: asking(true) };
}

/** The lock comes first. Statements with the same text go to different groups: so there are few joined texts, however much is read. */
function groupsOf(asked: readonly Asked[], known: KnownStatements): Asked[][] {
  const all = [...asked.filter(({ isLock }) => isLock), ...asked.filter(({ isLock }) => !isLock)];
  const alone = all.filter((each) => fieldsOf(known, each) === undefined).map((each) => [each]);
  const groups: Map<string, Asked>[] = [];
  for (const each of all.filter((one) => fieldsOf(known, one) !== undefined)) {
    const { text } = each.statement;
    const group = groups.find((there) => !there.has(text)) ?? new Map<string, Asked>();
    if (group.size === 0) groups.push(group);
    group.set(text, each);
  }
  const together = groups.map((group) => [...group.values()]);
  return hasLock(together[0]) ? [...together, ...alone] : [...alone, ...together];
}

function hasLock(group: readonly Asked[] | undefined): boolean {
  return group?.[0]?.isLock === true;
}

function fieldsOf(known: KnownStatements, asked: Asked): readonly pg.FieldDef[] | undefined {
  return fieldsFor(known, asked).get(asked.statement.text);
}

function fieldsFor({ reads, locks }: KnownStatements, { isLock }: Asked): Fields {
  return isLock ? locks : reads;
}

function mayLearn(known: KnownStatements, asked: Asked): boolean {
  return fieldsFor(known, asked).size < mostKnown && (asked.isLock || isRead(asked.statement.text));
}

/** Statements that lock are sent one after the other, in the order in which they were started. */
function isRead(text: string): boolean {
  return /^\s*select\b/i.test(text) && !/\bfor (no key )?(update|share)\b/i.test(text);
}

/** Learns the unknown columns of statements, without locking. Returns those that can be sent. Never throws: the callers get the errors. */
function learning(ask: AskDatabase, known: KnownStatements): (asked: readonly Asked[]) => Promise<Asked[]> {
  async function learn(asked: Asked): Promise<void> {
    const { text } = asked.statement;
    if (fieldsOf(known, asked) !== undefined || !mayLearn(known, asked)) return;
    const { fields } = await ask({ text: `select * from (${text}) as t limit 0` }, [...asked.values]);
    fieldsFor(known, asked).set(text, fields);
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

/** Sends a group as one statement. Never throws: the callers get the errors. */
function answering(ask: AskDatabase, known: KnownStatements): (group: readonly Asked[]) => Promise<void> {
  async function askAlone(asked: Asked): Promise<pg.QueryResult> {
    const { statement, values } = asked;
    const answer = await ask(statement, [...values]);
    if (mayLearn(known, asked)) fieldsFor(known, asked).set(statement.text, answer.fields);
    return answer;
  }

  async function askTogether(group: readonly Asked[]): Promise<readonly pg.QueryResult[]> {
    const parts = group.map((asked) => ({ asked, fields: fieldsOf(known, asked) ?? [] }));
    const values = group.flatMap((asked) => asked.values);
    const { rows } = await ask({ text: textFor(known.joins, parts) }, values);
    const [row = {}] = rows as Record<string, Texts | null | boolean>[];
    const [lock, ...reads] = parts.map((part, index) => answerOf(part, textsIn(row[`q${index}`])));
    if (lock === undefined) return [];
    return [lock, ...(row["is_current"] === false ? await askAll(group.slice(1)) : reads)];
  }

  async function askAll(group: readonly Asked[]): Promise<readonly pg.QueryResult[]> {
    const [first] = group;
    return group.length === 1 && first !== undefined ? [await askAlone(first)] : await askTogether(group);
  }

  return async (group) => {
    try {
      const answers = await askAll(group);
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

function textsIn(value: Texts | null | boolean | undefined): Texts {
  return typeof value === "object" && value !== null ? value : [];
}

function textFor(joins: Joins, parts: readonly Part[]): string {
  const texts = parts.map(({ asked }) => asked.statement.text);
  return joinedOnce(joins, texts, () => oneStatement(parts));
}

function oneStatement(all: readonly Part[]): string {
  let before = 0;
  const parts = all.map(({ asked, fields }, index) => {
    const inner = countedFrom(asked.statement.text, before);
    before += asked.values.length;
    const names = fields.map((_, column) => `c${column}`);
    const row = names.map((name) => `${name}::text`).join(", ");
    return `to_json(array(select array[${row}] from (${inner}) as t (${names.join(", ")}))) as q${index}`;
  });
  if (!hasLock(all.map(({ asked }) => asked))) return `select ${parts.join(",\n")}`;
  const answers = all.map((_, index) => `q${index}`).join(", ");
  // Columns are evaluated in order, and this one needs the lock's result.
  return `select ${answers}, cos.is_current(pg_current_snapshot(), q0) as is_current from (select ${parts.join(",\n")} offset 0) as all_parts`;
}

/** The result as a statement of its own would have it. */
function answerOf({ asked: { statement }, fields }: Part, texts: Texts): pg.QueryResult {
  const { rowMode } = statement as pg.QueryArrayConfig;
  const read = readersOf(statement, fields);
  const lists = texts.map((row) => row.map((text, column) => (text === null ? null : read[column]?.(text))));
  const rows = rowMode === "array" ? lists : lists.map((values) => namedAs(fields, values));
  return { command: "SELECT", rowCount: rows.length, oid: 0, fields: [...fields], rows };
}

function namedAs(fields: readonly pg.FieldDef[], values: readonly unknown[]): Readonly<Record<string, unknown>> {
  const row: Record<string, unknown> = {};
  for (const [column, { name }] of fields.entries()) row[name] = values[column];
  return row;
}

/** The parsers of a row's values. */
type Readers = readonly ((text: string) => unknown)[];

/** Cached for the columns of a statement, as long as its `types` are the same. */
const readers = new WeakMap<readonly pg.FieldDef[], { readonly types: object; readonly read: Readers }>();

function readersOf({ types }: pg.QueryConfig, fields: readonly pg.FieldDef[]): Readers {
  if (types === undefined) throw new Error("a statement that does not say how its values are read");
  const found = readers.get(fields);
  if (found?.types === types) return found.read;
  const parserFor: (id: number, format: "text") => (text: string) => unknown = types.getTypeParser;
  const read = fields.map(({ dataTypeID }) => parserFor(dataTypeID, "text"));
  readers.set(fields, { types, read });
  return read;
}
