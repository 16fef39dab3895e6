import { z } from "zod";

/** Returns a schema that matches one of the words, ignoring case. It yields the word as spelled in `words`. */
export function oneWordOf<Word extends string>(words: readonly Word[]) {
  return z.preprocess((given) => {
    const lower = typeof given === "string" ? given.trim().toLowerCase() : null;
    return words.find((word) => word.toLowerCase() === lower) ?? given;
  }, z.enum(words));
}
