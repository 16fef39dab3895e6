import { readdirSync, readFileSync } from "node:fs";
import { getTableColumns, is } from "drizzle-orm";
import { getTableConfig, PgDialect, PgTable } from "drizzle-orm/pg-core";
import { describe, expect, it } from "vitest";
import * as schema from "../../src/db/schema/index.ts";

/**
 * Statements have one plan for all values. An index of some rows can only be used by it where the statement says as a constant which
 * rows these are, as the index does: a value could be another one next time, and the whole table would be read.
 */

interface Said {
  readonly table: string;
  readonly column: string;
  readonly values: readonly string[];
}

/** What indexes of some rows say of a column: `status = 'open'`, `status in ('due', 'merging')`. */
function saidByIndexes(): Said[] {
  const dialect = new PgDialect();
  return Object.entries(schema).flatMap(([table, value]) => {
    if (!is(value, PgTable)) return [];
    const columns = Object.entries(getTableColumns(value));
    return getTableConfig(value).indexes.flatMap(({ config: { where } }) => {
      const text = where === undefined ? "" : dialect.sqlToQuery(where).sql;
      return [...text.matchAll(/(\w+) (?:=|in) (\([^)]*\)|'[^']*')/g)].flatMap(([, name, said = ""]) => {
        const column = columns.find(([, each]) => each.name === name)?.[0];
        const values = [...said.matchAll(/'([^']*)'/g)].flatMap(([, word]) => word ?? []);
        return column === undefined ? [] : [{ table, column, values }];
      });
    });
  });
}

/** Conditions that give one of these to the database as a value. */
function givenAsValues(text: string, { table, column, values }: Said): string[] {
  const conditions = new RegExp(`\\b(?:eq|inArray)\\(\\s*${table}\\.${column},\\s*(\\[[^\\]]*\\]|"[^"]*")`, "g");
  return [...text.matchAll(conditions)].flatMap(([found, given = ""]) =>
    values.some((value) => given.includes(`"${value}"`)) ? [found] : [],
  );
}

describe("what an index of some rows says of them", () => {
  const said = saidByIndexes();

  it("is said as a constant wherever rows are looked for", () => {
    const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    const wrong = files.flatMap((file) => {
      const text = readFileSync(`src/${file}`, "utf8");
      return said.flatMap((each) => givenAsValues(text, each).map((found) => `src/${file}: ${found}`));
    });
    expect(said.length).toBeGreaterThan(10);
    expect(wrong).toEqual([]);
  });

  it("is found where it is given as a value", () => {
    const one = { table: "spend", column: "kind", values: ["reserved"] };
    expect(givenAsValues('and(eq(spend.kind, "reserved"))', one)).toHaveLength(1);
    expect(givenAsValues('inArray(spend.kind, ["settled", "reserved"])', one)).toHaveLength(1);
    expect(givenAsValues('eq(spend.kind, "settled"), eq(other.kind, "reserved")', one)).toEqual([]);
  });
});
