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

/** Answers to interactions. Discord takes the first answer within 3 s, and more for as long as the token is valid (15 minutes). */

type Asked = Pick<APIInteraction, "id" | "token" | "application_id">;

/** The parts of the door that answering needs. */
type AnswerDoor = Pick<Door, "rest" | "times" | "stopping" | "log">;

export interface InteractionAnswer {
  readonly drawn: Drawn;
  /** Messages that follow, when the answer does not fit into one. */
  readonly more: readonly Drawn[];
  /** True when everybody in the channel sees the answer. */
  readonly isPublic: boolean;
}

/** Returns an answer that only the person who asked sees. */
export function privately(drawn: Drawn): InteractionAnswer {
  return { drawn, more: [], isPublic: false };
}

/** Returns a whole card as an answer, in several messages if needed. */
export function cardAnswer(
  door: Door,
  { card, addresses }: { readonly card: Card; readonly addresses: Addresses },
  isPublic: boolean,
): InteractionAnswer {
  const [drawn, ...more] = drawAnswer(card, door.permalink(addresses));
  return { drawn, more, isPublic };
}

/** Draws the answer to a command or a press. A refusal is always private. */
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

/** Sends the first answer, with the messages that follow it. */
export async function sendAnswer(door: AnswerDoor, asked: Asked, given: InteractionAnswer): Promise<void> {
  await answerFirst(door, asked, given);
}

/** Like `sendAnswer`, for callers that have more to say afterwards. Returns false when Discord did not take the answer. */
export async function answerFirst(door: AnswerDoor, asked: Asked, given: InteractionAnswer): Promise<boolean> {
  const data = { ...given.drawn, ...flags(given.isPublic) };
  if (!(await respond(door, asked, { type: Type.ChannelMessageWithSource, data }))) return false;
  await sayRest(door, asked, given);
  return true;
}

/** Sends the messages that follow the first one, in order. */
async function sayRest(door: AnswerDoor, asked: Asked, { more, isPublic }: InteractionAnswer): Promise<void> {
  for (const drawn of more) await follow(door, asked, { ...drawn, ...flags(isPublic) });
}

/** Acknowledges a press without an answer: the message that was pressed stays as it is. */
export async function acknowledge(door: AnswerDoor, asked: Asked): Promise<void> {
  await respond(door, asked, { type: Type.DeferredMessageUpdate });
}

/** Offers choices while somebody types. */
export async function offer(
  door: AnswerDoor,
  asked: Asked,
  choices: readonly APIApplicationCommandOptionChoice<string>[],
): Promise<void> {
  await respond(door, asked, { type: Type.ApplicationCommandAutocompleteResult, data: { choices } });
}

/** Opens a form. Discord takes it only as the first answer, within three seconds of the interaction. */
export async function showForm(
  door: AnswerDoor,
  asked: Asked,
  data: APIModalInteractionResponseCallbackData,
): Promise<void> {
  await respond(door, asked, { type: Type.Modal, data });
}

/** How long Discord waits for a first answer. */
const firstAnswerMs = 3_000;

/**
 * Sends a first answer, and retries when it was lost: Discord takes only one. Returns false when it was not taken: another bot got the
 * same interaction and answered it, or the time was over and the person saw Discord's own error. The action itself is recorded all the
 * same, and the person's next press says so.
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
    // If an earlier try may have arrived, the answer that Discord already has is ours; only its confirmation was lost.
    if (code === Codes.InteractionHasAlreadyBeenAcknowledged) return isPerhapsTaken;
    if (code !== Codes.UnknownInteraction) throw error;
    door.log("warn", "discord.answered-too-late", { interaction: id });
    return false;
  }
}

/** Sends a further message after the first answer. */
export async function sayMore(door: AnswerDoor, asked: Asked, given: InteractionAnswer): Promise<void> {
  await follow(door, asked, { ...given.drawn, ...flags(given.isPublic) });
  await sayRest(door, asked, given);
}

/** Sends a follow-up message. A failure is only logged, because the action is already recorded. */
async function follow(door: AnswerDoor, { application_id, token }: Asked, body: object): Promise<void> {
  const post = () => door.rest.post(Routes.webhook(application_id, token), { body, auth: false });
  await tell(door, "seen-twice", post);
}

/**
 * Makes a call and logs its failure. `twice` says whether a call that may have arrived is made again: people must not see a message
 * twice.
 */
async function tell(door: AnswerDoor, twice: AgainLimits["twice"], call: () => Promise<unknown>): Promise<void> {
  const limits = { forMs: door.times.keepTryingMs, twice, stopping: door.stopping };
  await sendAgain(call, limits).catch((error: unknown) => {
    door.log("warn", "discord.answer-failed", { error: errorWord(error) });
  });
}

/** Returns what somebody typed into a form that was refused, each field as a file, so that nothing is formatted or cut. */
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

/** Replaces the first answer, which was private. Messages that follow are sent only by the bot whose first answer was taken (`isOurs`). */
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

/**
 * Returns the person who acted, as Discord describes them in every interaction; null outside a server. Acting in our channel proves
 * membership of it.
 */
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

/** True when the interaction happened in our channel or in a thread of it. */
export function isInChannel(
  { settings }: Pick<Door, "settings">,
  { channel }: { readonly channel?: APIInteraction["channel"] | undefined },
): boolean {
  const parent = channel !== undefined && "parent_id" in channel ? channel.parent_id : null;
  return channel?.id === settings.channelId || parent === settings.channelId;
}
