import type { App, BlockAction, ButtonAction, OverflowAction, types, ViewSubmitAction } from "@slack/bolt";
import { buttonValue, type Call, formOf, isToldBack, readButton } from "../../core/calls.ts";
import { detailsLabel } from "../../core/cards/brief.ts";
import {
  doneBeforeWords,
  lateTexts,
  noFormWords,
  notOpenedWords,
  notYetWords,
  refusalTexts,
} from "../../core/cards/chat-words.ts";
import { formFields, formTitles } from "../../core/cards/forms.ts";
import { jsonOrNull } from "../../core/text/json.ts";
import type { ChatAnswer } from "../inbox.ts";
import { NotRecorded } from "../not-recorded.ts";
import { recordSoon, type Soon } from "../record-soon.ts";
import { errorWord, troubleOf } from "./clients.ts";
import type { Door } from "./door.ts";
import { actionIds } from "./draw.ts";
import {
  detailsView,
  drawLines,
  faultWords,
  filledForms,
  type FormData,
  formView,
  lightView,
  typedView,
  wordsView,
} from "./views.ts";
import {
  answerOf,
  doneWindow,
  type PrivateTarget,
  never,
  notYet,
  refusal,
  saidView,
  privateMessage,
  unknownButton,
  workingOnIt,
  withTyped,
  type PrivateMessage,
} from "./private-messages.ts";

/** Handles buttons, the menu and forms: recorded first, then acknowledged (D13). */
export function listenToInteractions(app: App, door: Door): void {
  app.action<BlockAction<ButtonAction>>(/^cos:/, async ({ body, action, ack }) => {
    if (action.action_id === actionIds.menu) return;
    const choice = action.action_id.slice(actionIds.choice.length);
    const call = readButton({ choice, value: action.value ?? "" });
    const target = targetOf(body);
    if (call === null) {
      await ack();
      await door.say(target, unknownButton);
      return;
    }
    const kind = formOf(call);
    if (kind !== null) {
      await openWindow(door, body, ack, { title: formTitles[kind], fill: () => formWindow(door, body, call) });
      return;
    }
    if (call.command === "details") {
      await openWindow(door, body, ack, { title: detailsLabel, fill: () => detailsWindow(door, body, call) });
      return;
    }
    // The lookup counts toward the time limit of recording: the acknowledgement is due within 3 s in all.
    const person = door.people(body.user.id);
    const press = { eventId: `slack:press:${body.trigger_id}`, call };
    const soon = await recordSoon(async () => await door.inbox.press(await person, press), door.times);
    await ack().catch((error: unknown) => door.log("warn", "slack.acknowledgement-lost", { error }));
    if (soon.type === "not-yet") {
      await tellLater(door, target, { soon, call });
    } else if (soon.result.type === "refused") {
      await door.say(target, refusal(soon.result));
    } else if (isToldBack(call)) {
      if (soon.result.type === "done" && target.channel !== null) await door.say(target, toldAnswer(door, soon.result));
    } else {
      await sayBeside(door, target, soon.result);
    }
    if (target.channel === null) await door.homes.publish(await person);
  });

  listenToMenu(app, door);

  app.view<ViewSubmitAction>({ callback_id: filledForms, type: "view_submission" }, async ({ body, view, ack }) => {
    const carried = readCarried(view.private_metadata);
    const call = carried === null ? null : readButton({ choice: "", value: carried.value });
    if (carried === null || call === null) throw new Error("a form without its data");
    const person = door.people(body.user.id);
    const typed = Object.fromEntries(
      formFields.map((field) => [field, view.state.values[field]?.[field]?.value ?? ""]),
    );
    const filled = { eventId: `slack:form:${body.trigger_id}`, call, typed };
    const soon = await recordSoon(async () => await door.inbox.submit(await person, filled), door.times);
    if (soon.type === "not-yet") {
      await ack({ response_action: "update", view: wordsView([notYetWords]) });
      const target = { ...nowhere, userId: body.user.id, channel: carried.channel, viewId: view.id };
      const later = await soon.later;
      if (later === null) await door.say(target, withTyped(never, typed));
      else await door.say(target, later.type === "refused" ? withTyped(late(later), typed) : late(later));
    } else {
      const told = soon.result;
      if (told.type !== "refused") {
        // In a person's home, the answer can only be shown in the window of the form.
        const isHere = carried.channel === null && told.type === "done" && told.isSaid === true;
        await (isHere ? ack({ response_action: "update", view: saidView(toldAnswer(door, told), doneWindow) }) : ack());
        if (!isHere) await sayBeside(door, { ...nowhere, userId: body.user.id, channel: carried.channel }, told);
      } else if (told.field !== null)
        await ack({ response_action: "errors", errors: { [told.field]: faultWords(told) } });
      else await ack({ response_action: "update", view: typedView(drawLines(refusalTexts(told)), typed) });
    }
    if (carried.channel === null) await door.homes.publish(await person);
  });
}

function listenToMenu(app: App, door: Door): void {
  app.action<BlockAction<OverflowAction>>(actionIds.menu, async ({ body, action, ack }) => {
    await ack();
    const call = readButton({ choice: "", value: action.selected_option.value });
    const target = targetOf(body);
    if (call === null) {
      await door.say(target, unknownButton);
      return;
    }
    const person = door.people(body.user.id);
    const press = { eventId: `slack:press:${body.trigger_id}`, call };
    const soon = await recordSoon(async () => await door.inbox.press(await person, press), door.times);
    if (soon.type === "not-yet") await tellLater(door, target, { soon, call });
    else if (soon.result.type !== "repeated") await door.say(target, toldAnswer(door, soon.result));
  });
}

/**
 * Returns why Slack did not open a window; null when it is already open, because the press was delivered before. Throws when the trigger
 * has expired, because then Slack shows its own error.
 */
function notOpened(error: unknown): { readonly afterMs: number | null } | null {
  if (errorWord(error) === "expired_trigger_id") throw error;
  if (errorWord(error) === "exchanged_trigger_id") return null;
  const trouble = troubleOf(error);
  return { afterMs: trouble.type === "retry" && trouble.why === "limit" ? trouble.afterMs : null };
}

/** Slack's error for a window that the person has closed. */
const closedWindow = "not_found";

interface Window {
  readonly title: string;
  readonly fill: () => Promise<types.ModalView>;
}

/** Opens an empty window while the trigger is valid, and fills it when the facts are there. Opening it decides nothing. */
async function openWindow(
  door: Door,
  body: BlockAction,
  ack: () => Promise<void>,
  { title, fill }: Window,
): Promise<void> {
  const opened = await door.client.views
    .open({ trigger_id: body.trigger_id, view: lightView(title) })
    .catch((error: unknown) => notOpened(error));
  await ack();
  if (opened === null) return;
  if ("afterMs" in opened) {
    await door.say(targetOf(body), privateMessage([[notOpenedWords(opened.afterMs)]]));
    return;
  }
  const viewId = opened.view?.id;
  if (viewId === undefined) return;
  const view = await fill().catch((error: unknown) => {
    if (error instanceof NotRecorded) return wordsView([noFormWords], title);
    throw error;
  });
  await door
    .patiently(() => door.client.views.update({ view_id: viewId, view }))
    .catch((error: unknown) => {
      if (errorWord(error) !== closedWindow) throw error;
    });
}

async function formWindow(door: Door, body: BlockAction, call: Call): Promise<types.ModalView> {
  const form = await door.inbox.form(await door.people(body.user.id), call);
  if (form.type === "refused") return wordsView(drawLines(refusalTexts(form)));
  const carried: FormData = { value: buttonValue({ call }), channel: body.channel?.id ?? null };
  return formView(form.form, carried, door.words({}));
}

/** Draws the window with the whole card of a message. */
async function detailsWindow(door: Door, body: BlockAction, call: Call): Promise<types.ModalView> {
  const person = await door.people(body.user.id);
  const told = await door.inbox.press(person, { eventId: `slack:press:${body.trigger_id}`, call });
  if (told.type === "repeated") return wordsView([doneBeforeWords], detailsLabel);
  if (told.type === "refused") return wordsView(drawLines(refusalTexts(told)), detailsLabel);
  return detailsView(told.card, door.words(told.addresses));
}

function readCarried(metadata: string): FormData | null {
  const read = jsonOrNull(metadata);
  if (typeof read !== "object" || read === null || !("value" in read) || typeof read.value !== "string") return null;
  return { value: read.value, channel: "channel" in read && typeof read.channel === "string" ? read.channel : null };
}

/** Answers twice when recording takes longer than Slack waits: first that it is not done yet, then with the result. */
async function tellLater(
  door: Door,
  target: PrivateTarget,
  { soon, call }: { readonly soon: Extract<Soon<ChatAnswer>, { type: "not-yet" }>; readonly call: Call },
): Promise<void> {
  const viewId = await door.say(target, isToldBack(call) ? workingOnIt : notYet);
  const told = await soon.later;
  if (told === null) await door.say({ ...target, viewId }, never);
  else {
    const window = { ...target, viewId, ...(told.type === "refused" ? {} : { title: doneWindow }) };
    if (!isToldBack(call)) await door.say(window, late(told));
    else if (told.type !== "repeated") await door.say(window, toldAnswer(door, told));
  }
}

const nowhere = { threadTs: null, triggerId: null, viewId: null, responseUrl: null };

/** Tells the person who pressed what the card does not show about the result. */
async function sayBeside(door: Door, target: PrivateTarget, told: ChatAnswer): Promise<void> {
  if (told.type !== "done" || told.isSaid !== true) return;
  await door.say({ ...target, title: doneWindow }, toldAnswer(door, told));
}

function toldAnswer(door: Door, told: Exclude<ChatAnswer, { type: "repeated" }>): PrivateMessage {
  return answerOf(told, door.words(told.type === "done" ? told.addresses : {}));
}

/** Returns the message with a late result. */
function late(told: ChatAnswer): PrivateMessage {
  if (told.type === "refused") return refusal(told);
  return privateMessage(lateTexts(told));
}

function targetOf(body: BlockAction): PrivateTarget {
  const threadTs = body.message?.["thread_ts"];
  return {
    userId: body.user.id,
    channel: body.channel?.id ?? null,
    threadTs: typeof threadTs === "string" && threadTs !== body.message?.ts ? threadTs : null,
    triggerId: body.trigger_id,
    viewId: null,
    responseUrl: body.channel === undefined ? null : body.response_url,
  };
}
