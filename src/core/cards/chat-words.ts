import { capitalised, firstLine } from "../text.ts";
import { shellWord } from "../text/shell-word.ts";
import { type Card, nextSpans, type Text, textsOf } from "./card.ts";

/** Messages to one person on a chat platform, besides cards. */

export const notYetWords = "Not recorded yet, nothing was decided; I will say so here when it is.";
export const neverWords =
  "It could not be recorded within a minute, and nothing was decided. Try again when the bot's database answers.";
export const unknownButtonWords = "That button asks for nothing that I know; nothing was done.";
export const noFormWords = "The bot's database does not answer; nothing was changed. Try again in a moment.";
/** Said when the platform did not open a form. Nothing was decided. */
export function notOpenedWords(afterMs: number | null): string {
  const when = afterMs === null ? "again" : `again in ${Math.ceil(afterMs / 1000)} s`;
  return `The form could not be opened now, and nothing was changed. Press ${when}.`;
}
export const doneBeforeWords = "Done before.";

/**
 * Said when the console receives the same form again, also from a page in the browser's history. It says nothing of the first result, which
 * may have been a refusal.
 */
export const sentBeforeWords =
  "This form was sent before, and nothing was done now. To send it once more, write it on this page.";

/** Said when recording took longer than the platform waits, one text a line. With `isSaid`, also what no other card shows. */
export function lateTexts(
  told: { readonly type: "done"; readonly card: Card; readonly isSaid?: boolean } | { readonly type: "repeated" },
): readonly Text[] {
  if (told.type === "repeated") return [["Recorded now."]];
  return [[`Recorded now: ${told.card.title}`], ...(told.isSaid === true ? textsOf(told.card) : [])];
}

const untilDone = " … I will say here when it is done; until then nothing is recorded.";

/** Said while a command runs. */
export function workingWords(line: string): Text {
  return ["Working on ", { code: firstLine(line, 200) }, untilDone];
}

/** Like `workingWords`, for a button whose answer goes to the person who pressed it. */
export const workingOnItWords = `Working on it${untilDone}`;

/** Said for words that begin no command, with a hint at what was probably meant. */
export function unknownCommandWords(words: string, hint: string | null): string {
  return `unknown command: ${words}${hint === null ? "" : `; ${hint}`}`;
}

/** The reply to somebody who writes to the bot where it does not read. `line`: the command that they wrote; null when they wrote none. */
export function mentionedTexts(line: string | null): readonly Text[] {
  const isRead = "Nothing was done: in the channel I read commands, and in the threads of my cards replies.";
  if (line !== null) return [[isRead], ["Next: ", ...nextSpans(line)]];
  return [[isRead], ["To add a goal: ", { command: "goal add TEXT" }], ["All that I can do: ", { command: "help" }]];
}

const longestGoal = 300;

/** How to add a goal whose text begins like a command. */
export function goalSoWords(text: string): string {
  return `if it is a goal: /goal add ${text.length > longestGoal ? '"…"' : shellWord(text)}`;
}

const mostAsked = 30;

/** Why something was refused, who may do it, and the next command: one text a line. */
export function refusalTexts(refused: {
  readonly reason: string;
  readonly next: string | null;
  readonly ask: readonly string[];
}): readonly Text[] {
  const { reason, next } = refused;
  const ask = refused.ask.slice(0, mostAsked);
  return [
    [asSentence(reason)],
    ...(ask.length === 0
      ? []
      : [["Who can: ", ...ask.flatMap((person, index) => (index === 0 ? [{ person }] : [", ", { person }]))]]),
    ...(next === null ? [] : [["Next: ", ...nextSpans(next)]]),
  ];
}

/** Capitalises a reason, unless it begins with an id, which must be typed exactly. */
function asSentence(reason: string): string {
  return /^[a-z]+-\w*\d/.test(reason) ? reason : capitalised(reason);
}

/** Stands above what somebody typed into a refused form. */
export const typedWords = "What you typed, to copy it:";

/** The label of the button that opens a refused form again, with its values. */
export const formAgainLabel = "Open the form again";
