import { maskSecrets } from "../secrets/mask.ts";

/** A line that is checked, with its place. */
export interface Line {
  readonly path: string;
  readonly number: number;
  readonly text: string;
}

/** What is checked: the added lines and, where known, the removed ones. */
export interface Artifact {
  readonly added: readonly Line[];
  readonly removed: readonly Line[];
  /** Unchanged lines that a diff shows around these, at their new places. */
  readonly stayed?: readonly Line[];
  /** Files that were renamed. */
  readonly moved: readonly Moved[];
  /** Files that existed before. Not all of their lines are known. */
  readonly changed?: ReadonlySet<string>;
  /** Manifests (`package.json`) in their new state, by path. The meaning of a line in them depends on its place. */
  readonly manifests?: ReadonlyMap<string, string>;
}

interface Moved {
  readonly from: string;
  readonly to: string;
}

/** Files as an artefact: all of their lines count as added. */
export function linesOfFiles(files: readonly { readonly path: string; readonly text: string }[]): Artifact {
  const added = files.flatMap(({ path, text }) =>
    text.split("\n").map((line, index): Line => ({ path, number: index + 1, text: line })),
  );
  return { added, removed: [], moved: [] };
}

/**
 * A unified diff as an artefact: its added and removed lines with their places. Lines with a plus outside any hunk count as added, so a
 * wrong count in a hunk header hides nothing. Linear in the diff.
 */
export function linesOfDiff(diff: string, context: "left-out" | "as-added" = "left-out"): Artifact {
  return readDiff(diff, context).artifact;
}

/** `isWhole` is true when every line belongs to a hunk, or is a usual line between hunks. */
function readDiff(
  diff: string,
  context: "left-out" | "as-added",
): { readonly artifact: Artifact; readonly isWhole: boolean } {
  const added: Line[] = [];
  const removed: Line[] = [];
  const stayed: Line[] = [];
  const moved: Moved[] = [];
  const changed = new Set<string>();
  let isWhole = true;
  let [before, after, from] = ["", "", ""];
  let [left, right, leftToCome, rightToCome] = [0, 0, 0, 0];
  for (const line of diff.split("\n")) {
    if (leftToCome > 0 || rightToCome > 0) {
      const text = textOf(line.slice(1));
      if (line.startsWith("+")) {
        added.push({ path: after, number: right, text });
        right += 1;
        rightToCome -= 1;
      } else if (line.startsWith("-")) {
        removed.push({ path: before, number: left, text });
        left += 1;
        leftToCome -= 1;
      } else if (!line.startsWith("\\")) {
        (context === "as-added" ? added : stayed).push({ path: after, number: right, text });
        left += 1;
        right += 1;
        leftToCome -= 1;
        rightToCome -= 1;
      }
      continue;
    }
    const hunk = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/.exec(line);
    if (hunk !== null) {
      if (before !== "") changed.add(after);
      [left, leftToCome] = [Number(hunk[1]), Number(hunk[2] ?? 1)];
      [right, rightToCome] = [Number(hunk[3]), Number(hunk[4] ?? 1)];
    } else if (line.startsWith("--- ")) before = pathIn(line.slice(4));
    else if (line.startsWith("+++ ")) after = pathIn(line.slice(4));
    else if (line.startsWith("rename from ")) from = unquoted(line.slice(12));
    else if (line.startsWith("rename to ")) moved.push({ from, to: unquoted(line.slice(10)) });
    else if (line.startsWith("+")) {
      isWhole = false;
      added.push({ path: after, number: right, text: textOf(line.slice(1)) });
    } else isWhole &&= line === "" || betweenHunks.test(line);
  }
  return { artifact: { added, removed, moved, changed, stayed }, isWhole };
}

const betweenHunks =
  /^(?:diff --git |index [0-9a-f]|(?:new|deleted) file mode |(?:old|new) mode |(?:dis)?similarity index |copy (?:from|to) |Binary files |\\ No newline|Index: |={5,100}$|Only in )/;

/** Removes zero bytes: shells ignore them, and no row may contain one. */
function textOf(line: string): string {
  return line.replaceAll("\0", "");
}

/** The path in `--- a/src/a.ts` or `+++ "b/src/\303\244.ts"`. Empty for a file that did not exist. */
function pathIn(written: string): string {
  const [named = ""] = written.split("\t", 1);
  const path = unquoted(named);
  return path === "/dev/null" ? "" : path.replace(/^[ab]\//, "");
}

/** A path without the quotes and escapes that git puts around unusual characters. */
function unquoted(path: string): string {
  const inner = /^"(.*)"$/.exec(path)?.[1];
  if (inner === undefined) return path;
  const bytes = inner.replace(/(?:\\[0-7]{3})+/g, (octal) =>
    new TextDecoder().decode(Uint8Array.from(octal.slice(1).split("\\"), (each) => Number.parseInt(each, 8))),
  );
  return bytes.replace(/\\(["\\])/g, "$1");
}

/**
 * True when a text is a diff: it has a hunk below two file names, and either its path says so or every line belongs to the diff. A script
 * that contains a few lines of a diff is not one, because its other lines would not be checked.
 */
export function isDiff(text: string, path = ""): boolean {
  if (!/^--- [^\n]+\n\+\+\+ [^\n]+\n@@ -\d/m.test(text)) return false;
  return isNamedDiff(path) || readDiff(text, "left-out").isWhole;
}

/** True when a file's name says that it is a diff. */
export function isNamedDiff(path: string): boolean {
  return /\.(?:diff|patch)$/i.test(path);
}

/** Maximum number of characters of a line that are searched for secrets. Only its beginning is shown. */
const longestLooked = 2000;

/** Maximum number of characters of a line that are shown. */
const longestShown = 160;

/**
 * `src/a.ts:12: curl …`: an issue with its place. Secrets of known forms are masked before the line is cut. The word at the cut is dropped:
 * it could be the start of a secret that is known only by value and masked later.
 */
export function issueAt({ path, number, text }: Line, what: string): string {
  return `${path}:${number}: ${what}: ${beginningOf(maskSecrets(text.trim().slice(0, longestLooked), []))}`;
}

function beginningOf(text: string): string {
  if (text.length <= longestShown) return text;
  return `${text
    .slice(0, longestShown)
    .replace(/[^\s"'`]{1,160}$/, "")
    .trimEnd()}…`;
}
