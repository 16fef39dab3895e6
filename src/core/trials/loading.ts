import type { Token } from "./tokens.ts";

/** Modules that source loads by a name that cannot be read there. */

const loaders = /^(?:import|require|__import__|import_module|getBuiltinModule)$/;

/** True when the name of the loaded module is no plain string. */
export function isComputed(tokens: readonly Token[], index: number): boolean {
  const [loader, open, what] = [tokens[index], tokens[index + 1], tokens[index + 2]];
  if (!isLoader(loader?.text) || open?.text !== "(") return false;
  return what !== undefined && what.text !== ")" && (what.type !== "string" || what.text.includes("${"));
}

/** Tokens that only join strings. */
const joining: ReadonlySet<string> = new Set(["[", "]", "(", ",", "+", ".", "join", "concat", "reverse", "replace"]);

/** True for `import("vi" + "test")`: a name whose pieces are all written there was split so that nobody reads it. */
export function isInPieces(tokens: readonly Token[], index: number): boolean {
  if (!isLoader(tokens[index]?.text) || tokens[index + 1]?.text !== "(") return false;
  let depth = 0;
  let pieces = 0;
  for (const { type, text } of tokens.slice(index + 1, index + longestName)) {
    if (text === "(") depth += 1;
    if (text === ")") depth -= 1;
    if (depth === 0) return pieces > 1;
    if (type === "string" && !text.includes("${")) pieces += 1;
    // In Python, adjacent strings are one.
    else if (type !== "number" && !joining.has(text) && text !== ")") return false;
    if (text === "," && depth === 1 && tokens[index + 2]?.text !== "[") return false;
  }
  return false;
}

/** Maximum number of tokens of a module name that are read. */
const longestName = 60;

/** True for a name that loads code of other files. */
export function isLoader(name: string | undefined): boolean {
  return name !== undefined && loaders.test(name);
}
