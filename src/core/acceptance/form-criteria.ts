/**
 * True when the text in a form's field for criteria is the path of a criteria file: one word, or a line that ends like such a path. A
 * heading is a criterion itself. So is a sentence that ends with a file's path, such as "npm test passes for src/price.ts" or "the flag is
 * in docs/cli.md".
 */
export function namesFile(written: string): boolean {
  if (written.startsWith("#") || written.includes("\n")) return false;
  const words = written.split(/\s+/);
  const [first = "", last = ""] = [words[0], words.at(-1)];
  if (words.length === 1) return true;
  return /\.(?:md|markdown|txt)$/i.test(last) && (first.includes("/") || !last.includes("/"));
}
