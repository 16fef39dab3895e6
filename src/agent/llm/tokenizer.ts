import type { Tokenizer } from "../../core/worklog/progress.ts";

/** Loaded by who needs it: its table takes a quarter of a second, and most processes count nothing. Near enough for every model. */
export async function loadTokenizer(): Promise<Tokenizer> {
  const { decode, encode } = await import("gpt-tokenizer/encoding/cl100k_base");
  const tokensOf = (words: string): number[] => encode(words, { disallowedSpecial: new Set() });
  return {
    count: (words) => tokensOf(words).length,
    cut(words, most) {
      const tokens = tokensOf(words);
      return tokens.length <= most ? words : decode(tokens.slice(0, most)).replace(/\uFFFD+$/, "");
    },
  };
}
