/** A patch as git writes it, in parts that can be drawn. */

export interface PatchLine {
  readonly kind: "same" | "added" | "removed" | "note";
  /** Counted from 1; null on the side where the line is not. */
  readonly oldLine: number | null;
  readonly newLine: number | null;
  readonly text: string;
}

export interface PatchFile {
  /** Where it is after the change, or was, for one that is gone. */
  readonly path: string;
  /** What git says of it beside its lines: "new file mode 100644", "Binary files … differ". */
  readonly notes: readonly string[];
  readonly hunks: readonly (readonly PatchLine[])[];
}

/**
 * The files of a patch in its order. Text that is no patch is no file; a patch that was cut ends where it was cut. Only "\n"
 * ends a line: U+2028 within a file's line does not.
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

/** git puts a path with odd characters in quotes; it is shown as git says it. */
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
  // Said once only, "a/NAME b/NAME": the second half, whatever spaces the name has.
  const both = first.slice("diff --git ".length);
  return (said ?? both.slice(Math.ceil(both.length / 2))).replace(/^("?)[ab]\//, "$1");
}
