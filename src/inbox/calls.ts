import type { CommandCall, FilledCommand, ChatPerson, Refused, ChatAnswer } from "../chat/inbox.ts";
import {
  type Command,
  type CommandResult,
  type ReadyCall,
  isReading,
  refused,
  type RefusedCall,
  UsageError,
} from "../commands/command.ts";
import { execute, refusedForSpace } from "../commands/execute.ts";
import { commands } from "../commands/index.ts";
import { callOf } from "../commands/line.ts";
import { helpOf, rightCall } from "../commands/usage.ts";
import { chatCard } from "../core/cards/chat-card.ts";
import { unknownCommandWords } from "../core/cards/chat-words.ts";
import type { Card } from "../core/cards/card.ts";
import type { FormField } from "../core/cards/forms.ts";
import { pictureBelow } from "../core/cards/picture.ts";
import { linesCard } from "../core/cards/lists.ts";
import { spaceWordsOf } from "../core/space/no-space.ts";
import type { Word } from "../core/text/words.ts";
import { once, RepeatedEvent } from "../db/events.ts";
import { markNotice } from "../db/connection/marks.ts";
import { hidePaths } from "../core/text/server-paths.ts";
import { sha256 } from "../deps.ts";
import { type ChatDoor, callerOf, available, addressesIn } from "./door.ts";

/** Runs a command that came from a chat. Public answers are given only in the channel where the bot posts. */
export async function runCommand(door: ChatDoor, person: ChatPerson, call: CommandCall): Promise<ChatAnswer> {
  const { asked, eventId, isPublic, isHere } = call;
  // In other channels there are people who may not read it.
  if (isPublic && !isHere)
    return refusedWith(door, refused("answers are shared only in the channel where I post", null));
  if (asked.type === "unread") return refusedWith(door, refused(`${asked.problem}; nothing was done`, "cos help"));
  const result =
    asked.type === "words"
      ? await run(door, person, eventId, asked.words)
      : await runFilled(door, person, eventId, asked);
  if (!isPublic || result.type !== "done") return await answerTold(door, result);
  await sharePicture(door, eventId, result.card);
  return await answerTold(door, { ...result, card: result.shared ?? result.card });
}

/** The answer that a person gets for an outcome. An event that was delivered before gets none. */
export async function answerTold(door: ChatDoor, result: Outcome): Promise<ChatAnswer> {
  if (result.type === "repeated") return result;
  if (result.type === "refused") return refusedWith(door, result);
  const card = chatCard(result.card, door.deps.config.serverPlaces);
  const { isSaid = false } = result;
  return { type: "done", card, addresses: await addressesIn(door, [card]), isSaid };
}

/**
 * An answer cannot contain our pictures: the picture of a shared answer is posted beside it. Its id comes from the event, so it is
 * posted once.
 */
async function sharePicture({ deps, platform }: ChatDoor, eventId: string, card: Card): Promise<void> {
  const { below } = pictureBelow(card);
  if (below === null) return;
  const id = `shared.${sha256(eventId).slice(0, 16)}`;
  const notice = { card: below, threadSubject: null, platform };
  await available(() => deps.database.transaction(async (tx) => markNotice(tx, id, notice)));
}

/** `repeated`: the event was delivered before, and handled then. */
type Outcome<Value = unknown> = CommandResult<Value> | { readonly type: "repeated" };

/** Runs the command that the words name. A wrong call is refused with the command's usage. */
async function run(door: ChatDoor, person: ChatPerson, eventId: string, words: readonly Word[]): Promise<Outcome> {
  const call = callOf(words);
  switch (call.type) {
    case "unknown":
      return { type: "refused", reason: unknownCommandWords(call.words, call.hint), next: call.next };
    case "wrong": {
      const fault = call.option === null ? {} : { option: call.option };
      return { type: "refused", reason: call.problem, next: call.next, ...fault };
    }
    case "help":
      return helpFor(call.command);
    case "call":
      return await runCall(door, person, eventId, call.command.asked(call.given));
  }
}

/** Runs a command whose options were filled in one by one. */
async function runFilled(door: ChatDoor, person: ChatPerson, eventId: string, filled: FilledCommand): Promise<Outcome> {
  const found = commands.find(({ name }) => name === filled.name);
  if (found === undefined) return { type: "refused", reason: `unknown command: ${filled.name}`, next: "cos help" };
  return await runCall(door, person, eventId, found.asked(filled));
}

/** Runs a call once, however often its event is delivered. */
export async function runCall<Value>(
  door: ChatDoor,
  person: ChatPerson,
  eventId: string,
  call: ReadyCall<Value>,
): Promise<Outcome<Value>> {
  try {
    return await available(() => executeOnce(door, person, eventId, call));
  } catch (error) {
    if (error instanceof RepeatedEvent) return { type: "repeated" };
    const noSpace = spaceWordsOf(error);
    if (noSpace !== null) return refusedForSpace(noSpace, false);
    if (!(error instanceof UsageError)) throw error;
    const fault = error.option === null ? {} : { option: error.option };
    return { type: "refused", reason: error.message, next: rightCall(call.command), ...fault };
  }
}

/** The command and its event are committed together, so it happens once, however often it is delivered. */
async function executeOnce<Value>(
  door: ChatDoor,
  person: ChatPerson,
  eventId: string,
  call: ReadyCall<Value>,
): Promise<CommandResult<Value>> {
  const { deps } = door;
  const { database, settle } = once(deps.database, eventId, deps.now());
  const result = await execute({ ...deps, database }, callerOf(door, person), call);
  if (!isReading(call.command)) await settle();
  return result;
}

function helpFor(asked: Command): CommandResult {
  const [usage = "", ...lines] = helpOf(asked, "elsewhere");
  const shown = lines.map((line) => line.trim()).filter((line) => line !== "");
  return {
    type: "done",
    value: null,
    card: linesCard(
      usage,
      shown.map((line) => [line]),
    ),
  };
}

/** The form field for an option of a command. */
const fields: Readonly<Record<string, FormField>> = {
  instructions: "instructions",
  criteria: "criteria",
  "criteria-text": "criteria",
  budget: "budget",
  run: "run",
};

/** Shortens an error about a form field: without the option's name and without the command, because the form is still open. */
export function inForm(told: ChatAnswer): ChatAnswer {
  if (told.type !== "refused" || told.field === null) return told;
  const next = told.next !== null && /^cos (?:modify|answer|goal prove) /.test(told.next) ? null : told.next;
  return { ...told, reason: told.reason.replace(/^--[\w-]+: /, ""), next };
}

/** A refusal without the server's paths, with the form field that it is about. */
export function refusedWith({ deps }: ChatDoor, { reason, next, ask = [], option = "" }: RefusedCall): Refused {
  const words = hidePaths(reason, deps.config.serverPlaces);
  return { type: "refused", reason: words, next, ask, field: fields[option] ?? null };
}
