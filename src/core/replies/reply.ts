import type { CheckpointOption } from "../checkpoints/checkpoint.ts";
import { findOption, optionWithEffect } from "../checkpoints/find-option.ts";
import { acknowledgeLabel } from "../checkpoints/options.ts";
import { changesBudget } from "./amounts.ts";
import { isHold, meaningsIn } from "./grammar.ts";
import { withReason } from "./reasoned.ts";
import { acknowledges } from "./seen.ts";
import { asKeyed, bareWords } from "./spoken.ts";
import { saysWhy } from "./why.ts";

/** What a thread reply is: an answer in the few words that are understood, or something to keep. */
export type Reply =
  /** `reason`: why, where it was said. */
  | { readonly type: "answer"; readonly choice: string; readonly instructions: string | null; readonly reason?: string }
  | { readonly type: "comment" };

/**
 * Reads a reply in the thread of an open checkpoint card: `ok`, `skip`, `pause`, any choice by its name, also with what is plainly a
 * reason (`send back: the test is wrong`), Acknowledge where it has its button, and
 * `modify: …`, which is Modify where no form can be opened, unless its words may take it back ("modify: no"). Everything else is a
 * comment. `options` empty: the thread asks nothing.
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
  // Under an agent's own question it may be a yes to that: to go on there is to go on without an answer.
  const asksForAnswer = options.some(({ label }) => label === "Answer");
  // It agrees with the card: where that recommends another choice, it is read back.
  const isAgainst = options.some(({ effect, isRecommended }) => isRecommended && effect !== "continue");
  const goingOn = asksForAnswer || isAgainst ? null : optionWithEffect(options, "continue");
  const option = isOk ? goingOn : findOption(options, word);
  const reasoned = option === null && !asksForAnswer ? withReason(said, options) : null;
  if (reasoned !== null && saysWhy(reasoned.option, reasoned.reason))
    return { type: "answer", choice: reasoned.option.label, instructions: null, reason: reasoned.reason };
  if (option === null || option.effect === "modify" || option.effect === "edit") return { type: "comment" };
  return { type: "answer", choice: option.label, instructions: null };
}

/** A ladder's end has a button for it, which is no choice: the question stays open. */
export function offersAcknowledge(options: readonly CheckpointOption[]): boolean {
  return optionWithEffect(options, "manual") !== null;
}

/** Modify means that the goal goes on: words that may mean another choice, a wait, a no or another ceiling are read back first. */
function mayTakeBack(instructions: string): boolean {
  return isHold(instructions) || meaningsIn(instructions).length > 0 || changesBudget(instructions);
}
