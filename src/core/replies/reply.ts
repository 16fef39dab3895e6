import type { CheckpointOption } from "../checkpoints/checkpoint.ts";
import { findOption, optionWithEffect } from "../checkpoints/find-option.ts";
import { acknowledgeLabel } from "../checkpoints/options.ts";
import { changesBudget } from "./amounts.ts";
import { isHold, meaningsIn } from "./grammar.ts";
import { withReason } from "./reasoned.ts";
import { acknowledges } from "./seen.ts";
import { asKeyed, bareWords } from "./spoken.ts";
import { saysWhy } from "./why.ts";

/** A thread reply: an answer in the few phrases that are understood, or a comment to store. */
export type Reply =
  /** `reason`: the reason, when one was given. */
  | { readonly type: "answer"; readonly choice: string; readonly instructions: string | null; readonly reason?: string }
  | { readonly type: "comment" };

/**
 * Parses a reply in the thread of an open checkpoint card: `ok`, `skip`, `pause`, any choice by its name, also with a plain reason
 * (`send back: the test is wrong`), Acknowledge where the card has that button, and `modify: …` where no form can be opened.
 * Modify is not taken when its words may withdraw it ("modify: no"). Everything else is a comment. `options` is empty when
 * the thread has no question.
 */
export function readReply(text: string, options: readonly CheckpointOption[]): Reply {
  const said = asKeyed(text);
  const modify = /^modify\s*:/i.exec(said);
  const modifies = optionWithEffect(options, "modify");
  const instructions = modify === null ? "" : said.slice(modify[0].length).trim();
  if (instructions !== "" && modifies !== null && !mayTakeBack(instructions))
    return { type: "answer", choice: modifies.label, instructions };

  if (offersAcknowledge(options) && acknowledges(said))
    return { type: "answer", choice: acknowledgeLabel, instructions: null };
  const word = bareWords(said).toLowerCase();
  const isOk = word === "ok" || word === "okay";
  // Under an agent's own question "ok" may be a yes to that question: continuing would mean continuing without an answer.
  const asksForAnswer = options.some(({ label }) => label === "Answer");
  // "ok" agrees with the card: where the card recommends another choice, the reply is read back.
  const isAgainst = options.some(({ effect, isRecommended }) => isRecommended && effect !== "continue");
  const goingOn = asksForAnswer || isAgainst ? null : optionWithEffect(options, "continue");
  const option = isOk ? goingOn : findOption(options, word);
  const reasoned = option === null && !asksForAnswer ? withReason(said, options) : null;
  if (reasoned !== null && saysWhy(reasoned.option, reasoned.reason))
    return { type: "answer", choice: reasoned.option.label, instructions: null, reason: reasoned.reason };
  if (option === null || option.effect === "modify" || option.effect === "edit") return { type: "comment" };
  return { type: "answer", choice: option.label, instructions: null };
}

/** True when the card has an Acknowledge button: at the end of the ladder. It is no choice; the question stays open. */
export function offersAcknowledge(options: readonly CheckpointOption[]): boolean {
  return optionWithEffect(options, "manual") !== null;
}

/** Modify continues the goal. True when the words may mean another choice, a wait, a no or another ceiling: they are read back first. */
function mayTakeBack(instructions: string): boolean {
  return isHold(instructions) || meaningsIn(instructions).length > 0 || changesBudget(instructions);
}
