import { Column, getTableName, is, SQL, Subquery } from "drizzle-orm";

/*
 * How a row of an answer becomes what a selection says. Drizzle asks anew of each column of each row what it is and where it goes; it
 * never changes, so it is found out once for a statement. `tests/db/selections.test.ts` holds the rows against Drizzle's own.
 */

/** A column of a statement, in Drizzle's words: where its value goes, and what it is. */
export interface Selected {
  readonly path: readonly string[];
  readonly field: unknown;
}

/** Tables whose rows are always there, by their names: the others may have been joined to nothing. Undefined: nothing was joined. */
export type AlwaysThere = Readonly<Record<string, boolean>> | undefined;

/** The values of a row, in the order of the columns. */
type Values = readonly unknown[];

type Node = Record<string, unknown>;

interface Decoder {
  mapFromDriverValue(value: unknown): unknown;
}

/** Where a value goes, and how it is read. */
interface Place {
  readonly within: readonly string[];
  readonly name: string;
  readonly decoder: Decoder;
}

/** A part of a row that is null as a whole where nothing was joined: its first column says so. */
interface Part {
  readonly name: string;
  readonly first: string;
}

/** What makes rows of values. */
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

/** What its types keep private. */
interface Decoded {
  readonly decoder: Decoder;
}

function decoderOf(field: unknown): Decoder {
  if (is(field, Column)) return field;
  if (is(field, SQL)) return (field as unknown as Decoded).decoder;
  if (is(field, Subquery)) return (field._.sql as unknown as Decoded).decoder;
  return (field as { readonly sql: Decoded }).sql.decoder;
}

/** Parts whose columns are all of one table that may be missing. */
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
