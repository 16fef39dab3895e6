import type { App } from "@slack/bolt";
import { openReach, type ActiveAccounts } from "../active.ts";
import type { MakeCall } from "../calls.ts";
import { openCatchUp, openDoorWatch } from "../catch-up.ts";
import { openPeople } from "../people.ts";
import type { Platform, PlatformOptions, Post, PostOutcome } from "../platform.ts";
import { openStatus } from "../status.ts";
import { namingWhoCan } from "../who-can.ts";
import type { Addresses } from "../addresses.ts";
import { openChannel } from "./channel.ts";
import { adviceFor, afterLimits, errorWord, openClient } from "./clients.ts";
import type { Door } from "./door.ts";
import { type Homes, openHomes } from "./homes.ts";
import { listenToInteractions } from "./interactions.ts";
import { type Messages, openMessages } from "./messages.ts";
import { permalinks, type Words } from "./mrkdwn.ts";
import { isActive, lookUpPerson, openGroups, openNames } from "./people.ts";
import type { SlackSettings } from "./settings.ts";
import { listenToSlash } from "./slash.ts";
import { catchUp } from "./missed.ts";
import { listenToThreads, type ReplySource } from "./threads.ts";
import { type PrivateMessage, type PrivateTarget, sendPrivately } from "./private-messages.ts";
import { type Identity, listen, identifyBot, openIntroduction, openReceiver, openApp } from "./bolt.ts";

export interface SlackOptions extends PlatformOptions {
  readonly settings: SlackSettings;
}

/** Slack scans and shares a file after it has answered, usually within a few seconds. */
const picturesAppearWithinMs = 30_000;

/** How long a pass of delivery waits for Slack to tell the app's identity; after that, the next pass looks again. */
const introducedWithinMs = 1_000;

/**
 * Slack as a platform: cards go out through the Web API, and people's actions come in through Bolt. It connects in the background for as
 * long as it takes. A wrong token is one line of status; everything else goes on.
 */
export function slackPlatform(options: SlackOptions): Platform {
  const { settings, log } = options;
  const stopping = new AbortController();
  const delivery = openClient(settings);
  const interactions = openClient(settings);
  const introduction = openIntroduction(stopping.signal);
  const status = openStatus({ name: "slack", log, onStatus: options.onStatus, adviceFor });

  function words(addresses: Addresses): Words {
    return { zone: options.zone, permalink: permalinks(introduction.who()?.workspaceUrl ?? "", addresses) };
  }

  const patiently: MakeCall = (work) => afterLimits(work, stopping.signal, options.keepTryingMs);
  const channel = openChannel(interactions, settings.channel, options.inbox.channelId);
  const messages = openMessages({
    client: delivery,
    channelId: () => channel.id(),
    words,
    // A rate limit is normal, and a refused card says nothing about the connection. A closed channel does.
    onCall(word) {
      status.set("calls", adviceFor(word) === null && !word.startsWith("unreachable") ? null : word);
      watch(word === "ok" ? "well" : adviceFor(word) === null ? "other" : "shut");
    },
  });
  const reach = openReach("slack", options, (user) => isActive(interactions, user));
  const inbox = namingWhoCan(options.inbox, reach);
  const homes = openHomes({ inbox, client: interactions, patiently, words, log });
  let connections = 0;
  const parts = { inbox, client: interactions, patiently, channel, words, homes, connection: () => connections };
  const door = openDoor(options, parts, introduction.who);
  const who = () => introduction.who()?.botUserId ?? "";
  const fetchReplies = openReplies(options, door, { who, stopping: stopping.signal });
  const watch = openDoorWatch(fetchReplies);

  const receiver = openReceiver(settings, log);
  const app = openApp(options, receiver, introduction.who);
  openListeners(app, door, { who, fetchReplies });
  const stops: (() => Promise<void>)[] = [];

  async function connect(): Promise<void> {
    const identity = await identifyBot(interactions, stopping.signal, (word) => status.set("connection", word));
    if (identity === null) return;
    introduction.learn(identity);
    await app.init();
    const stop = await listen(receiver, settings, {
      onConnected() {
        status.set("connection", null);
        fetchReplies();
      },
      onLost(reason) {
        connections += 1;
        status.set("connection", reason);
      },
    });
    stops.push(stop);
  }

  void connect().catch((error: unknown) => status.set("connection", errorWord(error)));

  return {
    name: "slack",
    isIdempotent: false,
    everyMs: options.everyMs,
    picturesAppearWithinMs,
    // Links need the workspace's URL; a message posted earlier would keep broken links.
    locate: () => Promise.all([channel.id(), introduction.within(introducedWithinMs)]).then(nothing, nothing),
    ...withHomes(introduction.first(messages), reach, homes),
    async isWell() {
      return await interactions.auth.test().then(
        () => true,
        () => false,
      );
    },
    status: () => status.word(),
    async stop() {
      stopping.abort();
      await Promise.allSettled(stops.map((stop) => stop()));
    },
  };
}

const nothing = (): void => undefined;

/** Wraps messages: mentions only active accounts, and redraws homes that still offer Undo when a batch of answers may have ended. */
function withHomes(messages: Messages, reach: ActiveAccounts, homes: Pick<Homes, "again">): Messages {
  function follow({ card }: Post, outcome: PostOutcome): PostOutcome {
    // Such a notice is final. Cards do not wait for homes.
    if (outcome.type === "shown" && card.kind === "notice" && card.actions.length === 0) void homes.again();
    return outcome;
  }
  return {
    ...messages,
    post: async (post) => follow(post, await messages.post(await reach.post(post))),
    update: async (address, post) => follow(post, await messages.update(address, await reach.post(post))),
  };
}

/** Returns a function that fetches replies that were written while no event was delivered to us. */
function openReplies(
  options: SlackOptions,
  door: Door,
  { who, stopping }: { readonly who: () => string; readonly stopping: AbortSignal },
): () => void {
  const fetch = async () => {
    const since = new Date(Date.now() - options.lookBackMs);
    return await catchUp(door, { since, ourUserId: who() }, stopping);
  };
  const isHopeless = (error: unknown) => adviceFor(errorWord(error)) !== null;
  return openCatchUp({ fetch, word: errorWord, isHopeless, name: "slack", log: options.log, stopping });
}

function openListeners(app: App, door: Door, source: ReplySource): void {
  const { who, fetchReplies } = source;
  listenToInteractions(app, door);
  listenToSlash(app, door);
  listenToThreads(app, door, source);
  app.event("app_home_opened", async ({ event }) => {
    if (event.tab === "home") await door.homes.publish(await door.people(event.user));
  });
  app.event("member_joined_channel", async ({ event }) => {
    // Slack sent no events for what was written before the app was invited again.
    if (event.user === who()) fetchReplies();
  });
}

function openDoor(
  options: SlackOptions,
  parts: Pick<Door, "inbox" | "client" | "patiently" | "channel" | "words" | "homes" | "connection">,
  who: () => Identity | null,
): Door {
  const { log } = options;
  const { client, patiently, channel } = parts;
  const send = (target: PrivateTarget, said: PrivateMessage) =>
    sendPrivately({ client, patiently }, target, said).then(
      (viewId) => ({ isSent: true, viewId }),
      (error: unknown) => {
        log("warn", "slack.private-failed", { error: errorWord(error) });
        return { isSent: false, viewId: null };
      },
    );
  const groups = openGroups(client, { patiently, longestWaitMs: options.personWaitMs });
  return {
    ...parts,
    people: openPeople((userId) => lookUpPerson(client, userId, { channel, teamIds: who()?.teamIds ?? [], groups }), {
      groups: options.groups,
      longestWaitMs: options.personWaitMs,
    }),
    nameOf: openNames(client, options.personWaitMs),
    times: { notYetAfterMs: options.notYetAfterMs, keepTryingMs: options.keepTryingMs },
    progressAfterMs: options.progressAfterMs,
    say: async (...said) => (await send(...said)).viewId,
    reach: async (...said) => (await send(...said)).isSent,
    log,
  };
}
