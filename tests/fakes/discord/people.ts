import { randomUUID } from "node:crypto";
import type { FakeGateway } from "./gateway.ts";
import {
  botId,
  guildId,
  homeChannel,
  type Json,
  type Message,
  otherBotId,
  privateChannel,
  raw,
  type StoredMessage,
  textIn,
} from "./guild.ts";
import { type Interaction, type State, usualAnswerMs } from "./routes.ts";

/** What people do in the fake Discord. */

/** What somebody who pressed or typed sees happen. */
export interface Seen {
  /** False: Discord showed its own error, because nobody answered within 3 s. */
  readonly acknowledged: boolean;
  /** The first answer, as Discord was given it. */
  readonly answer: Json;
}

export interface How {
  /** Delivered this often, as the same event. */
  readonly times?: number;
  /** Nobody is told; the message is only there. */
  readonly isMissed?: boolean;
  /** The connection breaks right after it was sent. */
  readonly dropsSocket?: boolean;
  /** Its token has died before anybody answers. */
  readonly isExpired?: boolean;
  /** It happens in another channel of the server. */
  readonly isElsewhere?: boolean;
}

export interface PeopleOfDiscord {
  add(id: string, name: string, roles?: readonly string[]): void;
  /** The home channel is hidden from a member or a role. */
  hideFrom(id: string): void;
  /** Lets the bot in again: into the channel, by a permission there, or into the server. */
  letIn(where: "channel" | "server"): void;
  /** Presses a button as this message showed it; `message` may be an old picture of it. */
  click(
    userId: string,
    message: Pick<Message, "id" | "channelId" | "components">,
    label: string,
    how?: How,
  ): Promise<Seen>;
  /** The form that this person has open. */
  openForm(userId: string): Json | null;
  submit(userId: string, values: Readonly<Record<string, string>>, how?: How): Promise<Seen>;
  /** `type(ana, "cos goal show", { id: "goal-1" })`. */
  type(
    userId: string,
    command: string,
    options?: Readonly<Record<string, string | number | boolean>>,
    how?: How,
  ): Promise<Seen>;
  /** What is offered while this is typed into an option of a command: `complete(ana, "cos goal show", "id", "blue")`. */
  complete(userId: string, command: string, option: string, typed: string, how?: How): Promise<readonly Json[]>;
  /** Writes in the thread under a message, which must be there unless it is a message of the channel that is replied to. */
  reply(userId: string, message: Message, text: string, how?: How & { readonly inChannel?: boolean }): Promise<Message>;
  /** Writes in the home channel. */
  write(userId: string, text: string, how?: How): Promise<Message>;
  edit(message: Message, text: string): Promise<void>;
  remove(message: Message, how?: Pick<How, "isMissed">): Promise<void>;
  /** Another bot repeats a message below it, mark and all. */
  repeat(message: Message): Message;
}

export function openPeople(state: State, gateway: FakeGateway): PeopleOfDiscord {
  const { guild } = state;

  async function interact(userId: string, type: number, data: Json, more: Json, how: How = {}): Promise<Seen> {
    const id = guild.freshId();
    const token = randomUUID();
    const channel = how.isElsewhere === true ? privateChannel : homeChannel;
    const interaction: Interaction = {
      id,
      token,
      userId,
      answer: null,
      onAnswer: () => undefined,
      isOver: how.isExpired === true,
      isTyping: type === 4,
    };
    // Who saw Discord's own error waits no longer than people do, however long a test's other answers may take.
    const longestMs = how.isExpired === true ? usualAnswerMs : state.answerMs;
    const seen = new Promise<Seen>((resolve) => {
      const late = setTimeout(() => {
        interaction.isOver = true;
        resolve({ acknowledged: false, answer: {} });
      }, longestMs);
      interaction.onAnswer = (answer) => {
        clearTimeout(late);
        resolve({ acknowledged: true, answer });
      };
    });
    state.interactions.set(token, interaction);
    const payload = {
      id,
      application_id: botId,
      type,
      data,
      token,
      version: 1,
      guild_id: guildId,
      channel_id: channel,
      channel: { id: channel, type: 0, guild_id: guildId, name: "chief-of-staff", permissions: "0" },
      member: guild.memberOf(userId),
      app_permissions: "0",
      locale: "en-US",
      guild_locale: "en-US",
      entitlements: [],
      authorizing_integration_owners: {},
      context: 0,
      attachment_size_limit: 10_000_000,
      ...more,
    };
    for (let sent = 0; sent < (how.times ?? 1); sent += 1) gateway.dispatch("INTERACTION_CREATE", payload);
    if (how.dropsSocket === true) setTimeout(() => gateway.drop(null), 1);
    return await seen;
  }

  function tell(type: string, message: StoredMessage): void {
    const { user: _, ...member } = guild.memberOf(message.authorId);
    gateway.dispatch(type, { ...raw(guild, message), guild_id: guildId, member });
  }

  function write(
    userId: string,
    text: string,
    how: How & { readonly channelId: string; readonly replyTo: string | null },
  ): Message {
    const said: StoredMessage = {
      id: guild.freshId(),
      channelId: how.channelId,
      authorId: userId,
      isOurs: false,
      content: text,
      embeds: [],
      components: [],
      attachments: [],
      nonce: null,
      mentions: null,
      replyTo: how.replyTo,
      editedAt: null,
      edits: 0,
      isDeleted: false,
    };
    guild.messages.push(said);
    if (how.isMissed !== true) for (let sent = 0; sent < (how.times ?? 1); sent += 1) tell("MESSAGE_CREATE", said);
    return said;
  }

  return {
    add(id, name, roles = []) {
      guild.members.set(id, { id, name, roles: [...roles] });
    },
    hideFrom(id) {
      guild.hiddenFrom.add(id);
    },
    letIn(where) {
      if (where === "server") return gateway.invite();
      const allowed = { id: botId, type: 1, allow: "1024", deny: "0" };
      gateway.dispatch("CHANNEL_UPDATE", {
        id: homeChannel,
        guild_id: guildId,
        type: 0,
        name: "chief-of-staff",
        position: 0,
        permission_overwrites: [allowed],
      });
    },
    async click(userId, message, label, how) {
      const button = message.components
        .flatMap((row) => row["components"] as Json[])
        .find((each) => each["label"] === label);
      if (button === undefined) throw new Error(`no button ${label}`);
      const stored = guild.messages.find((each) => each.id === message.id);
      const shown = stored === undefined ? { id: message.id, channel_id: message.channelId } : raw(guild, stored);
      return await interact(userId, 3, { custom_id: button["custom_id"], component_type: 2 }, { message: shown }, how);
    },
    openForm: (userId) => state.modals.get(userId) ?? null,
    async submit(userId, values, how) {
      const open = state.modals.get(userId);
      if (open === undefined) throw new Error(`${userId} has no form open`);
      const inputs = (open["components"] as Json[])
        .filter((each) => each["type"] === 18)
        .map((each) => each["component"] as Json);
      const components = inputs.map((input, index) => {
        const customId = String(input["custom_id"]);
        const value = values[customId] ?? textIn(input, "value");
        return { type: 18, id: index + 2, component: { type: 4, id: index + 20, custom_id: customId, value } };
      });
      state.modals.delete(userId);
      return await interact(
        userId,
        5,
        { custom_id: open["custom_id"], components: [{ type: 10, id: 1 }, ...components] },
        {},
        how,
      );
    },
    async type(userId, command, options = {}, how) {
      const [name = "", ...words] = command.split(" ");
      return await interact(
        userId,
        2,
        { id: "1", name, type: 1, options: optionsFor(state, name, words, options) },
        {},
        how,
      );
    },
    async complete(userId, command, option, typed, how) {
      const [name = "", ...words] = command.split(" ");
      const { path, known } = definitionOf(state, name, words);
      const defined = known.find((each) => each["name"] === option);
      if (defined?.["autocomplete"] !== true) throw new Error(`/${command} suggests nothing for ${option}`);
      const value = { name: option, type: defined["type"], value: typed, focused: true };
      const data = { id: "1", name, type: 1, options: below(path, [value]) };
      const { answer } = await interact(userId, 4, data, {}, how);
      return ((answer["data"] as Json | undefined)?.["choices"] ?? []) as Json[];
    },
    async reply(userId, message, text, how = {}) {
      const inChannel = how.inChannel === true;
      if (!inChannel && !guild.channels.has(message.id))
        guild.channels.set(message.id, {
          id: message.id,
          name: "thread",
          type: 11,
          parentId: message.channelId,
          isArchived: false,
        });
      const channelId = inChannel ? message.channelId : message.id;
      return write(userId, text, { ...how, channelId, replyTo: inChannel ? message.id : null });
    },
    write: async (userId, text, how = {}) => write(userId, text, { ...how, channelId: homeChannel, replyTo: null }),
    async edit(message, text) {
      const stored = guild.find(message.channelId, message.id);
      if (stored === null) throw new Error(`no message ${message.id}`);
      stored.content = text;
      stored.editedAt = new Date().toISOString();
      tell("MESSAGE_UPDATE", stored);
    },
    async remove(message, how = {}) {
      const stored = guild.find(message.channelId, message.id);
      if (stored === null) throw new Error(`no message ${message.id}`);
      stored.isDeleted = true;
      if (how.isMissed === true) return;
      gateway.dispatch("MESSAGE_DELETE", { id: message.id, channel_id: message.channelId, guild_id: guildId });
    },
    repeat(message) {
      const own = { id: guild.freshId(), authorId: otherBotId, isOurs: false, isDeleted: false, nonce: null };
      const repeated: StoredMessage = { ...structuredClone(message), ...own };
      guild.messages.push(repeated);
      tell("MESSAGE_CREATE", repeated);
      return repeated;
    },
  };
}

/** What the client sends for a command as it was registered; throws for one that was not, or for an option that it has not got. */
function optionsFor(
  state: State,
  name: string,
  words: readonly string[],
  given: Readonly<Record<string, string | number | boolean>>,
): Json[] {
  const { path, known } = definitionOf(state, name, words);
  const values = Object.entries(given).map(([key, value]): Json => {
    const option = known.find((each) => each["name"] === key);
    if (option === undefined) throw new Error(`/${[name, ...words].join(" ")} has no option ${key}`);
    return { name: key, type: option["type"], value };
  });
  for (const option of known)
    if (option["required"] === true && !(String(option["name"]) in given))
      throw new Error(`${String(option["name"])} is missing`);
  return below(path, values);
}

/** The words of a command as they were registered, and its options; throws for one that was not. */
function definitionOf(
  state: State,
  name: string,
  words: readonly string[],
): { readonly path: readonly Json[]; readonly known: readonly Json[] } {
  const path: Json[] = [];
  let at = state.commands.find((each) => each["name"] === name);
  for (const word of words) {
    at = ((at?.["options"] ?? []) as Json[]).find((each) => each["name"] === word);
    if (at !== undefined) path.push(at);
  }
  if (at === undefined) throw new Error(`no command /${[name, ...words].join(" ")}`);
  return { path, known: (at["options"] ?? []) as Json[] };
}

/** What was filled in, below the words of the command. */
function below(path: readonly Json[], values: readonly Json[]): Json[] {
  return path.reduceRight<Json[]>(
    (filled, each) => [{ name: each["name"], type: each["type"], options: filled }],
    [...values],
  );
}
