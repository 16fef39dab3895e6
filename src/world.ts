import { mkdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { realTimers } from "./agent/timers.ts";
import type { Channel } from "./chat/platform.ts";
import type { Config } from "./config.ts";
import { isUnavailable, openDatabase } from "./db/client.ts";
import { openEmbedded } from "./db/embedded/client.ts";
import { migrate } from "./db/migrate.ts";
import { noSignals, openSignals } from "./db/signals.ts";
import { type Deps, freshId } from "./deps.ts";
import type { Log } from "./log.ts";
import { openDoorbell } from "./queue.ts";

/** Everything a process works with, opened. */
export interface World {
  readonly deps: Deps;
  readonly databaseUrl: string;
  /** Which database this is, without secrets (D32). */
  readonly databaseDescription: string;
  close(): Promise<void>;
}

/** A start that cannot succeed, with what to do about it. */
export class WorldError extends Error {}

/**
 * Opens the database (embedded where none is configured), brings it up to date and makes the doors. `listens`: whether
 * this process wants to hear what changes; one terminal command does not. Throws WorldError.
 */
export async function openWorld(
  config: Config,
  log: Log,
  options: { listens: boolean; onProgress: (text: string) => void },
): Promise<World> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const source = await openSource(config, log, options.onProgress);
  const onError = (what: string) => (error: Error) => log.warn(`${what}.error`, { error: error.message });
  try {
    await migrateWhenThere(source.url, options.onProgress);
  } catch (error) {
    await source.release();
    throw new WorldError(explain(error, config), { cause: error });
  }

  const database = openDatabase(source.url, onError("database"), config.parallel + 10);
  const signals = options.listens ? openSignals(source.url, onError("signals")) : noSignals;
  const doorbell = openDoorbell({ databaseUrl: source.url, redisUrl: config.redisUrl, onError: onError("queue") });
  const deps: Deps = {
    database,
    config,
    policy: config.policy,
    channels: channelsOf(config),
    log,
    signals,
    now: () => new Date(),
    timers: realTimers,
    newId: freshId,
    ring: (job, afterMs) => doorbell.ring(job, afterMs),
    async examineChat() {
      if (config.slack === null) return [];
      // Loaded when it is asked for: a command of the terminal starts without it.
      const { examineSlack } = await import("./chat/slack/examine.ts");
      return await examineSlack(config.slack, config.approvers);
    },
  };
  return {
    deps,
    databaseUrl: source.url,
    databaseDescription: source.description,
    async close() {
      await doorbell.close();
      await signals.close();
      await database.close();
      await source.release();
    },
  };
}

/** A database that is just starting, or being restarted, is waited for; one that cannot be reached at all soon says so. */
const longestWaitMs = 10_000;

async function migrateWhenThere(url: string, onProgress: (text: string) => void): Promise<void> {
  const since = performance.now();
  let isTold = false;
  while (true) {
    try {
      return await migrate(url);
    } catch (error) {
      if (!isUnavailable(error) || performance.now() - since > longestWaitMs) throw error;
      if (!isTold)
        onProgress(`The database does not answer (${messageOf(error)}); trying for ${longestWaitMs / 1000} s.`);
      isTold = true;
      await sleep(250);
    }
  }
}

/** Where every card goes: the console always, other platforms when they are configured. */
export function channelsOf(config: Pick<Config, "webhookUrl" | "slack">): Channel[] {
  const channels: Channel[] = [{ platform: "console", channel: "main" }];
  if (config.webhookUrl !== null) channels.push({ platform: "webhook", channel: "main" });
  if (config.slack !== null) channels.push({ platform: "slack", channel: config.slack.channel });
  return channels;
}

async function openSource(config: Config, log: Log, onProgress: (text: string) => void) {
  if (config.databaseUrl !== null) {
    const { host, pathname } = new URL(config.databaseUrl);
    return {
      url: config.databaseUrl,
      description: `PostgreSQL at ${host}${pathname} (DATABASE_URL)`,
      release: async () => undefined,
    };
  }
  const embedded = await openEmbedded({ dataDir: config.dataDir, onProgress });
  embedded.onLost((reason) => log.error("database.lost", { reason }));
  return embedded;
}

function explain(error: unknown, config: Config): string {
  const said = messageOf(error);
  if (config.databaseUrl === null)
    return `the embedded database cannot be used: ${said}. Look at its log in the data directory.`;
  const { host } = new URL(config.databaseUrl);
  return `the database of DATABASE_URL (${host}) cannot be used: ${said}. Check that it runs and that DATABASE_URL is right.`;
}

/** Connection errors of several addresses come as one error without a message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}

/** Whether the database answers, for health. */
export async function databaseHealth(deps: Pick<Deps, "database">): Promise<string> {
  try {
    await deps.database.db.execute(sql`select 1`);
    return "ok";
  } catch (error) {
    return error instanceof Error ? error.message : "unreachable";
  }
}
