import { isCFile } from "./languages.ts";
import type { Token } from "./tokens.ts";

/** End the process at once, whatever else would have run. */
const endings: ReadonlySet<string> = new Set(["_exit", "_Exit", "quick_exit"]);

/**
 * How source of C ends what tests it: at once (`_exit(0)`), or before or behind everything that a program does
 * (`__attribute__((constructor))`, `atexit`). Such a command passes whatever its tests compare (F-201).
 */
export function cEndingAt(tokens: readonly Token[], index: number, path: string): string | null {
  const token = tokens[index];
  if (token?.type !== "word" || !isCFile(path)) return null;
  if ((endings.has(token.text) || token.text === "atexit") && tokens[index + 1]?.text === "(") return token.text;
  const isAttribute = /^(?:__)?(?:constructor|destructor)(?:__)?$/.test(token.text);
  const near = tokens.slice(Math.max(0, index - 20), index).map(({ text }) => text);
  return isAttribute && near.some((text) => /^(?:__attribute__|__attribute|gnu)$/.test(text))
    ? `__attribute__((${token.text}))`
    : null;
}
