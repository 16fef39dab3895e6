import {
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  ButtonStyle,
  ComponentType,
} from "discord.js";
import { type Call, formOf, isToldBack } from "../../core/calls.ts";
import {
  formAgainLabel,
  lateTexts,
  neverWords,
  noFormWords,
  notYetWords,
  refusalTexts,
  unknownButtonWords,
  workingOnItWords,
} from "../../core/cards/chat-words.ts";
import type { ChatPerson, Refused, ChatAnswer } from "../inbox.ts";
import { recordSoon, type Soon } from "../record-soon.ts";
import {
  acknowledge,
  sendAnswer,
  answerFirst,
  drawnAnswer,
  giveBackForm,
  personIn,
  privately,
  sayInstead,
  sayMore,
  showForm,
} from "./answers.ts";
import { customId, readCustomId } from "./custom-ids.ts";
import type { Door } from "./door.ts";
import { drawLines, type Drawn } from "./draw.ts";
import { fieldLabels } from "../../core/cards/forms.ts";
import { type Drafts, formModal, typedIn } from "./forms.ts";

/** Buttons and forms: recorded first, then acknowledged (D13). */

/** Handles the press of a button: opens its form, or records the call and answers the person privately. */
export async function press(door: Door, drafts: Drafts, asked: APIMessageComponentInteraction): Promise<void> {
  const person = await personIn(door, asked);
  const read = readCustomId(asked.data.custom_id);
  if (person === null) return;
  if (read === null) return await sendAnswer(door, asked, privately(drawLines([[unknownButtonWords]])));
  const { call } = read;
  if (formOf(call) !== null) return await openForm(door, drafts, { asked, person, call });

  const pressed = { eventId: `discord:press:${asked.id}`, call };
  const soon = await recordSoon(() => door.inbox.press(person, pressed), door.times);
  if (soon.type === "not-yet") {
    await (isToldBack(call) ? answerLater : tellLater)(door, asked, soon);
    return;
  }
  const told = soon.result;
  // It was delivered before, perhaps to another bot, which answers.
  if (told.type === "repeated") return;
  if (told.type === "refused" || (told.type === "done" && (isToldBack(call) || told.isSaid === true)))
    return await sendAnswer(door, asked, drawnAnswer(door, told, false));
  await acknowledge(door, asked);
}

/**
 * Opens a form. A modal must be the first answer, so its facts are gathered within the time that Discord gives. Opening it decides
 * nothing.
 */
async function openForm(
  door: Door,
  drafts: Drafts,
  {
    asked,
    person,
    call,
  }: { readonly asked: APIMessageComponentInteraction; readonly person: ChatPerson; readonly call: Call },
): Promise<void> {
  const soon = await recordSoon(() => door.inbox.form(person, call), door.times);
  if (soon.type === "not-yet") return await sendAnswer(door, asked, privately(drawLines([[noFormWords]])));
  const told = soon.result;
  if (told.type === "refused") return await sendAnswer(door, asked, privately(drawLines(refusalTexts(told))));
  const typed = drafts.take(person.id, customId("form", call) ?? "");
  await showForm(door, asked, formModal(told.form, call, typed));
}

/** Handles a submitted form. A form that is delivered again changes nothing. */
export async function submit(door: Door, drafts: Drafts, asked: APIModalSubmitInteraction): Promise<void> {
  const person = await personIn(door, asked);
  const read = readCustomId(asked.data.custom_id);
  if (person === null) return;
  if (read === null) return await sendAnswer(door, asked, privately(drawLines([[unknownButtonWords]])));
  const typed = typedIn(asked.data);
  const filled = { eventId: `discord:form:${asked.id}`, call: read.call, typed };
  const soon = await recordSoon(() => door.inbox.submit(person, filled), door.times);
  if (soon.type === "not-yet") {
    if (!(await tellLater(door, asked, soon))) await giveBackForm(door, asked, typed);
    return;
  }
  const told = soon.result;
  if (told.type === "repeated") return;
  if (told.type === "done")
    return await (told.isSaid === true
      ? sendAnswer(door, asked, drawnAnswer(door, told, false))
      : acknowledge(door, asked));
  if (told.field !== null) drafts.keep(person.id, asked.data.custom_id, typed);
  await sendAnswer(door, asked, privately(refusedForm(told, read.call)));
  // It is not offered again.
  if (told.field === null) await giveBackForm(door, asked, typed);
}

/** Draws why a form was refused. If one field is at fault, a button opens the form again with its values. */
function refusedForm(told: Refused, call: Call): Drawn {
  const id = customId("press", call);
  if (told.field === null || id === null) return drawLines(refusalTexts(told));
  // The form is closed by now, and "found …" is not understandable without the field's name.
  const isBare = told.reason.startsWith("found ");
  const reason = isBare ? `${fieldLabels[told.field]}: ${told.reason}` : told.reason;
  const drawn = drawLines(refusalTexts({ ...told, reason }));
  const again = {
    type: ComponentType.Button as const,
    style: ButtonStyle.Secondary as const,
    custom_id: id,
    label: formAgainLabel,
  };
  return { ...drawn, components: [{ type: ComponentType.ActionRow, components: [again] }] };
}

/**
 * Answers first that recording takes longer than Discord waits, and later with the result. Returns false when the person was told that it
 * was not taken. A failure to record is reported only if the first answer was ours: another bot may have recorded it.
 */
async function tellLater(
  door: Door,
  asked: APIMessageComponentInteraction | APIModalSubmitInteraction,
  soon: Extract<Soon<ChatAnswer>, { type: "not-yet" }>,
): Promise<boolean> {
  const isOurs = await answerFirst(door, asked, privately(drawLines([[notYetWords]])));
  const told = await soon.later;
  if (told?.type === "repeated" || (told === null && !isOurs)) return true;
  await sayMore(door, asked, privately(lateAnswer(told)));
  return told?.type === "done";
}

/** Like `tellLater`, for calls whose result is the answer: the whole result replaces the first answer, whichever bot gave that. */
async function answerLater(
  door: Door,
  asked: APIMessageComponentInteraction,
  soon: Extract<Soon<ChatAnswer>, { type: "not-yet" }>,
): Promise<void> {
  const isOurs = await answerFirst(door, asked, privately(drawLines([[workingOnItWords]])));
  const told = await soon.later;
  if (told?.type === "repeated" || (told === null && !isOurs)) return;
  const later = told === null ? privately(drawLines([[neverWords]])) : drawnAnswer(door, told, false);
  await sayInstead(door, asked, later, isOurs);
}

function lateAnswer(told: Exclude<ChatAnswer, { type: "repeated" }> | null): Drawn {
  if (told === null) return drawLines([[neverWords]]);
  if (told.type === "refused") return drawLines(refusalTexts(told));
  return drawLines(lateTexts(told));
}
