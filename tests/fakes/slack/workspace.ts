import { randomUUID } from "node:crypto";

/** What the fake Slack knows: people, channels, messages, windows. */

export type Json = Record<string, unknown>;

export interface Message {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs: string | null;
  readonly userId: string;
  readonly isOurs: boolean;
  text: string;
  blocks: Json[];
  metadata: Json | null;
  /** As Slack lists them in a message. */
  readonly files: readonly Json[];
  edits: number;
  /** When somebody edited it last. */
  editedTs?: string;
}

/** A file on its way: asked for, then uploaded, then complete. */
export interface Upload {
  readonly name: string;
  readonly length: number;
  readonly altText: string;
  bytes: Buffer | null;
  isComplete: boolean;
}

export interface Ephemeral {
  readonly channel: string;
  readonly userId: string;
  readonly threadTs: string | null;
  readonly text: string;
  readonly isPublic: boolean;
}

export interface View {
  readonly id: string;
  userId: string;
  view: Json;
}

/** Somebody of the workspace. A guest is let into single channels. */
export interface User {
  readonly id: string;
  readonly name: string;
  readonly deleted: boolean;
  readonly isGuest: boolean;
  /** As Slack tells which workspace, and which organization, somebody belongs to. */
  readonly team: Readonly<Record<string, unknown>>;
}

export interface ChannelOfSlack {
  readonly id: string;
  readonly name: string;
  /** Whether the app was invited. */
  readonly is_member: boolean;
  readonly is_archived: boolean;
}

/** One person notified by one message. */
export interface Buzz {
  readonly userId: string;
  readonly ts: string;
  readonly text: string;
}

export const botUserId = "UBOT00001";
export const botId = "BBOT00001";
export const homeChannel = "C0000MAIN";
/** How long the app has to acknowledge, and a trigger lives. */
export const usualAnswerMs = 3000;

export type StoredMessage = Message & { isDeleted: boolean };

export type Workspace = ReturnType<typeof openWorkspace>;

export function openWorkspace() {
  const limits = { answerMs: usualAnswerMs };
  const users = new Map<string, User>();
  const groups = new Map<string, readonly string[]>();
  const channels = new Map<string, ChannelOfSlack>([
    [homeChannel, { id: homeChannel, name: "chief-of-staff", is_member: true, is_archived: false }],
    ["C0000AWAY", { id: "C0000AWAY", name: "elsewhere", is_member: false, is_archived: false }],
  ]);
  /** Who is in each channel. */
  const members = new Map<string, Set<string>>();
  const messages: StoredMessage[] = [];
  const buzzes: Buzz[] = [];
  const ephemerals: Ephemeral[] = [];
  const triggers = new Map<string, { userId: string; at: number; isExchanged: boolean }>();
  const responses = new Map<string, { userId: string; channel: string }>();
  let lastTs = 0;

  function freshTs(): string {
    lastTs = Math.max(lastTs + 1, Date.now() * 1000);
    return `${Math.floor(lastTs / 1_000_000)}.${String(lastTs % 1_000_000).padStart(6, "0")}`;
  }

  function find(channel: string, ts: string): StoredMessage | null {
    return messages.find((each) => each.channel === channel && each.ts === ts && !each.isDeleted) ?? null;
  }

  function sendEphemeral(given: Json, channel: string, userId: string): void {
    const blocks = given["blocks"];
    const drawn = Array.isArray(blocks) ? `\n${wordsOf(blocks)}` : "";
    const threadTs = text(given, "thread_ts");
    ephemerals.push({
      channel,
      userId,
      threadTs: threadTs === "" ? null : threadTs,
      text: `${text(given, "text")}${drawn}`,
      isPublic: given["isPublic"] === true,
    });
  }

  /** `isDead`: it opens no form any more. */
  function freshTrigger(userId: string, isDead = false): string {
    const id = `${Date.now()}.${randomUUID()}`;
    triggers.set(id, { userId, at: isDead ? 0 : Date.now(), isExchanged: false });
    return id;
  }

  /** The path of an address to which an answer may be sent later. */
  function freshResponse(userId: string, channel: string): string {
    const id = randomUUID();
    responses.set(id, { userId, channel });
    return `/response/${id}`;
  }

  /** Who sees a red dot and feels a phone, with Slack's own settings: whoever is mentioned, and whoever follows the thread. */
  function notify(message: Message): void {
    const mentioned = mentionedIn(message);
    const inThread = messages.filter(({ ts, threadTs }) => ts === message.threadTs || threadTs === message.threadTs);
    const followers = message.threadTs === null ? [] : inThread.flatMap((each) => [each.userId, ...mentionedIn(each)]);
    for (const userId of new Set([...mentioned, ...followers])) {
      const isPerson = users.get(userId)?.deleted === false && members.get(message.channel)?.has(userId) === true;
      if (isPerson && userId !== message.userId) buzzes.push({ userId, ts: message.ts, text: message.text });
    }
  }

  function mentionedIn({ text: words, blocks }: Message): string[] {
    const said = blocks.length === 0 ? words : markupOf(blocks);
    const people = [...said.matchAll(/<@(\w+)>/g)].map(([, id = ""]) => id);
    const named = [...said.matchAll(/<!subteam\^(\w+)>/g)].flatMap(([, id = ""]) => groups.get(id) ?? []);
    const everybody = /<!(?:channel|here|everyone)>/.test(said) ? [...users.keys()] : [];
    return [...people, ...named, ...everybody];
  }

  return {
    users,
    members,
    buzzes,
    notify,
    groups,
    channels,
    messages,
    ephemerals,
    reactions: [] as { ts: string; name: string }[],
    homes: new Map<string, View>(),
    views: new Map<string, View>(),
    triggers,
    responses,
    uploads: new Map<string, Upload>(),
    freshTs,
    freshTrigger,
    limits,
    freshResponse,
    find,
    sendEphemeral,
  };
}

/** A message as Slack sends it. */
export function raw(message: Message): Json {
  return {
    type: "message",
    ts: message.ts,
    text: message.text,
    blocks: message.blocks,
    user: message.userId,
    // A file is shared by the app's user; only its messages are a bot's.
    ...(message.isOurs && message.files.length === 0 ? { bot_id: botId } : {}),
    ...(message.threadTs === null ? {} : { thread_ts: message.threadTs }),
    ...(message.editedTs === undefined ? {} : { edited: { user: message.userId, ts: message.editedTs } }),
    ...(message.metadata === null ? {} : { metadata: message.metadata }),
    ...(message.files.length === 0 ? {} : { files: message.files, upload: false }),
  };
}

/** A text argument; empty where it is missing. */
export function text(given: Json, name: string): string {
  const value = given[name];
  return typeof value === "string" ? value : "";
}

/** The texts of some blocks in which markup is read. */
function markupOf(blocks: readonly Json[]): string {
  const texts: string[] = [];
  JSON.stringify(blocks, (_, value: unknown) => {
    if (typeof value === "object" && value !== null && "type" in value && value.type === "mrkdwn")
      texts.push(wordsOf([value]));
    return value;
  });
  return texts.join("\n");
}

/** Every text of some blocks, one a line. */
export function wordsOf(blocks: readonly Json[]): string {
  const texts: string[] = [];
  JSON.stringify(blocks, (name, value: unknown) => {
    if (name === "text" && typeof value === "string") texts.push(value);
    return value;
  });
  return texts.join("\n");
}
