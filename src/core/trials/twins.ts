import { folderOf, lastPart } from "../files/path.ts";
import { wholeOf } from "./loading-files.ts";

/** The order in which loaders try extensions for a module without one: vite, jest, Node. */
const orders = [
  [".mjs", ".js", ".mts", ".ts", ".jsx", ".tsx", ".json"],
  [".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".json"],
] as const;

/** TypeScript sources by the extension of the file that they are built to. */
const built: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx"],
  ".jsx": [".tsx"],
  ".mjs": [".mts"],
  ".cjs": [".cts"],
};

/** A module with the same name as another one beside it. */
export interface Twin {
  readonly path: string;
  readonly other: string;
}

/**
 * The modules of `files` in whose place a new file may be loaded: `src/price.mjs` for `src/price.js`, `src/price.js` for `src/price.ts`.
 */
export function twinsOf(path: string, files: ReadonlySet<string>): readonly Twin[] {
  const { stem, ending } = partsOf(path);
  const others = new Set([
    ...(built[ending] ?? []),
    ...orders.flatMap((order) => {
      const at = (order as readonly string[]).indexOf(ending);
      return at === -1 ? [] : order.slice(at + 1);
    }),
  ]);
  return [...others].map((each) => ({ path, other: `${stem}${each}` })).filter(({ other }) => files.has(other));
}

/** True when an import of `said` in the file `from` used to load the other file, and now loads the new one. */
export function isTakenFor({ path, other }: Twin, said: string, from: string): boolean {
  if (!said.startsWith(".")) return false;
  const whole = wholeOf(said, from);
  const { stem, ending } = partsOf(path);
  if (whole === stem) return true;
  return whole === path && (built[ending] ?? []).includes(partsOf(other).ending);
}

function partsOf(path: string): { readonly stem: string; readonly ending: string } {
  const name = lastPart(path);
  const dot = name.lastIndexOf(".");
  const folder = folderOf(path);
  const at = dot < 1 ? name.length : dot;
  return { stem: folder === "" ? name.slice(0, at) : `${folder}/${name.slice(0, at)}`, ending: name.slice(at) };
}
