import { maskedText } from "../secrets/mask.ts";
import { fenced } from "./fence.ts";

/** What a person has allowed an agent to do once, as it was asked about: the question's words, and the lines behind it. */
export interface AllowedAction {
  readonly action: string;
  readonly details: readonly string[];
}

/**
 * "execute: rm -rf build" of "The agent asks to execute: rm -rf build". A question shortens a command, or places, that its details
 * hold whole, and what was allowed is the whole of it.
 */
export function allowedWords({ action, details }: AllowedAction): string {
  const words = action.replace(/^The agent asks to /, "");
  const kind = words.slice(0, words.indexOf(": ") + 2);
  const shown = words.slice(kind.length);
  if (!shown.endsWith("…")) return words;
  const [command = ""] = details;
  const whole = [command, details.join(", ")].find((each) => each.startsWith(shown.slice(0, -1)));
  return whole === undefined ? words : `${kind}${whole}`;
}

/**
 * What an agent is told of what it may do once (D29), each whole, on as many lines as it has: a grant is for exactly those
 * words. Where they were masked or cut before they were stored, they are no words to repeat.
 */
export function allowedParts(allowed: readonly string[]): string[] {
  if (allowed.length === 0) return [];
  const isCut = allowed.some((each) => each.endsWith("…") || each.includes(maskedText));
  return [
    "A person has allowed what you asked for, once each, exactly as you asked for it. Ask for it again in the same words, then go on:",
    ...allowed.map((each) => fenced("allowed-once", each)),
    ...(isCut
      ? [`Where that ends in "…" or says ${maskedText}, a part is not shown: ask with the command that you asked with.`]
      : []),
  ];
}
