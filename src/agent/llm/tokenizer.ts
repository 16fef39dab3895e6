import type { Tokenizer } from "../../core/worklog/progress.ts";

/**
 * Loads the tokenizer on demand: its table takes a quarter of a second, and most processes count no tokens. Its counts are close enough
 * for every model.
 */
export async function loadTokenizer(): Promise<Tokenizer> {
  const { decode, encode } = await import("gpt-tokenizer/encoding/cl100k_base");
  const tokensOf = (words: string): number[] => encode(words, { disallowedSpecial: new Set() });
  return {
    count: (words) => tokensOf(words).length,
    cut(words, most) {
      const tokens = tokensOf(words);
      return tokens.length <= most ? words : withoutCutLetter(decode(tokens.slice(0, most)));
    },
  };
}

/** Removes the end of a character that was cut within its bytes. */
function withoutCutLetter(words: string): string {
  let end = words.length;
  while (words[end - 1] === "\uFFFD") end -= 1;
  return words.slice(0, end);
}
