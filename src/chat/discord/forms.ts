import {
  type APIModalInteractionResponseCallbackData,
  type APIModalSubmission,
  ComponentType,
  TextInputStyle,
} from "discord.js";
import type { Call } from "../../core/calls.ts";
import { type Form, formFields, type FormWords } from "../../core/cards/forms.ts";
import { shorten } from "../../core/text.ts";
import { customId } from "./custom-ids.ts";
import { limits } from "./limits.ts";
import { drawText } from "./markdown.ts";

/** Discord forms: a modal, which can be opened only as the first answer to an interaction. */

/** Draws a form. `typed`: the values from an earlier submission that was refused. */
export function formModal(form: Form, call: Call, typed: FormWords): APIModalInteractionResponseCallbackData {
  const deadline = form.until === null ? [] : [" · answer by ", { at: form.until }];
  const intro = drawText([{ strong: form.about }, ...deadline], () => null, limits.modalText);
  const inputs = form.fields.map(({ field, label, hint, isMultiline, isRequired, initial }) => {
    const value = (typed[field] ?? initial).slice(0, limits.inputText).toWellFormed();
    return {
      type: ComponentType.Label as const,
      label: shorten(label, limits.inputLabel),
      component: {
        type: ComponentType.TextInput as const,
        custom_id: field,
        style: isMultiline ? TextInputStyle.Paragraph : TextInputStyle.Short,
        required: isRequired,
        max_length: limits.inputText,
        placeholder: shorten(hint, limits.inputPlaceholder),
        ...(value === "" ? {} : { value }),
      },
    };
  });
  return {
    // The ids of questions are short, so a form's call always fits.
    custom_id: customId("form", call) ?? "",
    title: shorten(form.title, limits.modalTitle),
    components: [{ type: ComponentType.TextDisplay, content: intro }, ...inputs],
  };
}

/** Returns the values that were typed into a form. */
export function typedIn({ components }: APIModalSubmission): FormWords {
  const values = new Map<string, string>();
  for (const component of components) {
    if (component.type !== ComponentType.Label) continue;
    const { component: input } = component;
    if (input.type === ComponentType.TextInput) values.set(input.custom_id, input.value);
  }
  return Object.fromEntries(formFields.flatMap((field) => (values.has(field) ? [[field, values.get(field)]] : [])));
}

const mostKept = 100;

/** Keeps what people typed into forms that were refused. A modal cannot stay open, so it is opened again with these values. */
export interface Drafts {
  keep(userId: string, customId: string, typed: FormWords): void;
  take(userId: string, customId: string): FormWords;
}

/** Keeps the drafts in memory only; a new process has none. */
export function openDrafts(): Drafts {
  const drafts = new Map<string, FormWords>();
  return {
    keep(userId, id, typed) {
      // Setting an existing key does not move it to the end of a Map.
      drafts.delete(`${userId} ${id}`);
      drafts.set(`${userId} ${id}`, typed);
      const [oldest] = drafts.keys();
      if (drafts.size > mostKept && oldest !== undefined) drafts.delete(oldest);
    },
    take(userId, id) {
      const found = drafts.get(`${userId} ${id}`) ?? {};
      drafts.delete(`${userId} ${id}`);
      return found;
    },
  };
}
