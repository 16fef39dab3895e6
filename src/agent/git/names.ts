import { type Mirror, mirrorGit } from "./mirror.ts";
import { inFolder } from "./tree.ts";

/**
 * A name of a file is bytes, and ours are texts: of one that is no text nothing can be said, asked or taken back, and what was
 * added under it could not be left out of a verification.
 */

/** Whether a name that was read as a text may have been none: the sign for that may also be meant. */
export function mayBeNoText(read: string): boolean {
  return read.includes("\uFFFD");
}

/** The bytes of a text, a character for each, as git is asked and answers with `encoding: "latin1"`. */
export function nameBytes(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** What is read of such bytes; null where they are no text. */
export function textOf(bytes: string): string | null {
  const text = readAsText(bytes);
  return nameBytes(text) === bytes ? text : null;
}

/** The same where something has to be said of it. */
export function readAsText(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString();
}

/** Where a name lies that is such bytes: whatever it is called, it is found. */
export function placeOf(dir: string, bytes: string): Buffer {
  return inFolder(dir, Buffer.from(bytes, "latin1"));
}

/**
 * Leaves such files in an index as `recorded` has them: what is not there is not added, what is there stays. Returns their names, as git
 * quotes them: `"prix-\\351.txt"`. Throws `GitError`.
 */
export async function leaveOutNoText(
  mirror: Mirror,
  recorded: string,
  environment: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  // Quoted, each byte that is none of ASCII is written by its number.
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

/** Whether a name is one, as git quotes it: `"prix-\\303\\251.txt"`. */
function isText(quoted: string): boolean {
  if (!quoted.startsWith('"')) return true;
  const bytes: number[] = [];
  for (const [, octal, other = ""] of quoted.slice(1, -1).matchAll(/\\([0-3][0-7]{2})|(\\?[^])/g))
    bytes.push(octal === undefined ? (other.codePointAt(0) ?? 0) : Number.parseInt(octal, 8));
  return !mayBeNoText(Buffer.from(bytes).toString());
}
