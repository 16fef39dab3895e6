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

/** What people do arrives through these; the last one must be switched on where the application is set up. */
export const intents = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.MessageContent,
] as const;

/**
 * Keeps a connection to Discord's gateway. discord.js resumes a session by itself, so that what happened in a short gap
 * is delivered; where it gives up (a wrong token, a missing intent) a new client is tried, because people mend that.
 */
export interface Gateway {
  stop(): Promise<void>;
}

interface GatewayOptions {
  readonly settings: DiscordSettings;
  /** Connected, or connected anew; `isResumed`: nothing was missed. */
  readonly onConnected: (isResumed: boolean) => void;
  /** Why there is no connection. */
  readonly onLost: (reason: string) => void;
  /** Everything that arrives, as Discord sends it: nothing depends on what discord.js has cached. */
  readonly onDispatch: (payload: GatewayDispatchPayload) => void;
  /** discord.js's word for a failed login. */
  readonly word: (error: unknown) => string;
}

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
const longestStopMs = 1_000;

/** Keeps a connection to Discord's gateway, with a growing pause between tries, until it is stopped. Says `onLost` why one ended. */
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
 * Whether it was given up because Message Content is off, and Discord says that it still is. A try to connect would say so as well, and use up one of the thousand that a
 * bot has in a day.
 */
async function isStillOff(rest: REST, reason: string): Promise<boolean> {
  if (reason !== missingIntent) return false;
  try {
    // The answer of this route is an application.
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
    // What is needed is read from what arrives.
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
  // Without a listener an error would end the process; the close that follows it says why.
  client.on(Events.ShardError, () => undefined);
  client.on(Events.Error, () => undefined);
  return client;
}

/** Why Discord closed the connection for good, in words with what to do. */
function closeWord(code: number): string {
  return closeWords.get(code) ?? `the gateway closed with ${code}`;
}

const closeWords: ReadonlyMap<number, string> = new Map([
  [GatewayCloseCodes.AuthenticationFailed, invalidToken],
  [GatewayCloseCodes.DisallowedIntents, missingIntent],
]);
