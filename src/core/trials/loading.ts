import type { Token } from "./tokens.ts";

/** Modules that a source loads by a name that nobody reads there. */

const loaders = /^(?:import|require|__import__|import_module|getBuiltinModule)$/;

/** A module whose name is no plain text. */
export function isComputed(tokens: readonly Token[], index: number): boolean {
  const [loader, open, what] = [tokens[index], tokens[index + 1], tokens[index + 2]];
  if (!isLoader(loader?.text) || open?.text !== "(") return false;
  return what !== undefined && what.text !== ")" && (what.type !== "string" || what.text.includes("${"));
}

/** What only takes texts together. */
const joining: ReadonlySet<string> = new Set(["[", "]", "(", ",", "+", ".", "join", "concat", "reverse", "replace"]);

/** `import("vi" + "test")`: a name of which every piece is written there was put together so that nobody reads it. */
export function isInPieces(tokens: readonly Token[], index: number): boolean {
  if (!isLoader(tokens[index]?.text) || tokens[index + 1]?.text !== "(") return false;
  let depth = 0;
  let pieces = 0;
  for (const { type, text } of tokens.slice(index + 1, index + longestName)) {
    if (text === "(") depth += 1;
    if (text === ")") depth -= 1;
    if (depth === 0) return pieces > 1;
    if (type === "string" && !text.includes("${")) pieces += 1;
    // In Python texts that stand side by side are one.
    else if (type !== "number" && !joining.has(text) && text !== ")") return false;
    if (text === "," && depth === 1 && tokens[index + 2]?.text !== "[") return false;
  }
  return false;
}

/** So many tokens of what is loaded are read. */
const longestName = 60;

/** Whether a name is one by which code of other files is loaded. */
export function isLoader(name: string | undefined): boolean {
  return name !== undefined && loaders.test(name);
}
