import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as dataSet from "linguist-languages";

/**
 * Keeps `src/core/files/languages.ts` as the data set of `linguist-languages` has it: `npx tsx docs/languages.ts` after a new
 * version of that package. `tests/core/files/kind.test.ts` holds both together.
 */

interface Language {
  readonly name: string;
  readonly type: string;
  readonly extensions?: readonly string[];
  readonly filenames?: readonly string[];
}

const project = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Names and extensions by the type of their language; where languages of several types share one, in this order. */
const order = ["programming", "markup", "data", "prose"] as const;

/** The text of `src/core/files/languages.ts`. */
export function languagesSource(): string {
  const all = new Map<string, Set<string>>(order.map((type) => [type, new Set()]));
  const known = new Set<string>();
  const given: readonly Language[] = Object.values(dataSet);
  const languages = given.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  for (const type of order) {
    for (const { extensions = [], filenames = [] } of languages.filter((each) => each.type === type)) {
      for (const name of [...extensions, ...filenames].map((each) => each.toLowerCase())) {
        if (known.has(name) || /\s/.test(name)) continue;
        known.add(name);
        all.get(type)?.add(name);
      }
    }
  }
  const lines = order.map(
    (type) => `  ${type}:\n    ${JSON.stringify([...(all.get(type) ?? [])].sort().join(" "))},\n`,
  );
  return `/**
 * Extensions (with their dot) and whole names of files by the type of their language, in lower case: what the data set of
 * \`linguist-languages\` says, written by \`docs/languages.ts\`.
 */
export const languages = {
${lines.join("")}} as const;
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(join(project, "src/core/files/languages.ts"), languagesSource());
