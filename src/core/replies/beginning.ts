import type { CompiledReply } from "./compiled-reply.ts";
import { meant, offered, type RepliedTo } from "./offered.ts";

/*
 * "start", "ok, let's go", "yes, kick it off": a yes to what has not begun, and no work by itself. "Start with the tests" is work, and so may
 * be "start over".
 */

/** To go on, where something waits to begin or to be tried again; of what is there already it decides nothing. Null: it says something else. */
export function toBegin(said: string, question: RepliedTo): CompiledReply | null {
  if (!beginning.test(said.trim())) return null;
  const waits = question.options.some(({ label }) => beginsWork.includes(label));
  return waits ? offered({ type: "proceed" }, question) : meant(question, "There is nothing here to start.");
}

/** Choices by which work begins or goes on: none of them takes what is there already as it is. */
const beginsWork = ["Proceed", "Start", "Retry", "Resume"];

const beginning =
  /^(?:please |just )?(?:(?:yes|yep|yeah|ok|okay|sure|fine|great|lgtm)[,.! ]{1,3})?(?:please )?(?:(?:let(?:'|’)?s )?(?:start|begin)(?: (?:it|this|that|(?:the|this) (?:goal|task|campaign)))?|let(?:'|’)?s go|kick (?:it|this|that) off)(?:[,. ]{1,3}(?:now|then|please|thanks|thank you))*[.!]*$/i;
