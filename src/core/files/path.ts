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

/** "web/check.js" for "web" and "./check.js". A path that leaves the repository begins with "../". */
export function joined(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else parts.push(part);
  }
  return parts.join("/");
}

/** True when a relative path leads out of its folder: ".." and "../x", but not a file whose name begins with two dots, such as "..x". */
export function leadsOut(path: string): boolean {
  return path === ".." || path.startsWith("../");
}
