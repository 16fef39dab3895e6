import { App, HTTPReceiver, SocketModeReceiver, webApi } from "@slack/bolt";
import { sleep } from "../sleep.ts";
import type { ChatLog, NotNow } from "../platform.ts";
import { clientOptions, errorWord } from "./clients.ts";
import type { Messages } from "./messages.ts";
import { eventsPath, type SlackSettings } from "./settings.ts";
import { keepSocket } from "./socket.ts";

/** Bolt for one app: its identity, its receiver and its logging. */

/** The app's identity in its workspace, from `auth.test`. */
export interface Identity {
  readonly botId: string;
  readonly botUserId: string;
  readonly workspaceUrl: string;
  /** Ids of the workspace and, if there is one, of its organization. Accounts of our people carry one of them. */
  readonly teamIds: readonly string[];
}

/** The app's identity, which is unknown until Slack has answered. */
export interface Introduction {
  who(): Identity | null;
  learn(identity: Identity): void;
  /** Resolves when the identity is known, after `ms`, or when the platform stops. */
  within(ms: number): Promise<void>;
  /** Wraps messages: posts and updates are put off until the identity is known. */
  first(messages: Messages): Messages;
}

/** Opens an introduction whose identity is not known yet. */
export function openIntroduction(stopping: AbortSignal): Introduction {
  let known: Identity | null = null;
  const learnt = new AbortController();
  const over = AbortSignal.any([learnt.signal, stopping]);
  return {
    who: () => known,
    learn(identity) {
      known = identity;
      learnt.abort();
    },
    within: (ms) => sleep(ms, over),
    first: (messages) => ({
      ...messages,
      post: async (post) => (known === null ? unknownYet : await messages.post(post)),
      update: async (address, post) => (known === null ? unknownYet : await messages.update(address, post)),
    }),
  };
}

const unknownYet: NotNow = {
  type: "retry",
  why: "unreachable",
  afterMs: 1_000,
  reason: "Slack has not said yet who we are",
  mayBeShown: false,
};

const firstPauseMs = 1_000;

const longestPauseMs = 30_000;

interface Heard {
  onConnected(): void;
  /** `reason`: what is wrong, in a few words. */
  onLost(reason: string): void;
}

/** Listens through a socket or on a port, depending on the settings. Returns a function that stops it. Throws when the port is in use. */
export async function listen(
  receiver: SocketModeReceiver | HTTPReceiver,
  settings: SlackSettings,
  { onConnected, onLost }: Heard,
): Promise<() => Promise<void>> {
  if (receiver instanceof SocketModeReceiver) {
    const socket = keepSocket({
      receiver,
      onConnected,
      onLost: (reason) => onLost(reason === null ? "reconnecting" : errorWord(reason)),
    });
    return () => socket.stop();
  }
  await receiver.start({ port: settings.port, host: settings.host }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new Error(`port ${settings.port} is in use: choose another with SLACK_PORT`, { cause: error });
  });
  onConnected();
  return async () => {
    await receiver.stop();
  };
}

/** Asks Slack for the identity until it answers; null when the platform stops. Reports the error of each failed try to `onTrouble`. */
export async function identifyBot(
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
        teamIds: [answered.team_id, answered.enterprise_id].flatMap((id) => (id == null || id === "" ? [] : [id])),
      };
    } catch (error) {
      onTrouble(errorWord(error));
      await sleep(pauseMs, stopping);
    }
  }
  return null;
}

/** Opens the receiver: Socket Mode when there is an app token, else HTTP with the signing secret. Reconnecting is done by `keepSocket`. */
export function openReceiver(settings: SlackSettings, log: ChatLog): SocketModeReceiver | HTTPReceiver {
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

/** Opens the Bolt app on a receiver. `who` returns the bot's own identity, null until Slack has answered. */
export function openApp(
  { settings, log }: { readonly settings: SlackSettings; readonly log: ChatLog },
  receiver: SocketModeReceiver | HTTPReceiver,
  who: () => Identity | null,
): App {
  const app = new App({
    receiver,
    // Without this, Bolt calls Slack at once, and a wrong token becomes an unhandled rejection.
    deferInitialization: true,
    authorize: async () => {
      const identity = who();
      if (identity === null) throw new Error("not connected yet");
      return { botToken: settings.botToken, botId: identity.botId, botUserId: identity.botUserId };
    },
    clientOptions: clientOptions(settings),
    logger: boltLogger(log),
  });
  // The event is not acknowledged, so the person who clicked sees Slack's own error.
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
