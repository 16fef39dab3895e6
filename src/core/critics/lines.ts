import { shorten } from "../text.ts";

/** A line that is looked at, and where it stands. */
export interface Line {
  readonly path: string;
  readonly number: number;
  readonly text: string;
}

/** What is looked at: what was written, and what was taken away, where that is known. */
export interface Artifact {
  readonly added: readonly Line[];
  readonly removed: readonly Line[];
}

/** Files as an artefact: all of their lines are written. */
export function linesOfFiles(files: readonly { readonly path: string; readonly text: string }[]): Artifact {
  const added = files.flatMap(({ path, text }) =>
    text.split("\n").map((line, index): Line => ({ path, number: index + 1, text: line })),
  );
  return { added, removed: [] };
}

/**
 * A unified diff as an artefact: its added and removed lines with their places. Lines that belong to no hunk say nothing. Linear
 * in the diff.
 */
export function linesOfDiff(diff: string): Artifact {
  const added: Line[] = [];
  const removed: Line[] = [];
  let [before, after] = ["", ""];
  let [left, right, leftToCome, rightToCome] = [0, 0, 0, 0];
  for (const line of diff.split("\n")) {
    if (leftToCome > 0 || rightToCome > 0) {
      const text = line.slice(1);
      if (line.startsWith("+")) {
        added.push({ path: after, number: right, text });
        right += 1;
        rightToCome -= 1;
      } else if (line.startsWith("-")) {
        removed.push({ path: before, number: left, text });
        left += 1;
        leftToCome -= 1;
      } else if (!line.startsWith("\\")) {
        left += 1;
        right += 1;
        leftToCome -= 1;
        rightToCome -= 1;
      }
      continue;
    }
    const hunk = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/.exec(line);
    if (hunk !== null) {
      [left, leftToCome] = [Number(hunk[1]), Number(hunk[2] ?? 1)];
      [right, rightToCome] = [Number(hunk[3]), Number(hunk[4] ?? 1)];
    } else if (line.startsWith("--- ")) before = pathIn(line);
    else if (line.startsWith("+++ ")) after = pathIn(line);
  }
  return { added, removed };
}

/** `--- a/src/a.ts` or `+++ "b/src/\303\244.ts"`; what was not there is empty. */
function pathIn(line: string): string {
  const [named = ""] = line.slice(4).split("\t", 1);
  const path = named.replace(/^"(.*)"$/, "$1");
  return path === "/dev/null" ? "" : path.replace(/^[ab]\//, "");
}

/** Whether a text is a diff: it has a hunk below the names of two files. */
export function isDiff(text: string): boolean {
  return /^--- [^\n]+\n\+\+\+ [^\n]+\n@@ -\d/m.test(text);
}

/** `src/a.ts:12: curl …`: an issue that shows where it is. */
export function issueAt({ path, number, text }: Line, what: string): string {
  return `${path}:${number}: ${what}: ${shorten(text.trim(), 160)}`;
}
