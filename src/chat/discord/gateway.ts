import {
  type APIApplication,
  Client as DiscordClient,
  Events,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  GatewayIntentBits,
  type GatewayDispatchPayload,
  Options,
  type REST,
  Routes,
} from "discord.js";
import { sleep } from "../sleep.ts";
import { hasMessageContent } from "./permissions.ts";
import { invalidToken, missingIntent, openDiscordRest, restOptions } from "./rest.ts";
import type { DiscordSettings } from "./settings.ts";

/** The intents through which people's actions arrive. The last one must be switched on in the application's settings. */
export const intents = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.MessageContent,
] as const;

/**
 * Keeps a connection to Discord's gateway. discord.js resumes a session by itself, so that events of a short gap are delivered. When it
 * gives up (a wrong token, a missing intent), a new client is tried, because people fix these.
 */
export interface Gateway {
  stop(): Promise<void>;
}

interface GatewayOptions {
  readonly settings: DiscordSettings;
  /** Called on every connection; `isResumed`: no event was missed. */
  readonly onConnected: (isResumed: boolean) => void;
  /** Called with the reason when the connection is lost. */
  readonly onLost: (reason: string) => void;
  /** Called with every event as Discord sends it; nothing depends on the cache of discord.js. */
  readonly onDispatch: (payload: GatewayDispatchPayload) => void;
  /** Describes a failed login of discord.js. */
  readonly word: (error: unknown) => string;
}

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
const longestStopMs = 1_000;

/** Connects, with a growing pause between tries, until it is stopped. Reports to `onLost` why a connection ended. */
export function keepGateway(options: GatewayOptions): Gateway {
  const { settings, onLost } = options;
  const rest = openDiscordRest(settings, { waits: true });
  const stopping = new AbortController();
  let current: DiscordClient | null = null;
  let pauseMs = firstPauseMs;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const client = openClient(options, () => {
        pauseMs = firstPauseMs;
      });
      current = client;
      const given = new Promise<string>((resolve) => {
        client.on(Events.ShardDisconnect, ({ code }) => resolve(closeWord(code)));
        client.on(Events.Invalidated, () => resolve("the session was invalidated"));
        stopping.signal.addEventListener("abort", () => resolve("stopping"), { once: true });
      });
      const login = client.login(settings.token).then(
        () => given,
        (error: unknown) => Promise.race([given, sleep(0, stopping.signal).then(() => options.word(error))]),
      );
      const reason = await Promise.race([login, given]);
      if (stopping.signal.aborted) return;
      onLost(reason);
      await client.destroy().catch(() => undefined);
      do {
        await sleep(pauseMs, stopping.signal);
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      } while (!stopping.signal.aborted && (await isStillOff(rest, reason)));
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      const never = new AbortController().signal;
      await Promise.race([current?.destroy().catch(() => undefined), sleep(longestStopMs, never)]);
      await Promise.race([running, sleep(longestStopMs, never)]);
    },
  };
}

/**
 * True when the connection was given up because Message Content is off, and Discord says that it still is. A try to connect would find
 * out as well, but a bot has only a thousand of those a day.
 */
async function isStillOff(rest: REST, reason: string): Promise<boolean> {
  if (reason !== missingIntent) return false;
  try {
    // This route answers with an application.
    const { flags } = (await rest.get(Routes.currentApplication())) as APIApplication;
    return !hasMessageContent(flags);
  } catch {
    return false;
  }
}

function openClient({ settings, onConnected, onLost, onDispatch }: GatewayOptions, onReady: () => void): DiscordClient {
  const client = new DiscordClient({
    intents: [...intents],
    rest: restOptions(settings, true),
    allowedMentions: { parse: [] },
    // No cache is needed: everything is read from the events.
    makeCache: Options.cacheWithLimits({ MessageManager: 0, ThreadMemberManager: 0, ReactionManager: 0 }),
  });
  client.on(Events.Raw, (payload: GatewayDispatchPayload) => {
    if (payload.t === GatewayDispatchEvents.Ready || payload.t === GatewayDispatchEvents.Resumed) {
      onReady();
      onConnected(payload.t === GatewayDispatchEvents.Resumed);
    }
    onDispatch(payload);
  });
  client.on(Events.ShardReconnecting, () => onLost("reconnecting"));
  // Without a listener an error would end the process; the close event that follows gives the reason.
  client.on(Events.ShardError, () => undefined);
  client.on(Events.Error, () => undefined);
  return client;
}

/** Returns the reason for which Discord closed the connection for good, with what to do if it is known. */
function closeWord(code: number): string {
  return closeWords.get(code) ?? `the gateway closed with ${code}`;
}

const closeWords: ReadonlyMap<number, string> = new Map([
  [GatewayCloseCodes.AuthenticationFailed, invalidToken],
  [GatewayCloseCodes.DisallowedIntents, missingIntent],
]);
