import { Visitor } from "oxc-parser";
import type { Source } from "./source.ts";

/** Words in -ing that are nouns by themselves; any other type is called as what it is, not as what is done with it. */
const nouns = /(^|[a-z])(Backing|Billing|Ceiling|Counting|Finding|Greeting|Heading|Meaning|Setting|Tracing)$/;

/**
 * Rooms that answer the same calls, each for another server or screen: what they export may be called alike. So may what every
 * command line begins with.
 */
const alike: readonly RegExp[] = [
  /^src\/(chat\/(discord|slack|webhook)|console)\//,
  /^src\/forge\/(gitea|github|gitlab)\//,
  /^src\/((backup|cheats|done|init)\/)?(cli|hook|worklog-hook)\.ts$/,
];

/** Types that are called as what is done with them: `file Name`. */
export function typesInIng(sources: readonly Source[]): readonly string[] {
  return sources.flatMap((source) =>
    namesIn(source)
      .types.filter((name) => name.endsWith("ing") && !nouns.test(name))
      .map((name) => `${source.file} ${name}`),
  );
}

/**
 * Names of functions and types that several files export, each with its files: one word stands for one thing. Values are not
 * counted: a table is called as the database calls it, a command as people type it.
 */
export function sharedNames(sources: readonly Source[]): readonly string[] {
  const filesOf = new Map<string, string[]>();
  for (const source of sources) {
    for (const name of namesIn(source).exported) filesOf.set(name, [...(filesOf.get(name) ?? []), source.file]);
  }
  return [...filesOf]
    .filter(([, files]) => files.length > 1 && !alike.some((rooms) => files.every((file) => rooms.test(file))))
    .map(([name, files]) => `${name}: ${files.join(", ")}`)
    .sort();
}

function namesIn({ program }: Source): { types: readonly string[]; exported: ReadonlySet<string> } {
  const types: string[] = [];
  const exported = new Set<string>();
  new Visitor({
    TSInterfaceDeclaration: (node) => void types.push(node.id.name),
    TSTypeAliasDeclaration: (node) => void types.push(node.id.name),
    ExportNamedDeclaration({ declaration }) {
      if (declaration === null || declaration.type === "VariableDeclaration") return;
      if ("id" in declaration && declaration.id?.type === "Identifier") exported.add(declaration.id.name);
    },
  }).visit(program);
  return { types, exported };
}
