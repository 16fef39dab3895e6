/**
 * Whether what is written in a form's field for criteria is the path of a file of them: one word, or a line that ends as such files
 * do. A sentence that ends in a file's path ("npm test passes for src/price.ts", "the flag is in docs/cli.md") and a heading are
 * criteria themselves.
 */
export function namesFile(written: string): boolean {
  if (written.startsWith("#") || written.includes("\n")) return false;
  const words = written.split(/\s+/);
  const [first = "", last = ""] = [words[0], words.at(-1)];
  if (words.length === 1) return true;
  return /\.(?:md|markdown|txt)$/i.test(last) && (first.includes("/") || !last.includes("/"));
}
