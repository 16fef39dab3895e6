import { maskedText } from "../secrets/mask.ts";
import { fenced } from "./fence.ts";

/** What a person has allowed an agent to do once: the question's words, and its details. */
export interface AllowedAction {
  readonly action: string;
  readonly details: readonly string[];
}

/**
 * "execute: rm -rf build" from "The agent asks to execute: rm -rf build". A question may shorten a command or places that its details
 * contain completely; the person allowed the complete text.
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
 * Tells the agent what it may do once (D29), each completely and with all its lines, because a grant is for exactly those words. If the
 * words were masked or cut before they were stored, the agent is told to use its own command instead.
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
