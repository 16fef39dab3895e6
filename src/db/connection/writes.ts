import { is, Param, Placeholder, SQL, sql } from "drizzle-orm";
import type { Db } from "./handle.ts";
import { dialect, handleOn } from "./drizzle.ts";
import { countedFrom, joinedOnce, newJoins } from "./joined.ts";

/*
 * Building the text of a write costs this process more than sending it, and the same few come again with other values. So each is built
 * once for each set of columns, with placeholders for its values:
 *
 *   build(values) ──columns──► known? ──no──► Drizzle builds it with placeholders instead of the values
 *                                └──yes─► the values, each encoded by its column
 */

/** A statement of Drizzle. */
export type Statement = PromiseLike<unknown> & { getSQL(): SQL };

/**
 * Builds a write. It must be the same function each time, and only pass on its values and the id of its row: these are placeholders
 * when it is built.
 */
export type Build<Values> = (at: Db, values: Values, id: string) => Statement;

/** A statement as it is sent, or a part of one. */
export interface BuiltStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

type Fields = Readonly<Record<string, unknown>>;

interface Known {
  readonly text: string;
  readonly fill: readonly ((values: Fields) => unknown)[];
}

const known = new WeakMap<object, Map<string, Known>>();

/** Maximum number of cached texts of one write. The sets of columns are few; further texts are built anew each time. */
const mostShapes = 200;

/** SQL fragments that are the same object at each use. */
const constants = new WeakMap<SQL, number>();
let constantsSoFar = 0;

/** Declares that this object is created once, so that a write with it among its values can be cached. */
export function constant(text: SQL): SQL {
  if (!constants.has(text)) constants.set(text, (constantsSoFar += 1));
  return text;
}

/** Never sends anything: statements are only built on it. */
const template = handleOn(() => Promise.reject(new Error("a statement that was only to be built was sent")));

/** The name of the row's id among its values: no column has this name. */
const ofRow = "#id";

/** The statement that `build` makes of these values. `id`: the row that it changes; "" for new rows. */
export function written<Values extends object>(build: Build<Values>, values: Values, id = ""): BuiltStatement {
  const fields = fieldsOf(values, id);
  const shape = shapeOf(fields);
  if (shape === null) return inFull(build(template, values, id).getSQL());
  const shapes = known.get(build) ?? new Map<string, Known>();
  known.set(build, shapes);
  const there = shapes.get(shape) ?? builtWithPlaces(build, fields);
  if (shapes.size < mostShapes) shapes.set(shape, there);
  return { text: there.text, values: there.fill.map((value) => value(fields)) };
}

function inFull(statement: SQL): BuiltStatement {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  return { text, values: params };
}

function builtWithPlaces<Values>(build: Build<Values>, fields: Fields): Known {
  // Drizzle accepts a placeholder wherever it accepts a value.
  const { [ofRow]: id, ...places } = placesFor(fields);
  const statement = build(template, places as Values, id as string);
  const { sql: text, params } = dialect.sqlToQuery(statement.getSQL());
  return { text, fill: params.map(fillerOf) };
}

function placesFor(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, is(value, SQL) ? value : sql.placeholder(name)]),
  );
}

/** How one parameter of a cached text gets its value. */
function fillerOf(param: unknown): (values: Fields) => unknown {
  if (is(param, Placeholder)) return (values) => values[param.name];
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
  const { name } = param.value;
  return (values) => {
    const value = values[name];
    return value === null ? null : param.encoder.mapToDriverValue(value);
  };
}

/** The values with the id of their row. Like in Drizzle, undefined values are left out. */
function fieldsOf(values: object, id: string): Fields {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values as Fields)) if (value !== undefined) fields[name] = value;
  fields[ofRow] = id;
  return fields;
}

/** The cache key of the text. Null when the text depends on more than its columns. */
function shapeOf(fields: Fields): string | null {
  let shape = "";
  for (const name in fields) {
    const value = fields[name];
    if (is(value, SQL)) {
      const number = constants.get(value);
      if (number === undefined) return null;
      shape += `${name}=${number},`;
    } else shape += `${name},`;
  }
  return shape;
}

const joins = newJoins();

/**
 * Joins writes into one statement; no two of them may touch the same row. Each may begin with its own WITH. PostgreSQL runs parts that
 * nobody reads from last to first. So the first kept write comes last in the text: sequence numbers are drawn, and unique values are
 * freed before they are reused, in the order in which the writes were kept (`tests/db/held.test.ts`).
 */
export function asOne(writes: readonly BuiltStatement[]): BuiltStatement {
  const [only] = writes;
  if (writes.length === 1 && only !== undefined) return only;
  const texts = writes.map(({ text }) => text);
  const text = joinedOnce(joins, texts, () => oneText(writes));
  return { text, values: writes.flatMap(({ values }) => values) };
}

function oneText(writes: readonly BuiltStatement[]): string {
  let before = 0;
  const parts = writes.map(({ text, values }, index) => {
    const part = `"kept_${index}" as (${countedFrom(text, before)})`;
    before += values.length;
    return part;
  });
  return `with ${parts.toReversed().join(", ")} select`;
}
