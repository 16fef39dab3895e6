/** Parses a patch as git prints it, into parts that can be drawn. */

export interface PatchLine {
  readonly kind: "same" | "added" | "removed" | "note";
  /** Counted from 1. Null on the side that does not have the line. */
  readonly oldLine: number | null;
  readonly newLine: number | null;
  readonly text: string;
}

export interface PatchFile {
  /** The path after the change, or before it for a deleted file. */
  readonly path: string;
  /** git's other lines about the file: "new file mode 100644", "Binary files … differ". */
  readonly notes: readonly string[];
  readonly hunks: readonly (readonly PatchLine[])[];
}

/**
 * Returns the files of a patch, in its order. Text that is no patch yields none; a truncated patch ends where it was cut. Only "\n"
 * ends a line; U+2028 inside a line does not.
 */
export function readPatch(patch: string): PatchFile[] {
  return patch
    .split(/(?<![^\n])(?=diff --git )/)
    .filter((part) => part.startsWith("diff --git "))
    .map(readFile);
}

function readFile(part: string): PatchFile {
  const lines = part.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const first = lines.findIndex((line) => line.startsWith("@@ "));
  const head = lines.slice(1, first === -1 ? lines.length : first);
  const hunks: PatchLine[][] = [];
  let [oldLine, newLine] = [0, 0];
  for (const line of first === -1 ? [] : lines.slice(first)) {
    const starts = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (starts !== null) {
      [oldLine, newLine] = [Number(starts[1]), Number(starts[2])];
      hunks.push([]);
      continue;
    }
    const text = line.slice(1);
    const hunk = hunks.at(-1);
    if (line.startsWith("+")) hunk?.push({ kind: "added", oldLine: null, newLine: newLine++, text });
    else if (line.startsWith("-")) hunk?.push({ kind: "removed", oldLine: oldLine++, newLine: null, text });
    else if (line.startsWith(" ")) hunk?.push({ kind: "same", oldLine: oldLine++, newLine: newLine++, text });
    else hunk?.push({ kind: "note", oldLine: null, newLine: null, text: line });
  }
  return {
    path: pathOf(lines[0] ?? "", head),
    notes: head.filter((line) => !/^(?:index|---|\+\+\+) /.test(line)),
    hunks,
  };
}

/** Returns the path. git quotes a path with unusual characters; it is shown with these quotes. */
function pathOf(first: string, head: readonly string[]): string {
  const named = (start: string) =>
    head
      .find((line) => line.startsWith(start))
      ?.slice(start.length)
      .trimEnd();
  const [added, removed] = [named("+++ "), named("--- ")];
  const said = added === "/dev/null" ? removed : added;
  const renamed = named("rename to ");
  if (said === undefined && renamed !== undefined) return renamed;
  // The path is only in "a/NAME b/NAME": take the second half, whatever blanks the name contains.
  const both = first.slice("diff --git ".length);
  return (said ?? both.slice(Math.ceil(both.length / 2))).replace(/^("?)[ab]\//, "$1");
}
