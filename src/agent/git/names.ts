import { type Mirror, mirrorGit } from "./mirror.ts";
import { inFolder } from "./tree.ts";

/**
 * File names are bytes, and our names are texts. A name that is not valid text cannot be reported, passed on or reverted, and a file
 * added under it could not be left out of a verification.
 */

/** True when a name that was decoded may not be valid text. A name may also contain the replacement character itself. */
export function mayBeNoText(read: string): boolean {
  return read.includes("\uFFFD");
}

/** The bytes of a text, one character each, for git with `encoding: "latin1"`. */
export function nameBytes(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** Decodes such bytes; null when they are not valid text. */
export function textOf(bytes: string): string | null {
  const text = readAsText(bytes);
  return nameBytes(text) === bytes ? text : null;
}

/** Decodes such bytes for display, with replacement characters where they are not valid text. */
export function readAsText(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString();
}

/** The path of a file whose name is given as bytes. */
export function placeOf(dir: string, bytes: string): Buffer {
  return inFolder(dir, Buffer.from(bytes, "latin1"));
}

/**
 * Resets files whose names are not valid text to their state in `recorded`: new ones are not added, existing ones stay. Returns their
 * names, quoted as git does: `"prix-\\351.txt"`. Throws `GitError`.
 */
export async function leaveOutNoText(
  mirror: Mirror,
  recorded: string,
  environment: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  // In quoted names, each non-ASCII byte is an octal number.
  const asked = [
    "-c",
    "core.quotePath=true",
    "diff-index",
    "--cached",
    "--raw",
    "--no-abbrev",
    "--no-renames",
    "--ignore-submodules=none",
    recorded,
  ];
  const lines = (await mirrorGit(mirror, asked, { environment })).split("\n");
  const left = lines.flatMap((line) => {
    const [, mode = "", object = "", name = ""] = /^:(\d{6}) \d{6} (\w+) \w+ \w+\t(.*)$/.exec(line) ?? [];
    return name === "" || isText(name) ? [] : [{ name, before: `${mode} ${object}\t${name}\n` }];
  });
  const input = left.map(({ before }) => before).join("");
  if (left.length > 0) await mirrorGit(mirror, ["update-index", "--index-info"], { environment, input });
  return left.map(({ name }) => name);
}

/** True when a name, quoted as git does, is valid text: `"prix-\\303\\251.txt"`. */
function isText(quoted: string): boolean {
  if (!quoted.startsWith('"')) return true;
  const bytes: number[] = [];
  for (const [, octal, other = ""] of quoted.slice(1, -1).matchAll(/\\([0-3][0-7]{2})|(\\?[^])/g))
    bytes.push(octal === undefined ? (other.codePointAt(0) ?? 0) : Number.parseInt(octal, 8));
  return !mayBeNoText(Buffer.from(bytes).toString());
}
