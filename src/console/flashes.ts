import type { Flash } from "./channel-page.ts";

/** What is said once, on the page that is shown after a form: kept until that page is loaded, the last hundred. */
export interface Flashes {
  /** The key by which the next page asks for it. */
  keep(flash: Flash): string;
  take(key: string): Flash | null;
}

const mostKept = 100;

/** Keeps what the next page says once, at most `mostKept`, in this process only. */
export function openFlashes(): Flashes {
  const kept = new Map<string, Flash>();
  return {
    keep(flash) {
      const key = crypto.randomUUID();
      kept.set(key, flash);
      for (const old of kept.keys()) if (kept.size > mostKept) kept.delete(old);
      return key;
    },
    take(key) {
      const found = kept.get(key) ?? null;
      kept.delete(key);
      return found;
    },
  };
}
