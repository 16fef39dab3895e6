import {
  type APIApplicationCommandOptionChoice,
  type APIInteraction,
  type APIModalInteractionResponseCallbackData,
  InteractionResponseType as Type,
  MessageFlags,
  RESTJSONErrorCodes as Codes,
  Routes,
} from "discord.js";
import type { Card } from "../../core/cards/card.ts";
import { refusalTexts, typedWords } from "../../core/cards/chat-words.ts";
import { type FormWords, typedFields } from "../../core/cards/forms.ts";
import type { ChatPerson, ChatAnswer } from "../inbox.ts";
import { personOf } from "../people.ts";
import type { Addresses } from "../addresses.ts";
import type { Door } from "./door.ts";
import { drawAnswer, drawLines, type Drawn } from "./draw.ts";
import { codeOf, errorWord } from "./rest.ts";
import { type AgainLimits, mayBeShown, sendAgain } from "./send-again.ts";

/** How an interaction is answered: once within 3 s, and again for as long as its token lives (15 minutes). */

type Asked = Pick<APIInteraction, "id" | "token" | "application_id">;

/** What answering needs. */
type AnswerDoor = Pick<Door, "rest" | "times" | "stopping" | "log">;

export interface InteractionAnswer {
  readonly drawn: Drawn;
  /** What one message does not hold. */
  readonly more: readonly Drawn[];
  /** Everybody in the channel sees it. */
  readonly isPublic: boolean;
}

/** An answer that only the person who asked sees. */
export function privately(drawn: Drawn): InteractionAnswer {
  return { drawn, more: [], isPublic: false };
}

/** A card as an answer, whole. */
export function cardAnswer(
  door: Door,
  { card, addresses }: { readonly card: Card; readonly addresses: Addresses },
  isPublic: boolean,
): InteractionAnswer {
  const [drawn, ...more] = drawAnswer(card, door.permalink(addresses));
  return { drawn, more, isPublic };
}

/** What a command or button answered; only what was done is shared. */
export function drawnAnswer(
  door: Door,
  told: Exclude<ChatAnswer, { type: "repeated" }>,
  isPublic: boolean,
): InteractionAnswer {
  switch (told.type) {
    case "refused":
      return privately(drawLines(refusalTexts(told)));
    case "done":
      return cardAnswer(door, told, isPublic);
  }
}

/** The first answer. */
export async function sendAnswer(door: AnswerDoor, asked: Asked, given: InteractionAnswer): Promise<void> {
  await answerFirst(door, asked, given);
}

/** The first answer, where more is to be said; false: it was not taken. */
export async function answerFirst(door: AnswerDoor, asked: Asked, given: InteractionAnswer): Promise<boolean> {
  const data = { ...given.drawn, ...flags(given.isPublic) };
  if (!(await respond(door, asked, { type: Type.ChannelMessageWithSource, data }))) return false;
  await sayRest(door, asked, given);
  return true;
}

/** What the first message of an answer did not hold, in its order. */
async function sayRest(door: AnswerDoor, asked: Asked, { more, isPublic }: InteractionAnswer): Promise<void> {
  for (const drawn of more) await follow(door, asked, { ...drawn, ...flags(isPublic) });
}

/** Nothing is said: the message that was pressed stays as it is. */
export async function acknowledge(door: AnswerDoor, asked: Asked): Promise<void> {
  await respond(door, asked, { type: Type.DeferredMessageUpdate });
}

/** What may be meant, while somebody types. */
export async function offer(
  door: AnswerDoor,
  asked: Asked,
  choices: readonly APIApplicationCommandOptionChoice<string>[],
): Promise<void> {
  await respond(door, asked, { type: Type.ApplicationCommandAutocompleteResult, data: { choices } });
}

/** Opens a form, which is the one answer that a form may be: within three seconds of the interaction. */
export async function showForm(
  door: AnswerDoor,
  asked: Asked,
  data: APIModalInteractionResponseCallbackData,
): Promise<void> {
  await respond(door, asked, { type: Type.Modal, data });
}

/** As long as Discord waits for a first answer. */
const firstAnswerMs = 3_000;

/**
 * Sent again where it was lost: Discord takes one. False, not taken: another bot was told of the same interaction and has answered it,
 * or it is too late and the person saw Discord's own error. What they did is recorded all the same, and their next press says so.
 */
async function respond(door: AnswerDoor, { id, token }: Asked, body: object): Promise<boolean> {
  let isPerhapsTaken = false;
  const post = async (): Promise<void> => {
    try {
      await door.rest.post(Routes.interactionCallback(id, token), { body, auth: false });
    } catch (error) {
      isPerhapsTaken ||= mayBeShown(error);
      throw error;
    }
  };
  try {
    await sendAgain(post, { forMs: firstAnswerMs, twice: "seen-once", stopping: door.stopping });
    return true;
  } catch (error) {
    const code = codeOf(error);
    // What may have been taken before is our own answer, of which only the word that it was taken was lost.
    if (code === Codes.InteractionHasAlreadyBeenAcknowledged) return isPerhapsTaken;
    if (code !== Codes.UnknownInteraction) throw error;
    door.log("warn", "discord.answered-too-late", { interaction: id });
    return false;
  }
}

/** Says one thing more, once the first answer was given. */
export async function sayMore(door: AnswerDoor, asked: Asked, given: InteractionAnswer): Promise<void> {
  await follow(door, asked, { ...given.drawn, ...flags(given.isPublic) });
  await sayRest(door, asked, given);
}

/** A failure is logged, because what happened is recorded. */
async function follow(door: AnswerDoor, { application_id, token }: Asked, body: object): Promise<void> {
  const post = () => door.rest.post(Routes.webhook(application_id, token), { body, auth: false });
  await tell(door, "seen-twice", post);
}

/** Nobody is told twice: what may be seen already is said again only where it takes the place of itself. */
async function tell(door: AnswerDoor, twice: AgainLimits["twice"], call: () => Promise<unknown>): Promise<void> {
  const limits = { forMs: door.times.keepTryingMs, twice, stopping: door.stopping };
  await sendAgain(call, limits).catch((error: unknown) => {
    door.log("warn", "discord.answer-failed", { error: errorWord(error) });
  });
}

/** Gives back what somebody typed into a form that was not taken, each field as a file: nothing in it is drawn or cut. */
export async function giveBackForm(
  door: AnswerDoor,
  { application_id, token }: Asked,
  typed: FormWords,
): Promise<void> {
  const files = typedFields(typed).map(({ label, text }) => ({ name: `${label}.txt`, data: Buffer.from(text) }));
  if (files.length === 0) return;
  const body = { ...drawLines([[typedWords]]), ...flags(false) };
  const post = () => door.rest.post(Routes.webhook(application_id, token), { body, files, auth: false });
  await tell(door, "seen-twice", post);
}

/** Replaces what the first answer said, which was private. What is longer than one message is said by the bot whose first answer that is. */
export async function sayInstead(
  door: AnswerDoor,
  asked: Asked,
  given: InteractionAnswer,
  isOurs: boolean,
): Promise<void> {
  const route = Routes.webhookMessage(asked.application_id, asked.token, "@original");
  await tell(door, "seen-once", () => door.rest.patch(route, { body: given.drawn, auth: false }));
  if (isOurs) await sayRest(door, asked, given);
}

function flags(isPublic: boolean): { readonly flags?: MessageFlags } {
  return isPublic ? {} : { flags: MessageFlags.Ephemeral };
}

/** Who it was, as Discord says with every interaction; null outside of a server. Whoever acts in our channel is in it. */
export async function personIn(
  { settings, view }: Pick<Door, "settings" | "view">,
  { member, channel }: Pick<APIInteraction, "member" | "channel">,
): Promise<ChatPerson | null> {
  if (member === undefined) return null;
  const { user, nick, roles } = member;
  const isMember = isInChannel({ settings }, { channel });
  return personOf(user.id, {
    names: [nick, user.global_name, user.username],
    isActive: true,
    groups: roles.map((role) => `@${role}`),
    membership: isMember ? "member" : await view.membershipOf({ userId: user.id, roles }),
  });
}

/** Whether it happened in our channel, or in a thread of it. */
export function isInChannel(
  { settings }: Pick<Door, "settings">,
  { channel }: { readonly channel?: APIInteraction["channel"] | undefined },
): boolean {
  const parent = channel !== undefined && "parent_id" in channel ? channel.parent_id : null;
  return channel?.id === settings.channelId || parent === settings.channelId;
}
