import { type Placeholder, type SQL, sql } from "drizzle-orm";
import { askOf, type Db } from "./client.ts";
import { dialect, handleOn, sessionOn } from "./drizzle.ts";
import type { AskDatabase } from "./together.ts";

/*
 * Building a statement costs this process more than sending it. One that every cycle asks several times is built once, with places for
 * its values (Drizzle's prepared statements), and then asked on whatever handle it is given.
 */

/** A statement of Drizzle. */
interface Statement<Answer> {
  prepare(name: string): Prepared<Answer>;
}

interface Prepared<Answer> {
  execute(values: Record<string, unknown>): Promise<Answer>;
}

/** Where a value comes in. It is sent as it is given: a time as a `Date`, several texts as a list that is cast (`::text[]`). */
type PlaceOf<Values> = (name: keyof Values & string) => Placeholder;

/** To whom the statement goes that is being asked in this very moment. */
let asked: AskDatabase | null = null;

const toWhomever: AskDatabase = (statement, values) => {
  const ask = asked;
  asked = null;
  if (ask === null) throw new Error("a statement that was built once was sent later than it was asked");
  return ask(statement, values);
};
const template = handleOn(toWhomever);
const session = sessionOn(toWhomever);

/** The statement that `build` makes, built when it is asked for the first time. */
export function builtOnce<Values extends Record<string, unknown>, Answer>(
  build: (db: Db, place: PlaceOf<Values>) => Statement<Answer>,
): (db: Db, values: Values) => Promise<Answer> {
  return preparedOnce(() => build(template, (name) => sql.placeholder(name)).prepare(""));
}

/** The same of a text of SQL; its rows. */
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
  // They are what the text says.
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
