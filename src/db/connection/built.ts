import { type Placeholder, type SQL, sql } from "drizzle-orm";
import { askOf, type Db } from "./client.ts";
import { dialect, handleOn, sessionOn } from "./drizzle.ts";
import type { AskDatabase } from "./together.ts";

/*
 * Building a statement costs this process more than sending it. A statement that every cycle uses several times is built once, with
 * placeholders for its values (Drizzle's prepared statements), and then run on any handle.
 */

/** A statement of Drizzle. */
interface Statement<Answer> {
  prepare(name: string): Prepared<Answer>;
}

interface Prepared<Answer> {
  execute(values: Record<string, unknown>): Promise<Answer>;
}

/** A placeholder for a value. The value is sent as it is: a time as a `Date`, several strings as a list with a cast (`::text[]`). */
type PlaceOf<Values> = (name: keyof Values & string) => Placeholder;

/** Where the statement that is being run at this moment is sent. */
let asked: AskDatabase | null = null;

const toWhomever: AskDatabase = (statement, values) => {
  const ask = asked;
  asked = null;
  if (ask === null) throw new Error("a statement that was built once was sent later than it was asked");
  return ask(statement, values);
};
const template = handleOn(toWhomever);
const session = sessionOn(toWhomever);

/** Returns a function that runs the statement of `build`. It is built on the first call. */
export function builtOnce<Values extends Record<string, unknown>, Answer>(
  build: (db: Db, place: PlaceOf<Values>) => Statement<Answer>,
): (db: Db, values: Values) => Promise<Answer> {
  return preparedOnce(() => build(template, (name) => sql.placeholder(name)).prepare(""));
}

/** Like `builtOnce`, for SQL text. Returns the rows. */
export function sqlOnce<Values extends Record<string, unknown>, Row>(
  build: (place: PlaceOf<Values>) => SQL,
): (db: Db, values: Values) => Promise<readonly Row[]> {
  const ask = preparedOnce<Values, { readonly rows: readonly unknown[] }>(() => {
    const query = dialect.sqlToQuery(build((name) => sql.placeholder(name)));
    return session.prepareQuery<{ execute: { rows: readonly unknown[] }; all: unknown; values: unknown }>(
      query,
      undefined,
      undefined,
      false,
    );
  });
  // The rows have the columns that the text selects.
  return async (db, values) => (await ask(db, values)).rows as readonly Row[];
}

function preparedOnce<Values extends Record<string, unknown>, Answer>(
  prepare: () => Prepared<Answer>,
): (db: Db, values: Values) => Promise<Answer> {
  let known: Prepared<Answer> | null = null;
  return (db, values) => {
    known ??= prepare();
    asked = askOf(db);
    try {
      return known.execute(values);
    } finally {
      asked = null;
    }
  };
}
