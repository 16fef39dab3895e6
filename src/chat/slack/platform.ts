import { App, HTTPReceiver, SocketModeReceiver, webApi } from "@slack/bolt";
import { fetchMissed } from "../catch-up.ts";
import { sleep } from "../patience.ts";
import { openPeople } from "../people.ts";
import type { ChatLog, Platform, PlatformOptions, Post, PostOutcome } from "../platform.ts";
import type { Addresses } from "../addresses.ts";
import { openChannel } from "./channel.ts";
import { adviceFor, clientOptions, errorWord, openClient } from "./clients.ts";
import type { Door } from "./door.ts";
import { openHomes } from "./homes.ts";
import { listenToInteractions } from "./interactions.ts";
import { openMessages } from "./messages.ts";
import { permalinks, type Words } from "./mrkdwn.ts";
import { lookUpPerson } from "./people.ts";
import { eventsPath, type SlackSettings } from "./settings.ts";
import { listenToSlash } from "./slash.ts";
import { keepSocket } from "./socket.ts";
import { catchUp, listenToThreads } from "./threads.ts";
import { whisper } from "./whisper.ts";

export interface SlackOptions extends PlatformOptions {
  readonly settings: SlackSettings;
}

/** Who the app is in its workspace, from `auth.test`. */
interface Identity {
  readonly botId: string;
  readonly botUserId: string;
  readonly workspaceUrl: string;
}

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
/** Slack scans and shares a file after it has answered; a few seconds as a rule. */
const picturesAppearWithinMs = 30_000;

/**
 * Slack as a platform: cards out through the Web API, and what people do in through Bolt. It connects by itself and
 * for as long as it takes; a wrong token is one line of status, and everything else goes on.
 */
export function slackPlatform(options: SlackOptions): Platform {
  const { settings, log } = options;
  const stopping = new AbortController();
  const delivery = openClient(settings);
  const interactions = openClient(settings);
  let identity: Identity | null = null;
  const trouble = { connection: "connecting" as string | null, calls: null as string | null };
  let said = "";

  function setTrouble(which: keyof typeof trouble, word: string | null): void {
    trouble[which] = word;
    if (status() === said) return;
    said = status();
    const advice = adviceFor(said);
    log(said === "connected" ? "info" : "warn", "slack.status", { status: said });
    options.onStatus(advice === null ? said : `${said}: ${advice}`);
  }

  function status(): string {
    return trouble.connection ?? trouble.calls ?? "connected";
  }

  function words(addresses: Addresses): Words {
    return { zone: options.zone, permalink: permalinks(identity?.workspaceUrl ?? "", addresses) };
  }

  const channel = openChannel(interactions, settings.channel, options.inbox.channelId);
  const messages = openMessages({
    client: delivery,
    channelId: () => channel.id(),
    words,
    // A limit is everyday life and a refused card says nothing of the connection; a closed door does.
    onCall: (word) => setTrouble("calls", adviceFor(word) === null && !word.startsWith("unreachable") ? null : word),
  });
  const lookedUp = { groups: options.groups, channel };
  const homes = openHomes({ inbox: options.inbox, client: interactions, words, log });
  const door: Door = {
    inbox: options.inbox,
    client: interactions,
    channel,
    people: openPeople((userId) => lookUpPerson(interactions, userId, lookedUp), options.personWaitMs),
    patience: { notYetAfterMs: options.notYetAfterMs, keepTryingMs: options.keepTryingMs },
    progressAfterMs: options.progressAfterMs,
    words,
    homes,
    say: async (ear, said) => {
      await whisper(interactions, ear, said).catch((error: unknown) => {
        log("warn", "slack.whisper-failed", { error: errorWord(error) });
      });
    },
    log,
  };

  const receiver = openReceiver(settings, log);
  const app = openApp(options, receiver, () => identity);
  listenToInteractions(app, door);
  listenToSlash(app, door);
  listenToThreads(app, door);
  app.event("app_home_opened", async ({ event }) => {
    if (event.tab === "home") await homes.publish(await door.people(event.user));
  });

  /** What became of answers to many questions is a notice that ends: homes that still offer Undo follow it. */
  function withHomes({ card }: Post, outcome: PostOutcome): PostOutcome {
    // Cards do not wait for it.
    if (outcome.type === "shown" && card.kind === "notice" && card.actions.length === 0) void homes.again();
    return outcome;
  }

  const stops: (() => Promise<void>)[] = [];

  async function connect(): Promise<void> {
    identity = await identify(interactions, stopping.signal, (word) => setTrouble("connection", word));
    if (identity === null) return;
    await app.init();
    if (receiver instanceof SocketModeReceiver) {
      const socket = keepSocket({
        receiver,
        onConnected() {
          setTrouble("connection", null);
          fetchReplies();
        },
        onLost: (reason) => setTrouble("connection", reason === null ? "reconnecting" : errorWord(reason)),
      });
      stops.push(() => socket.stop());
    } else {
      await receiver.start({ port: settings.port, host: settings.host }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EADDRINUSE") throw error;
        throw new Error(`port ${settings.port} is in use: choose another with SLACK_PORT`, { cause: error });
      });
      stops.push(() => receiver.stop());
      setTrouble("connection", null);
      fetchReplies();
    }
  }

  function fetchReplies(): void {
    const fetch = async () => {
      const since = new Date(Date.now() - options.lookBackMs);
      await catchUp(door, { since, ourUserId: identity?.botUserId ?? "" }, stopping.signal);
    };
    const isHopeless = (error: unknown) => adviceFor(errorWord(error)) !== null;
    void fetchMissed({ fetch, word: errorWord, isHopeless, name: "slack", log, stopping: stopping.signal });
  }

  void connect().catch((error: unknown) => setTrouble("connection", errorWord(error)));

  return {
    name: "slack",
    isIdempotent: false,
    everyMs: options.everyMs,
    picturesAppearWithinMs,
    locate: () =>
      channel.id().then(
        () => undefined,
        () => undefined,
      ),
    ...messages,
    post: async (post) => withHomes(post, await messages.post(post)),
    update: async (address, post) => withHomes(post, await messages.update(address, post)),
    async isWell() {
      return await interactions.auth.test().then(
        () => true,
        () => false,
      );
    },
    status,
    async stop() {
      stopping.abort();
      await Promise.allSettled(stops.map((stop) => stop()));
    },
  };
}

/** Asks who we are until Slack says so; null when it is stopping. Says every refusal once. */
async function identify(
  client: webApi.WebClient,
  stopping: AbortSignal,
  onTrouble: (word: string) => void,
): Promise<Identity | null> {
  for (let pauseMs = firstPauseMs; !stopping.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      const answered = await client.auth.test();
      return {
        botId: answered.bot_id ?? "",
        botUserId: answered.user_id ?? "",
        workspaceUrl: answered.url ?? "",
      };
    } catch (error) {
      onTrouble(errorWord(error));
      await sleep(pauseMs, stopping);
    }
  }
  return null;
}

function openReceiver(settings: SlackSettings, log: ChatLog): SocketModeReceiver | HTTPReceiver {
  const logger = boltLogger(log);
  if (settings.appToken !== null) {
    return new SocketModeReceiver({
      appToken: settings.appToken,
      autoReconnectEnabled: false,
      logger,
      installerOptions: { clientOptions: clientOptions(settings) },
    });
  }
  return new HTTPReceiver({ signingSecret: settings.signingSecret ?? "", endpoints: eventsPath, logger });
}

function openApp(options: SlackOptions, receiver: SocketModeReceiver | HTTPReceiver, who: () => Identity | null): App {
  const { settings, log } = options;
  const app = new App({
    receiver,
    // Nothing is called before we say so: a wrong token is a value here and not an unhandled rejection.
    deferInitialization: true,
    authorize: async () => {
      const identity = who();
      if (identity === null) throw new Error("not connected yet");
      return { botToken: settings.botToken, botId: identity.botId, botUserId: identity.botUserId };
    },
    clientOptions: clientOptions(settings),
    logger: boltLogger(log),
  });
  // Not acknowledged: whoever clicked sees Slack's own error.
  app.error(async (error) => {
    log("error", "slack.listener-failed", { error });
  });
  return app;
}

function boltLogger(log: ChatLog): webApi.Logger {
  const words = (parts: unknown[]) => ({
    text: parts.map((part) => (part instanceof Error ? part.message : String(part))).join(" "),
  });
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: (...parts: unknown[]) => log("warn", "slack.bolt", words(parts)),
    error: (...parts: unknown[]) => log("warn", "slack.bolt", words(parts)),
    setLevel: () => undefined,
    getLevel: () => webApi.LogLevel.WARN,
    setName: () => undefined,
  };
}
