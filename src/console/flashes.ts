import type { Flash } from "./flash.ts";

/** What is said on the page that is shown after a form: on that page alone, however often it is loaded; the last hundred. */
export interface Flashes {
  /** The key by which the next page asks for it. */
  keep(flash: Flash): string;
  /** A page that loads itself again, since something on it changed, goes on saying it. */
  kept(key: string): Flash | null;
}

const mostKept = 100;

/** Keeps what the next page says, at most `mostKept`, in this process only. */
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
