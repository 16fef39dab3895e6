import type { Flash } from "./flash.ts";

/** Keeps the last hundred answers for the page that is shown after a form. Only that page shows an answer, however often it is loaded. */
export interface Flashes {
  /** Stores an answer and returns the key with which the next page reads it. */
  keep(flash: Flash): string;
  /** Returns an answer without removing it, because a page reloads itself when something on it changes. */
  kept(key: string): Flash | null;
}

const mostKept = 100;

/** Opens the store: at most `mostKept` answers, in this process only. */
export function openFlashes(): Flashes {
  const kept = new Map<string, Flash>();
  return {
    keep(flash) {
      const key = crypto.randomUUID();
      kept.set(key, flash);
      for (const old of kept.keys()) if (kept.size > mostKept) kept.delete(old);
      return key;
    },
    kept: (key) => kept.get(key) ?? null,
  };
}
