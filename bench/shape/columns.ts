import { getTableColumns } from "drizzle-orm";
import { Visitor } from "oxc-parser";
import { goals } from "../../src/db/schema/goals.ts";
import type { Source } from "./source.ts";

/** A column of a goal, and the files that name it. */
export interface Column {
  readonly name: string;
  readonly files: readonly string[];
}

/**
 * In which files each column of a goal is named: as a property, or in a statement by its name in the database. A name that
 * other things have too (`status`) is counted wherever it stands: a reader has to tell them apart as well. The schema, where
 * all of them are declared, is not counted.
 */
export function columnsOfGoal(sources: readonly Source[]): readonly Column[] {
  const columns = Object.entries(getTableColumns(goals)).map(([name, column]) => ({ name, inSql: column.name }));
  const read = sources
    .filter(({ file }) => !/^src\/db\/schema(\.ts|\/)/.test(file))
    .map((source) => ({ file: source.file, ...namesIn(source) }));
  return columns
    .map(({ name, inSql }) => ({
      name,
      files: read
        .filter(({ properties, sql }) => properties.has(name) || (inSql.includes("_") && sql.has(inSql)))
        .map(({ file }) => file),
    }))
    .sort((one, other) => other.files.length - one.files.length);
}

function namesIn({ program }: Source): { properties: Set<string>; sql: Set<string> } {
  const properties = new Set<string>();
  const sql = new Set<string>();
  new Visitor({
    MemberExpression(node) {
      if (node.property.type === "Identifier") properties.add(node.property.name);
    },
    Property(node) {
      if (node.key.type === "Identifier") properties.add(node.key.name);
    },
    TSPropertySignature(node) {
      if (node.key.type === "Identifier") properties.add(node.key.name);
    },
    TemplateElement(node) {
      for (const [word] of node.value.raw.matchAll(/\w+/g)) sql.add(word);
    },
  }).visit(program);
  return { properties, sql };
}
