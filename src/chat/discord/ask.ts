import type { Finding } from "../../core/reports/finding.ts";
import { adviceFor, errorWord } from "./rest.ts";

/** Calls to Discord for `cos doctor`. */

/** The result of one call. */
export type DiscordAnswer<Value> =
  | { readonly type: "answered"; readonly value: Value }
  | { readonly type: "failed"; readonly error: unknown };

/** Makes a call and returns its error as a value. */
export async function askDiscord<Value>(call: () => Promise<unknown>): Promise<DiscordAnswer<Value>> {
  try {
    // The caller names the type of the route's answer.
    return { type: "answered", value: (await call()) as Value };
  } catch (error) {
    return { type: "failed", error };
  }
}

/** Returns the doctor's line for a failed call: what went wrong, and what to do. */
export function askFailure(name: string, error: unknown): Finding {
  const word = errorWord(error);
  const advice = adviceFor(error);
  return { name, ok: false, says: advice === null ? word : `${word}: ${advice}` };
}
