import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rowsOf } from "../bin/count-tests.mjs";
import { shortPartOf } from "./parts.ts";

/** Where titles say what their tests prove: `[S4-CK-12]`, `[F-101, F-102]`, also in a table of them. */
const inBrackets = /\[[^[\]\n]*\]/g;

/**
 * Of each row the file in which the short run tries it: the first that names it in brackets. A row of a title that is put together
 * when its file is loaded has no such file, and is tried wherever it is named.
 */
export function homesOf(
  files: readonly { readonly path: string; readonly text: string }[],
): ReadonlyMap<string, string> {
  const homes = new Map<string, string>();
  for (const { path, text } of files)
    for (const each of (text.match(inBrackets) ?? []).flatMap(rowsOf)) if (!homes.has(each)) homes.set(each, path);
  return homes;
}

/** The same of all files of which the short run runs something. */
export function readHomes(): ReadonlyMap<string, string> {
  const paths = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts"))
    .map((path) => join(import.meta.dirname, path))
    .toSorted();
  return homesOf(inOrder(paths).map((path) => ({ path, text: readFileSync(path, "utf8") })));
}

/**
 * The files in which a row is looked for, in this order: those that are run whole anyway, first what only computes; then those of
 * which some tests are run; last those whose tests are all run, but need what is not everywhere.
 */
export function inOrder(paths: readonly string[]): readonly string[] {
  return (["pure", "anywhere", "some", "all"] as const).flatMap((part) =>
    paths.filter((path) => shortPartOf(path) === part),
  );
}
