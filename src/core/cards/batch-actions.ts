import type { Call } from "../calls.ts";
import type { QuestionGroup } from "../checkpoints/batch.ts";
import { settingWords } from "../checkpoints/triggers.ts";
import { count } from "../text.ts";
import { type CardAction, type CardBlock, type Span, text } from "./card.ts";
import { triggerNames } from "./checkpoint-card.ts";
import { questionName } from "./question-name.ts";

/** Words and buttons that answer all questions of a group at once (F-411). */

/** "user-facing change: 8 questions". Lists every question name if the group has several. */
export function groupTitle({ questions }: Pick<QuestionGroup, "questions">): string {
  const names = [...new Set(questions.map((each) => questionName(each).replace(/\?$/, "")))];
  return `${names.join(", ")}: ${count(questions.length, "question")}`;
}

/** A button that gives all questions of a group the same answer. */
type BatchAction = CardAction & { readonly call: Extract<Call, { command: "batch answer" }> };

/** One button for each choice that all questions offer. `shownAt`: when the list was read; later questions and changes are left out. */
export function batchActions(
  { trigger, joined, choices }: QuestionGroup,
  shownAt: Date,
  name: "with its group" | "alone" = "alone",
): BatchAction[] {
  const which = name === "alone" ? "" : ` (${triggerNames[trigger]})`;
  return choices.map((choice) => ({
    choice: `all-${trigger}-${choice.toLowerCase().replaceAll(" ", "-")}`,
    label: `Answer all ${joined.length} like this${which}: ${choice}`,
    call: { command: "batch answer", kind: trigger, choice, shown: shownAt.getTime() },
    style: "default",
    about: `${count(joined.length, "question")}, ${triggerNames[trigger]}`,
    until: null,
  }));
}

/** Like `batchActions`, as commands to type. Empty when the questions share no choice. */
export function batchLine(group: QuestionGroup): CardBlock[] {
  const { trigger, joined, choices } = group;
  if (choices.length === 0) return [];
  const ways = choices
    .flatMap((choice): Span[] => [", ", { command: `batch answer ${settingWords([trigger])} "${choice}"` }])
    .slice(1);
  return [text({ strong: groupTitle(group) }, `; answer all ${joined.length} of them like this: `, ...ways)];
}
