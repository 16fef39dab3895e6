import type { CompiledReply } from "./compiled-reply.ts";
import { meant, offered, type RepliedTo } from "./offered.ts";

/*
 * "start", "ok, let's go", "yes, kick it off": a yes to work that has not begun, and no instruction. "Start with the tests" is
 * an instruction, and "start over" may be one.
 */

/** Reads the text as "proceed" when the question can start or retry work, else as unclear. Null when it is another text. */
export function toBegin(said: string, question: RepliedTo): CompiledReply | null {
  if (!beginning.test(said.trim())) return null;
  const waits = question.options.some(({ label }) => beginsWork.includes(label));
  return waits ? offered({ type: "proceed" }, question) : meant(question, "There is nothing here to start.");
}

/** Choices that start or continue work. None of them accepts a finished result. */
const beginsWork = ["Proceed", "Start", "Retry", "Resume"];

const beginning =
  /^(?:please |just )?(?:(?:yes|yep|yeah|ok|okay|sure|fine|great|lgtm)[,.! ]{1,3})?(?:please )?(?:(?:let(?:'|’)?s )?(?:start|begin)(?: (?:it|this|that|(?:the|this) (?:goal|task|campaign)))?|let(?:'|’)?s go|kick (?:it|this|that) off)(?:[,. ]{1,3}(?:now|then|please|thanks|thank you))*[.!]*$/i;
