import type { Inbox, ChatPerson, ReplyTold, ThreadReply } from "../chat/inbox.ts";
import { textsOf } from "../core/cards/card.ts";
import { mentionedTexts } from "../core/cards/chat-words.ts";
import { readRefusal } from "../commands/execute.ts";
import { pressed } from "../commands/pressed.ts";
import { reply as replyTo } from "../commands/reply.ts";
import { replyTyped } from "../commands/reply-typed.ts";
import type { ChatPlatform } from "../core/chat-platforms.ts";
import { knownId, learnId } from "../db/channels.ts";
import { forgetDeleted, forgetDeletedAll } from "../db/deleted-messages.ts";
import { messageAt, recentThreads } from "../db/messages.ts";
import { messagesRead } from "../db/replies.ts";
import type { Deps } from "../deps.ts";
import { takeBackReadings } from "../turns/answers/reading.ts";
import { suggest } from "./suggest.ts";
import { lineMentioned, lineToType } from "./typed-command.ts";
import { ourChannel, type ChatDoor, callerOf, available } from "./door.ts";
import { runCommand, inForm, answerTold, runCall, refusedWith } from "./calls.ts";
import { form } from "./forms.ts";
import { home } from "./home.ts";

/** The engine's side of a chat platform: people's actions become calls of commands, each once (D13). */
export function openInbox(deps: Deps, platform: ChatPlatform): Inbox {
  const door: ChatDoor = { deps, platform };
  return {
    press: async (person, { eventId, call }) =>
      await answerTold(door, await runCall(door, person, eventId, pressed(call))),
    submit: async (person, filled) =>
      inForm(await answerTold(door, await runCall(door, person, filled.eventId, pressed(filled.call, filled.typed)))),
    command: (person, call) => runCommand(door, person, call),
    form: (person, call) => available(() => form(door, person, call)),
    knows: async (address) => (await available(() => messageAt(deps.database.db, platform, address))) !== null,
    reply: (person, reply) => takeReply(door, person, reply),
    mentioned: (text) => mentionedTexts(lineMentioned(text)),
    home: (person) => available(() => home(door, person)),
    suggest: async (person, asked) =>
      readRefusal(deps, callerOf(door, person)) === null
        ? await available(() => suggest(deps.database.db, deps.config.serverPlaces, asked))
        : [],
    openThreads: () => available(() => openThreads(door)),
    deleted: (address) => available(() => forgetDeleted(deps.database.db, platform, address)),
    deletedAll: (start) => available(() => forgetDeletedAll(deps.database.db, platform, start)),
    messagesRead: async () => {
      const read = await available(() => messagesRead(deps.database.db, platform));
      return read.map((message) => message.slice(platform.length + 1));
    },
    withdrawn: (message) => available(() => withdraw(door, message)),
    channelId: {
      known: () => available(async () => knownId(deps.database.db, ourChannel(door))),
      learn: (id) =>
        available(() => deps.database.transaction((tx) => learnId(tx, ourChannel(door), { id, now: deps.now() }))),
    },
  };
}

const mostThreads = 100;

async function openThreads({ deps, platform }: ChatDoor): Promise<readonly string[]> {
  const since = new Date(deps.now().getTime() - deps.policy.chat.lookBackMs);
  return await recentThreads(deps.database.db, platform, since, mostThreads);
}

/** Withdraws the readings of a deleted message. The platform does not say who deleted it. */
async function withdraw({ deps, platform }: ChatDoor, message: string): Promise<void> {
  const change = { message: `${platform}:${message}`, became: "withdrawn", by: { actor: "somebody" } } as const;
  await deps.database.transaction((tx) => takeBackReadings(tx, deps, change));
}

/** Passes a reply to the command `reply`, with the subject of the message that starts its thread. */
async function takeReply(door: ChatDoor, person: ChatPerson, reply: ThreadReply): Promise<ReplyTold> {
  const { deps, platform } = door;
  const root = await available(() => messageAt(deps.database.db, platform, reply.threadAddress));
  if (root === null) return refusedWith(door, { type: "refused", reason: "that thread is none of mine", next: null });
  const { change, at, text } = reply;
  const message = `${platform}:${reply.message}`;
  const line = change === "said" ? lineToType(text) : null;
  const { subject } = root;
  const said =
    line === null
      ? replyTo.with({ subject, text, change, at, message })
      : replyTyped.with({ subject, text, at, message, next: line });
  const result = await runCall(door, person, reply.eventId, said);
  if (result.type === "repeated") return result;
  if (result.type === "refused") return refusedWith(door, result);
  if (result.value.became !== "answer") return { type: "kept" };
  return result.isSaid === true ? { type: "answered", said: textsOf(result.card) } : { type: "answered" };
}
