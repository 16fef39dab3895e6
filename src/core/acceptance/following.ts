/** A file that the work moved: where it was, and where it is. */
export interface Moved {
  readonly from: string;
  readonly to: string;
}

/**
 * Whether a test is what it was but for how it names a moved file (PROOF.md: the base's proof follows git's renames). Only lines
 * that import may differ, and only by the words of that file's path; whatever else was changed in it counts as a change.
 */
export function isOnlyFollowing(before: string, now: string, moved: readonly Moved[]): boolean {
  const [old, fresh] = [before.split("\n"), now.split("\n")];
  if (old.length !== fresh.length) return false;
  return old.every((line, index) => {
    const other = fresh[index] ?? "";
    return line === other || moved.some((each) => namesAlike(line, other, each));
  });
}

const longestLine = 500;

function namesAlike(before: string, now: string, moved: Moved): boolean {
  if (before.length > longestLine || now.length > longestLine || !imports(before) || !imports(now)) return false;
  const own = new Set([...wordsOf(moved.from), ...wordsOf(moved.to)]);
  return withoutPlace(before, own) === withoutPlace(now, own);
}

/** Folders and name of a path, without the name's ending. */
function wordsOf(path: string): string[] {
  return path.replace(/\.\w{1,10}$/, "").split("/");
}

/** A line with the same mark for whatever says where the file is. */
function withoutPlace(line: string, own: ReadonlySet<string>): string {
  const marked = line.replace(/[\w$-]+/g, (word) => (own.has(word) ? "\0" : word));
  return marked.replace(/(?:\.{1,2}\/)+/g, "").replace(/(?:\0[./])*\0/g, "\0");
}

function imports(line: string): boolean {
  return /^\s{0,20}(?:import|from|export|use|using|require|source|\.)\b|^\s{0,20}\. |\brequire\s?\(|\bimport\s?\(/.test(
    line,
  );
}
