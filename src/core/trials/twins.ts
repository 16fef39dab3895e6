import { folderOf, lastPart } from "../files/path.ts";
import { wholeOf } from "./loading-files.ts";

/** In which order what loads modules without their endings looks for them: vite, jest, Node. */
const orders = [
  [".mjs", ".js", ".mts", ".ts", ".jsx", ".tsx", ".json"],
  [".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".json"],
] as const;

/** What TypeScript is named by before it is built. */
const built: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx"],
  ".jsx": [".tsx"],
  ".mjs": [".mts"],
  ".cjs": [".cts"],
};

/** A module that has the name of another one beside it. */
export interface Twin {
  readonly path: string;
  readonly other: string;
}

/** The modules of `files` that a new file may be loaded in the place of: `src/price.mjs` for `src/price.js`, `src/price.js` for `src/price.ts`. */
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

/** Whether a file that says `said` was given the other one, and is given the new one in its place. */
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
