/** A file that the work moved: its old and its new path. */
export interface MovedFile {
  readonly from: string;
  readonly to: string;
}

/**
 * True when a test differs only in how it names a moved file (docs/proofs.md: the base's proof follows git's renames). Only lines that
 * import or that declare the package may differ, and only by words of that file's path. In Go, the name of a moved package may differ too,
 * everywhere alike. Any other difference counts as a change.
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
 * Renames the package of a moved Go file in a test. Skipped if the new name is already used: a value that was compared with another package
 * would be compared with itself.
 */
function inPackage(text: string, { from, to }: MovedFile): string {
  const [old, fresh] = [packageOf(from), packageOf(to)];
  if (old === null || fresh === null || old === fresh) return text;
  const words = text.split(/([\p{L}\p{N}_]+)/u);
  if (words.includes(fresh)) return text;
  return words.map((word, at) => (word === old && words[at + 1]?.startsWith(".") === true ? fresh : word)).join("");
}

/** The folder of a Go file, which is the name of its package. Null for other files, and at the root. */
function packageOf(path: string): string | null {
  return path.endsWith(".go") ? (path.split("/").at(-2) ?? null) : null;
}

const longestLine = 500;

function namesAlike(before: string, now: string, moved: MovedFile): boolean {
  if (before.length > longestLine || now.length > longestLine) return false;
  const isGo = moved.from.endsWith(".go");
  const own = new Set([...wordsOf(moved.from), ...wordsOf(moved.to)]);
  if ([before, now].every((line) => isImport(line) || (isGo && isListed(line))))
    return withoutPlace(before, own) === withoutPlace(now, own);
  // Of a line that loads a module on its way, only the module's path may differ.
  const [old, fresh] = [before, now].map((line) => line.replace(loading, (call) => withoutPlace(call, own)));
  return old === fresh;
}

/** Matches a call that loads a module by its path: `require("./price.js")`. */
const loading = /\b(?:require|import)\s?\(\s?(?:"[^"]{0,300}"|'[^']{0,300}'|`[^`]{0,300}`)\s?\)/g;

/** Folders and name of a path, without the extension. */
function wordsOf(path: string): string[] {
  return path.replace(/\.\w{1,10}$/, "").split("/");
}

/** A line with one placeholder for everything that says where the file is. */
function withoutPlace(line: string, own: ReadonlySet<string>): string {
  // The tests of a Go package may form a package beside it.
  const said = line.replace(/^(package \w{1,200})_test$/, "$1 _test");
  const marked = said.replace(/[\w$-]+/g, (word) => (own.has(word) ? "\0" : word));
  return marked.replace(/(?:\.{1,2}\/)+/g, "").replace(/(?:\0[./])*\0/g, "\0");
}

/** True for a line that only imports, loads a file, or declares its package. `export const` and what follows a semicolon are code. */
function isImport(line: string): boolean {
  return line.split(";").every((part) => part.trim() === "" || importing.test(part));
}

const importing =
  /^\s{0,20}(?:import\b(?!\s?\()|from\s[\w.]{1,200}\simport\b|export\b[^=("'`]{1,300}\bfrom\s{0,9}["'`]|use\s|using\s(?!\()|(?:require|include)(?:_relative|_once)?\s?["'`]|source\s|package\s|\.\s)[^=]{0,400}$/;

/** True for a line of Go's `import ( … )`. */
function isListed(line: string): boolean {
  return /^\s{1,20}(?:[\w.]{1,100} )?"[\w./-]{1,300}"$/.test(line);
}
