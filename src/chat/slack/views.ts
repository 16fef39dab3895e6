import type { types } from "@slack/bolt";
import type { FormKind } from "../../core/calls.ts";
import type { FormField, FormTold, HomePage, Refused } from "../inbox.ts";
import { drawCard, note, plain } from "./draw.ts";
import { limits } from "./limits.ts";
import { drawText, type Words } from "./mrkdwn.ts";

/** Slack's forms and the app's home. */

/** What Slack calls the windows that can be sent. */
export const filledForms = /^cos:(?:modify|edit)$/;

/** Which of them it is. */
export function formIn(callbackId: string): FormKind {
  return callbackId === "cos:edit" ? "edit" : "modify";
}

/** What a form carries from its opening to its submission. */
export interface FormData {
  /** The value of its button. */
  readonly value: string;
  /** Where a refusal is shown: null in the app's home. */
  readonly channel: string | null;
}

interface Field {
  readonly field: FormField;
  readonly label: string;
  readonly hint: string;
  readonly multiline: boolean;
}

const forms: Readonly<Record<FormKind, { title: string; submit: string; fields: readonly Field[] }>> = {
  modify: {
    title: "Modify",
    submit: "Continue",
    fields: [
      { field: "instructions", label: "Instructions", hint: "What should be different?", multiline: true },
      { field: "criteria", label: "Acceptance criteria", hint: "What must hold when it is done", multiline: true },
      { field: "budget", label: "Ceiling in USD", hint: "For example 7.50", multiline: false },
    ],
  },
  edit: {
    title: "Edit the command",
    submit: "Run this instead",
    fields: [{ field: "run", label: "Command", hint: "npm run fix", multiline: true }],
  },
};

/** Opened at once, while the trigger lives (3 s); filled when the facts are there. */
export function lightView(): types.ModalView {
  return modal([section("One moment …")], null);
}

/** Words instead of a form. */
export function wordsView(lines: readonly string[]): types.ModalView {
  return modal(lines.map(section), null);
}

export function formView(form: Extract<FormTold, { type: "form" }>, carried: FormData, words: Words): types.ModalView {
  const intro = drawText([{ strong: form.about }, " · answer by ", { at: form.until }], words, limits.sectionText);
  const kind = form.command === undefined ? "modify" : "edit";
  const inputs = forms[kind].fields.map(
    ({ field, label, hint, multiline }): types.InputBlock => ({
      type: "input",
      block_id: field,
      optional: field !== "run",
      label: plain(label, limits.inputLabel),
      element: {
        type: "plain_text_input",
        action_id: field,
        multiline,
        max_length: limits.inputText,
        ...(field === "run" && form.command ? { initial_value: form.command.slice(0, limits.inputText) } : {}),
        placeholder: plain(field === "budget" ? `Now ${form.ceilingUsd.toFixed(2)}` : hint, limits.placeholder),
      },
    }),
  );
  return modal([section(intro), ...inputs], carried, kind);
}

/** A refusal holds no times and no links. */
const noLinks: Words = { zone: "UTC", permalink: () => null };

/** The words of a refusal, with who may do it instead. */
export function refusalLines(refused: Refused): string[] {
  const ask = refused.ask
    .slice(0, 30)
    .map((id) => `<@${id}>`)
    .join(", ");
  return [
    drawText([capital(refused.reason)], noLinks, 2000),
    ...(ask === "" ? [] : [`Who can: ${ask}`]),
    ...(refused.next === null ? [] : [drawText(["Next: ", { code: inChat(refused.next) }], noLinks, 800)]),
  ];
}

/** What is wrong with a field, and the command that does what was meant. */
export function faultWords({ reason, next }: Refused): string {
  return next === null ? reason : `${reason}. ${inChat(next)}`;
}

/** The terminal's `cos goal resume …` is typed `/cos goal resume …` here; standup and weekly have their own. */
export function inChat(next: string): string {
  return next.replace(/^cos (?=\w)/, "/cos ");
}

export function homeView(home: HomePage, words: Words): types.HomeView {
  const blocks: types.KnownBlock[] = [];
  for (const card of home.cards) {
    const drawn = drawCard(card, words, 12).blocks;
    if (blocks.length + drawn.length + 1 > limits.viewBlocks) break;
    // Button ids repeat from card to card, which is allowed: each lies in a block of its own.
    blocks.push(...(blocks.length === 0 ? [] : [{ type: "divider" as const }]), ...drawn);
  }
  return { type: "home", blocks: blocks.length === 0 ? [note("Nothing to show.")] : blocks };
}

function modal(blocks: types.KnownBlock[], carried: FormData | null, kind: FormKind = "modify"): types.ModalView {
  const { title, submit } = forms[kind];
  return {
    type: "modal",
    title: plain(title, limits.viewTitle),
    close: plain(carried === null ? "Close" : "Cancel", limits.viewButton),
    blocks,
    ...(carried === null
      ? {}
      : {
          callback_id: `cos:${kind}`,
          submit: plain(submit, limits.viewButton),
          private_metadata: JSON.stringify(carried).slice(0, limits.privateMetadata),
        }),
  };
}

function section(text: string): types.SectionBlock {
  return { type: "section", text: { type: "mrkdwn", text: text.trim() === "" ? "·" : text, verbatim: true } };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
