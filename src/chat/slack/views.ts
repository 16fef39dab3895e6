import type { types } from "@slack/bolt";
import { detailsLabel } from "../../core/cards/brief.ts";
import type { Card, Text } from "../../core/cards/card.ts";
import { typedWords } from "../../core/cards/chat-words.ts";
import { type Form, type FormWords, typedFields } from "../../core/cards/forms.ts";
import type { HomePage, Refused } from "../inbox.ts";
import { drawCard, smallPrint, plainUpTo } from "./draw.ts";
import { limits } from "./limits.ts";
import { drawText, type Words } from "./mrkdwn.ts";

/** Slack's forms and the app's home. */

/** Matches the callback ids of all forms. */
export const filledForms = /^cos:\w+$/;

/** The data that a form carries from its opening to its submission. */
export interface FormData {
  /** The value of the button that opened it. */
  readonly value: string;
  /** The channel in which a refusal is shown; null in the app's home. */
  readonly channel: string | null;
}

/** Draws a window that is opened at once, while the trigger is valid (3 s), and filled when the facts are there. */
export function lightView(title: string): types.ModalView {
  return modal([section("One moment …")], { title });
}

/** Draws a window with words, in place of a form. */
export function wordsView(lines: readonly string[], title = "Not now"): types.ModalView {
  return modal(lines.map(section), { title });
}

/** Draws a window with blocks, for longer messages. */
export function blocksView(blocks: readonly types.KnownBlock[], title = "Not now"): types.ModalView {
  return modal([...blocks], { title });
}

/** Draws a window with words and the values that were typed into the form. */
export function typedView(lines: readonly string[], typed: FormWords): types.ModalView {
  return blocksView([...lines.map(section), ...typedBlocks(typed)]);
}

/** Draws the typed values unchanged: plain text is not formatted and can be copied. Empty when nothing was typed. */
export function typedBlocks(typed: FormWords): types.SectionBlock[] {
  const fields = typedFields(typed);
  if (fields.length === 0) return [];
  return [section(typedWords), ...fields.flatMap(({ label, text }) => [section(`*${label}*`), whole(text)])];
}

/** Draws a window with a whole card. */
export function detailsView(card: Card, words: Words): types.ModalView {
  const room = { blocks: limits.viewBlocks, json: limits.viewJson };
  return modal(drawCard(card, words, room).blocks, { title: detailsLabel });
}

/** Draws a form as a modal. `carried` comes back when it is submitted. */
export function formView(form: Form, carried: FormData, words: Words): types.ModalView {
  const intro = drawText(
    [{ strong: form.about }, ...(form.until === null ? [] : [" · answer by ", { at: form.until }])],
    words,
    limits.sectionText,
  );
  const inputs = form.fields.map(
    ({ field, label, hint, isMultiline, isRequired, initial }): types.InputBlock => ({
      type: "input",
      block_id: field,
      optional: !isRequired,
      label: plainUpTo(label, limits.inputLabel),
      element: {
        type: "plain_text_input",
        action_id: field,
        multiline: isMultiline,
        max_length: limits.inputText,
        ...(initial === "" ? {} : { initial_value: initial.slice(0, limits.inputText) }),
        placeholder: plainUpTo(hint, limits.placeholder),
      },
    }),
  );
  return modal([section(intro), ...inputs], { ...form, carried });
}

/** For lines without times and links, such as those of a refusal. */
const noLinks: Words = { zone: "UTC", permalink: () => null };

/** Draws lines for one person. */
export function drawLines(lines: readonly Text[]): string[] {
  return lines.map((line) => drawText(line, noLinks, 2000));
}

/** Returns what is wrong with a field, and the command that does what was meant. */
export function faultWords({ reason, next }: Refused): string {
  return next === null ? reason : `${reason}. ${inChat(next)}`;
}

/** Turns a terminal command into its chat form: `cos goal resume …` becomes `/cos goal resume …`. */
function inChat(next: string): string {
  return next.replace(/^cos (?=\w)/, "/cos ");
}

/** Draws the home. Cards that do not fit are left out before the last card, which says what runs. */
export function homeView(home: HomePage, words: Words): types.HomeView {
  const drawn = home.cards.map((card) => drawCard(card, words, { blocks: 12, json: limits.blocksJson }).blocks);
  const last = drawn.at(-1) ?? [];
  const parts: types.KnownBlock[][] = [];
  let left = limits.viewBlocks - last.length;
  for (const part of drawn.slice(0, -1)) {
    left -= part.length + 1;
    if (left < 0) break;
    parts.push(part);
  }
  // Button ids repeat from card to card. That is allowed, because each is in a block of its own.
  const blocks = [...parts, last].flatMap((part, index) =>
    index === 0 ? part : [{ type: "divider" as const }, ...part],
  );
  return { type: "home", blocks: blocks.length === 0 ? [smallPrint("Nothing to show.")] : blocks };
}

function modal(
  blocks: types.KnownBlock[],
  form: (Pick<Form, "kind" | "title" | "submit"> & { readonly carried: FormData }) | { readonly title: string },
): types.ModalView {
  const isForm = "carried" in form;
  return {
    type: "modal",
    title: plainUpTo(form.title, limits.viewTitle),
    close: plainUpTo(isForm ? "Cancel" : "Close", limits.viewButton),
    blocks,
    ...(!isForm
      ? {}
      : {
          callback_id: `cos:${form.kind}`,
          submit: plainUpTo(form.submit, limits.viewButton),
          private_metadata: JSON.stringify(form.carried).slice(0, limits.privateMetadata),
        }),
  };
}

function whole(text: string): types.SectionBlock {
  return { type: "section", text: plainUpTo(text, limits.sectionText) };
}

/** Draws a paragraph of mrkdwn; empty text becomes a dot. */
export function section(text: string): types.SectionBlock {
  return { type: "section", text: { type: "mrkdwn", text: text.trim() === "" ? "·" : text, verbatim: true } };
}
