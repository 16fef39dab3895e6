import { Column, getTableName, is, SQL, Subquery } from "drizzle-orm";

/*
 * How a row of a result becomes an object of the selection's shape. Drizzle examines each column of each row again. The shape never
 * changes, so here it is computed once for a statement. `tests/db/selections.test.ts` compares the objects with Drizzle's own.
 */

/** A column of a statement, in Drizzle's terms: where its value goes, and what it is. */
export interface Selected {
  readonly path: readonly string[];
  readonly field: unknown;
}

/** Tables whose rows are never null in the result, by name. Others may have no row in an outer join. Undefined: there is no join. */
export type AlwaysThere = Readonly<Record<string, boolean>> | undefined;

/** The values of a row, in the order of the columns. */
type Values = readonly unknown[];

type Node = Record<string, unknown>;

interface Decoder {
  mapFromDriverValue(value: unknown): unknown;
}

/** Where a value goes, and how it is parsed. */
interface Place {
  readonly within: readonly string[];
  readonly name: string;
  readonly decoder: Decoder;
}

/** A part of a row that is null as a whole when its outer join found nothing: then its first column is null. */
interface Part {
  readonly name: string;
  readonly first: string;
}

/** Returns a function that makes an object of a row's values. */
export function rowMaker(selected: readonly Selected[], alwaysThere: AlwaysThere): (values: Values) => Node {
  const places = selected.map(placeOf);
  const parts = alwaysThere === undefined ? [] : partsThatMayBeNull(selected, alwaysThere);
  return (values) => {
    const row: Node = {};
    for (let index = 0; index < places.length; index += 1) put(row, places[index], values[index]);
    for (const { name, first } of parts) if (nodeIn(row, name)[first] === null) row[name] = null;
    return row;
  };
}

function placeOf({ path, field }: Selected): Place {
  return { within: path.slice(0, -1), name: path.at(-1) ?? "", decoder: decoderOf(field) };
}

function put(row: Node, place: Place | undefined, value: unknown): void {
  if (place === undefined) return;
  let node = row;
  for (const name of place.within) node = nodeIn(node, name);
  node[place.name] = value === null ? null : place.decoder.mapFromDriverValue(value);
}

function nodeIn(node: Node, name: string): Node {
  const there = node[name];
  if (there !== undefined) return there as Node;
  const made = {};
  node[name] = made;
  return made;
}

/** A property that Drizzle's types declare private. */
interface Decoded {
  readonly decoder: Decoder;
}

function decoderOf(field: unknown): Decoder {
  if (is(field, Column)) return field;
  if (is(field, SQL)) return (field as unknown as Decoded).decoder;
  if (is(field, Subquery)) return (field._.sql as unknown as Decoded).decoder;
  return (field as { readonly sql: Decoded }).sql.decoder;
}

/** Parts whose columns all belong to one table that may have no row. */
function partsThatMayBeNull(selected: readonly Selected[], alwaysThere: NonNullable<AlwaysThere>): Part[] {
  const tables = new Map<string, Set<string>>();
  const firsts = new Map<string, string>();
  for (const { path, field } of selected) {
    const [part, name] = path;
    if (!is(field, Column) || path.length !== 2 || part === undefined || name === undefined) continue;
    tables.set(part, (tables.get(part) ?? new Set()).add(getTableName(field.table)));
    if (!firsts.has(part)) firsts.set(part, name);
  }
  return [...firsts].flatMap(([name, first]) => {
    const [table = "", another] = tables.get(name) ?? [];
    return another === undefined && alwaysThere[table] !== true ? [{ name, first }] : [];
  });
}
