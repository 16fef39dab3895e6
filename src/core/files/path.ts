/** Parts of paths with slashes, as git writes them. */

/** "price.ts" for "src/price.ts". */
export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** "src/money" for "src/money/price.ts"; "" at the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** "src/price" for "src/price.ts". */
export function withoutEnding(path: string): string {
  return path.replace(/\.\w{1,10}$/, "");
}
