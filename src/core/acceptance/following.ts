/** A file that the work moved: where it was, and where it is. */
export interface MovedFile {
  readonly from: string;
  readonly to: string;
}

/**
 * Whether a test is what it was but for how it names a moved file (docs/proofs.md: the base's proof follows git's renames). Only lines
 * that import or say of which package it is may differ, and only by the words of that file's path; in Go names of a moved package, too, all of
 * them alike. Whatever else was changed in it counts as a change.
 */
export function isOnlyFollowing(before: string, now: string, moved: readonly MovedFile[]): boolean {
  const [old, fresh] = [moved.reduce(inPackage, before).split("\n"), now.split("\n")];
  if (old.length !== fresh.length) return false;
  return old.every((line, index) => {
    const other = fresh[index] ?? "";
    return line === other || moved.some((each) => namesAlike(line, other, each));
  });
}

/**
 * A Go test that names its package as it is called where it lies now. Only where nothing has that name already: else what was
 * compared with another package would be compared with itself.
 */
function inPackage(text: string, { from, to }: MovedFile): string {
  const [old, fresh] = [packageOf(from), packageOf(to)];
  if (old === null || fresh === null || old === fresh) return text;
  const words = text.split(/([\p{L}\p{N}_]+)/u);
  if (words.includes(fresh)) return text;
  return words.map((word, at) => (word === old && words[at + 1]?.startsWith(".") === true ? fresh : word)).join("");
}

/** The folder of a Go file, which its package is called by; null of another file, and at the root. */
function packageOf(path: string): string | null {
  return path.endsWith(".go") ? (path.split("/").at(-2) ?? null) : null;
}

const longestLine = 500;

function namesAlike(before: string, now: string, moved: MovedFile): boolean {
  if (before.length > longestLine || now.length > longestLine) return false;
  const isGo = moved.from.endsWith(".go");
  if (![before, now].every((line) => imports(line) || (isGo && isListed(line)))) return false;
  const own = new Set([...wordsOf(moved.from), ...wordsOf(moved.to)]);
  return withoutPlace(before, own) === withoutPlace(now, own);
}

/** Folders and name of a path, without the name's ending. */
function wordsOf(path: string): string[] {
  return path.replace(/\.\w{1,10}$/, "").split("/");
}

/** A line with the same mark for whatever says where the file is. */
function withoutPlace(line: string, own: ReadonlySet<string>): string {
  // The tests of a Go package may be a package beside it.
  const said = line.replace(/^(package \w{1,200})_test$/, "$1 _test");
  const marked = said.replace(/[\w$-]+/g, (word) => (own.has(word) ? "\0" : word));
  return marked.replace(/(?:\.{1,2}\/)+/g, "").replace(/(?:\0[./])*\0/g, "\0");
}

function imports(line: string): boolean {
  return /^\s{0,20}(?:import|from|export|use|using|require|source|package|\.)\b|^\s{0,20}\. |\brequire\s?\(|\bimport\s?\(/.test(
    line,
  );
}

/** A line of Go's `import ( … )`. */
function isListed(line: string): boolean {
  return /^\s{1,20}(?:[\w.]{1,100} )?"[\w./-]{1,300}"$/.test(line);
}
