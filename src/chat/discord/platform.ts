import {
  type APIInteraction,
  type APIUser,
  ApplicationCommandType,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  InteractionType,
  type REST,
  Routes,
} from "discord.js";
import { openReach } from "../active.ts";
import { hearOrFetch, openCatchUp, openDoorWatch } from "../catch-up.ts";
import { openPeople } from "../people.ts";
import type { Platform, PlatformOptions } from "../platform.ts";
import { openStatus } from "../status.ts";
import { namingWhoCan } from "../who-can.ts";
import type { Addresses } from "../addresses.ts";
import { openChannelView } from "./channel-view.ts";
import { listCommands } from "./command-list.ts";
import type { Door } from "./door.ts";
import { openDrafts } from "./forms.ts";
import { keepGateway } from "./gateway.ts";
import { permalinks } from "./markdown.ts";
import { openMessages } from "./messages.ts";
import { fetchSince } from "./missed.ts";
import { isInServer, lookUpMember } from "./people.ts";
import { press, submit } from "./presses.ts";
import { openReplies, type Replies } from "./replies.ts";
import { adviceFor, adviceForWord, errorWord, openDiscordRest } from "./rest.ts";
import type { DiscordSettings } from "./settings.ts";
import { offerSuggestions } from "./suggestions.ts";
import { runSlash } from "./slash.ts";

export interface DiscordOptions extends PlatformOptions {
  readonly settings: DiscordSettings;
}

/**
 * Discord as a platform: cards go out through the REST API, and people's actions come in through the gateway. It connects in the
 * background for as long as it takes. A wrong token is one line of status; everything else goes on.
 */
export function discordPlatform(options: DiscordOptions): Platform {
  const { settings, log } = options;
  const stopping = new AbortController();
  const deliveries = openDiscordRest(settings, { waits: false });
  const interactions = openDiscordRest(settings, { waits: true });
  const permalink = (addresses: Addresses) => permalinks(settings.guildId, addresses);
  const status = openStatus({ name: "discord", log, onStatus: options.onStatus, adviceFor: adviceForWord });

  const messages = openMessages({
    rest: deliveries,
    zone: options.zone,
    permalink,
    // A rate limit is normal, and a refused card says nothing about the connection. A closed channel does.
    onCall(error) {
      const word = error === null ? "" : errorWord(error);
      const advice = error === null ? null : adviceFor(error);
      status.set("calls", advice === null && !word.startsWith("unreachable") ? null : word, advice);
      watch(error === null ? "well" : advice === null ? "other" : "shut");
    },
  });
  const reach = openReach("discord", options, (userId) => isInServer(interactions, settings.guildId, userId));
  const inbox = namingWhoCan(options.inbox, reach);
  const door = openDoor(options, { inbox, rest: interactions, permalink, stopping: stopping.signal });
  const replies = openReplies(door);
  const take = openListeners(door, replies, () => fetchReplies());
  const fetchReplies = openCatchUp({
    fetch: () => fetchSince(door, { replies, lookBackMs: options.lookBackMs, stopping: stopping.signal }),
    word: errorWord,
    isHopeless: (error) => adviceFor(error) !== null,
    name: "discord",
    log,
    stopping: stopping.signal,
  });
  const watch = openDoorWatch(fetchReplies);
  const letIn = openLetIn(settings);

  const gateway = keepGateway({
    settings,
    word: errorWord,
    onConnected(isResumed) {
      status.set("connection", null);
      fetchReplies();
      if (!isResumed) void register(interactions, options);
    },
    onLost: (reason) => status.set("connection", reason),
    onDispatch(payload) {
      const became = letIn(payload);
      if (became !== null) fetchReplies();
      if (became === "server") void register(interactions, options);
      // It is not acknowledged, so the person who clicked sees Discord's own error.
      void take(payload).catch((error: unknown) => {
        log("error", "discord.listener-failed", { event: payload.t, error: errorWord(error) });
      });
    },
  });

  return {
    name: "discord",
    isIdempotent: false,
    everyMs: options.everyMs,
    // A picture is part of its message.
    picturesAppearWithinMs: 0,
    locate: async () => undefined,
    ...messages,
    post: async (post) => await messages.post(await reach.post(post)),
    update: async (address, post) => await messages.update(address, await reach.post(post)),
    async isWell() {
      // False during a rate limit: this call does not wait for its end.
      return await deliveries.get(Routes.user()).then(
        () => true,
        () => false,
      );
    },
    status: () => status.word(),
    async stop() {
      stopping.abort();
      await gateway.stop();
    },
  };
}

function openDoor(options: DiscordOptions, own: Pick<Door, "inbox" | "rest" | "permalink" | "stopping">): Door {
  const { settings } = options;
  const { rest } = own;
  const view = openChannelView(rest, settings, options.personWaitMs);
  return {
    settings,
    ...own,
    people: openPeople((userId) => lookUpMember(rest, settings.guildId, userId, view), {
      groups: options.groups,
      longestWaitMs: options.personWaitMs,
    }),
    view,
    times: { notYetAfterMs: options.notYetAfterMs, keepTryingMs: options.keepTryingMs },
    progressAfterMs: options.progressAfterMs,
    commands: options.commands,
    log: options.log,
  };
}

/** Returns the function that passes each gateway event to the file that handles it. */
function openListeners(
  door: Door,
  replies: Replies,
  fetchReplies: () => void,
): (payload: GatewayDispatchPayload) => Promise<void> {
  const drafts = openDrafts();
  let us = "";

  async function interact(asked: APIInteraction): Promise<void> {
    if (asked.guild_id !== door.settings.guildId) return;
    if (asked.type === InteractionType.MessageComponent) return await press(door, drafts, asked);
    if (asked.type === InteractionType.ApplicationCommandAutocomplete) return await offerSuggestions(door, asked);
    if (asked.type === InteractionType.ModalSubmit) return await submit(door, drafts, asked);
    if (asked.type === InteractionType.ApplicationCommand && asked.data.type === ApplicationCommandType.ChatInput)
      // The type of its data was just checked.
      await runSlash(door, asked as Parameters<typeof runSlash>[1]);
  }

  async function hear(payload: GatewayDispatchPayload): Promise<void> {
    if (payload.t === GatewayDispatchEvents.Ready) us = payload.d.user.id;
    if (payload.t === GatewayDispatchEvents.MessageCreate) await replies.said(payload.d, us);
    if (payload.t === GatewayDispatchEvents.MessageUpdate) await replies.edited(payload.d);
    if (payload.t === GatewayDispatchEvents.MessageDelete) await replies.deleted(payload.d);
    if (payload.t === GatewayDispatchEvents.ThreadDelete) await replies.threadDeleted(payload.d.id);
    if (payload.t === GatewayDispatchEvents.MessageDeleteBulk) {
      const { ids, channel_id } = payload.d;
      await Promise.all(ids.map((id) => replies.deleted({ id, channel_id })));
    }
  }

  return async (payload) => {
    if (payload.t === GatewayDispatchEvents.InteractionCreate) await interact(payload.d);
    else await hearOrFetch(hear(payload), fetchReplies);
  };
}

/**
 * Returns a function that detects when the bot is let in again: invited to the server anew, or its channel's permissions have changed.
 * Discord sent no events for what was written before.
 */
function openLetIn({
  guildId,
  channelId,
}: DiscordSettings): (payload: GatewayDispatchPayload) => "server" | "channel" | null {
  let isExpected = false;
  let permissions: string | null = null;
  return ({ t, d }) => {
    // After a connect, one GuildCreate arrives for each server that the bot is already in.
    if (t === GatewayDispatchEvents.Ready) isExpected = d.guilds.some(({ id }) => id === guildId);
    if (t === GatewayDispatchEvents.GuildCreate && d.id === guildId) {
      const wasExpected = isExpected;
      isExpected = false;
      return wasExpected ? null : "server";
    }
    if (t !== GatewayDispatchEvents.ChannelUpdate || d.id !== channelId) return null;
    const now = JSON.stringify("permission_overwrites" in d ? (d.permission_overwrites ?? []) : []);
    const isSame = now === permissions;
    permissions = now;
    return isSame ? null : "channel";
  };
}

/** Registers the commands in the server. The list replaces the previous one as a whole, so this is safe to repeat. */
async function register(rest: REST, { settings, commands, log }: DiscordOptions): Promise<void> {
  try {
    // This route answers with the bot's own user, whose id is that of its application.
    const { id } = (await rest.get(Routes.user())) as APIUser;
    await rest.put(Routes.applicationGuildCommands(id, settings.guildId), { body: listCommands(commands) });
  } catch (error) {
    log("warn", "discord.commands-failed", { error: errorWord(error), advice: adviceFor(error) });
  }
}
