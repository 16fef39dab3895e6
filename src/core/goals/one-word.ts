import { z } from "zod";

/** Returns a schema for one of these words, written in capitals or not. It yields the word as it stands in `words`. */
export function oneWordOf<Word extends string>(words: readonly Word[]) {
  return z.preprocess((given) => {
    const lower = typeof given === "string" ? given.trim().toLowerCase() : null;
    return words.find((word) => word.toLowerCase() === lower) ?? given;
  }, z.enum(words));
}
