import { DrizzleQueryError, fillPlaceholders, type Query } from "drizzle-orm";
import { NodePgDatabase, NodePgSession } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { quickDialect } from "./dialect.ts";
import { type AlwaysThere, rowMaker, type Selected } from "./selections.ts";
import type { AskDatabase } from "./together.ts";

export const dialect = quickDialect();

type Session = NodePgSession<Record<string, unknown>, Record<string, never>>;

/**
 * Drizzle on what answers statements: it uses nothing else of a client. Without the schema, which only its relational queries need: it
 * would be read through for each handle.
 */
export function handleOn(query: AskDatabase): NodePgDatabase {
  return new NodePgDatabase(dialect, sessionOn(query), undefined);
}

/** What Drizzle asks by. What it prepares is ours: Drizzle's own looks at each value anew, and wraps each answer in several promises. */
export function sessionOn(query: AskDatabase): Session {
  const session: Session = new NodePgSession({ query } as unknown as pg.Pool, dialect, undefined);
  const prepareQuery = (statement: Query, selected: readonly Selected[] | undefined): Prepared =>
    preparedOn(query, statement, selected);
  return Object.assign(session, { prepareQuery });
}

/** What Drizzle uses of a statement that it has prepared. */
interface Prepared {
  /** Set by Drizzle, after it was made. */
  joinsNotNullableMap: AlwaysThere;
  execute(values?: Record<string, unknown>): Promise<unknown>;
  /** Its answer within a batch; nothing else asks for it. */
  mapResult(answer: unknown): unknown;
  setToken(): Prepared;
}

/** A statement with a selection answers rows as that says; one without, what pg answers. */
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

/** What its types keep private: it says to pg how values are read, with each statement. */
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

/** How values are read, as Drizzle says it; of each type found once. */
const types = {
  getTypeParser(type: number, format = "text"): ParseValue {
    if (format !== "text") return itsOwn.rawQueryConfig.types.getTypeParser(type, format);
    const found = readings.get(type) ?? itsOwn.rawQueryConfig.types.getTypeParser(type, format);
    readings.set(type, found);
    return found;
  },
};

const readings = new Map<number, ParseValue>();
