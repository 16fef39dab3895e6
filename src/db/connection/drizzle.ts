import { DrizzleQueryError, fillPlaceholders, type Query } from "drizzle-orm";
import { NodePgDatabase, NodePgSession } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { quickDialect } from "./dialect.ts";
import { type AlwaysThere, rowMaker, type Selected } from "./selections.ts";
import type { AskDatabase } from "./together.ts";

export const dialect = quickDialect();

type Session = NodePgSession<Record<string, unknown>, Record<string, never>>;

/**
 * A Drizzle handle on anything that answers statements: Drizzle uses nothing else of a client. Without a schema, which only relational
 * queries need: Drizzle would read through it for each handle.
 */
export function handleOn(query: AskDatabase): NodePgDatabase {
  return new NodePgDatabase(dialect, sessionOn(query), undefined);
}

/** A Drizzle session with our own prepared statements. Drizzle's own check each value anew and wrap each result in several promises. */
export function sessionOn(query: AskDatabase): Session {
  const session: Session = new NodePgSession({ query } as unknown as pg.Pool, dialect, undefined);
  const prepareQuery = (statement: Query, selected: readonly Selected[] | undefined): Prepared =>
    preparedOn(query, statement, selected);
  return Object.assign(session, { prepareQuery });
}

/** The part of a prepared statement that Drizzle uses. */
interface Prepared {
  /** Set by Drizzle after creation. */
  joinsNotNullableMap: AlwaysThere;
  execute(values?: Record<string, unknown>): Promise<unknown>;
  /** Maps a result within a batch. Nothing else calls it. */
  mapResult(answer: unknown): unknown;
  setToken(): Prepared;
}

/** With a selection, the statement returns rows in its shape. Without one, it returns pg's own result. */
function preparedOn(
  query: AskDatabase,
  { sql: text, params }: Query,
  selected: readonly Selected[] | undefined,
): Prepared {
  const statement: pg.QueryArrayConfig | pg.QueryConfig =
    selected === undefined ? { text, types } : { text, rowMode: "array", types };
  let makeRow: ReturnType<typeof rowMaker> | null = null;

  return {
    joinsNotNullableMap: undefined,
    async execute(values = {}) {
      const filled = fillPlaceholders(params, values);
      let answer: pg.QueryResult;
      try {
        answer = await query(statement, filled);
      } catch (error) {
        throw new DrizzleQueryError(text, filled, error as Error);
      }
      if (selected === undefined) return answer;
      makeRow ??= rowMaker(selected, this.joinsNotNullableMap);
      return answer.rows.map(makeRow);
    },
    mapResult: (answer) => answer,
    setToken() {
      return this;
    },
  };
}

/** A part that Drizzle's types declare private: it tells pg, with each statement, how to parse values. */
interface TypedQuery {
  readonly rawQueryConfig: { readonly types: { getTypeParser(type: number, format: string): ParseValue } };
}

type ParseValue = (text: string) => unknown;

const nobody: AskDatabase = () => Promise.reject(new Error("a statement that is only looked at was sent"));
const itsOwn = new NodePgSession({ query: nobody } as unknown as pg.Pool, dialect, undefined).prepareQuery(
  { sql: "", params: [] },
  undefined,
  undefined,
  false,
) as unknown as TypedQuery;

/** Drizzle's own parsers of values, cached by type. */
const types = {
  getTypeParser(type: number, format = "text"): ParseValue {
    if (format !== "text") return itsOwn.rawQueryConfig.types.getTypeParser(type, format);
    const found = readings.get(type) ?? itsOwn.rawQueryConfig.types.getTypeParser(type, format);
    readings.set(type, found);
    return found;
  },
};

const readings = new Map<number, ParseValue>();
