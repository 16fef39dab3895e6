import type { Finding } from "../../core/reports/finding.ts";
import { adviceFor, errorWord } from "./rest.ts";

/** What Discord is asked while it is examined. */

/** What came of it. */
export type DiscordAnswer<Value> =
  | { readonly type: "answered"; readonly value: Value }
  | { readonly type: "failed"; readonly error: unknown };

/** Asks; what goes wrong is an answer too. */
export async function askDiscord<Value>(call: () => Promise<unknown>): Promise<DiscordAnswer<Value>> {
  try {
    // Each route's answer is of the type that its caller names.
    return { type: "answered", value: (await call()) as Value };
  } catch (error) {
    return { type: "failed", error };
  }
}

/** The line about what could not be asked: why, and what to do. */
export function askFailure(name: string, error: unknown): Finding {
  const word = errorWord(error);
  const advice = adviceFor(error);
  return { name, ok: false, says: advice === null ? word : `${word}: ${advice}` };
}
