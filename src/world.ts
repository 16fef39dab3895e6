import { decideSessions } from "./turns/shared/next.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { realExecutor } from "./agent/acp/executor.ts";
import { realGit } from "./agent/git/door.ts";
import { ownNamespace } from "./agent/process/processes.ts";
import { openPlaces } from "./agent/place/place.ts";
import { dataDirTrouble, temporaryTrouble } from "./agent/place/writable.ts";
import { realTimers } from "./agent/process/timers.ts";
import { type ChatSettings, connectionsOf } from "./chat/connections.ts";
import type { Channel } from "./chat/platform.ts";
import { type Config, placeSettings } from "./config.ts";
import { openDatabase } from "./db/connection/client.ts";
import { knownId } from "./db/channels.ts";
import { isAway } from "./db/connection/failures.ts";
import { isMigrated, migrate } from "./db/connection/migrate.ts";
import { probeDatabase } from "./db/connection/probe.ts";
import { makeFolder } from "./db/embedded/make-folder.ts";
import { servingUrl } from "./db/serving.ts";
import { openSignals, openTeller } from "./db/connection/signals.ts";
import { type Deps, freshId } from "./deps.ts";
import { errorWords } from "./core/errors.ts";
import { openForges } from "./forge/open.ts";
import { contentsIn } from "./db/kept-outputs.ts";
import type { Trouble } from "./core/outages/trouble.ts";
import { restoreUnfinished } from "./core/backups/restore.ts";
import { restoreBegun } from "./db/backup/fill.ts";
import { openClock } from "./db/clock.ts";
import { whenBack, whenThere } from "./database-waits.ts";
import { type DatabaseHealth, databaseHealth, tellingWhoHolds } from "./database-health.ts";
import { openStore } from "./store/open.ts";
import type { Log } from "./log.ts";
import { onceLog, openOutage, type Outage, quietLog } from "./outage.ts";
import { openOwnBell } from "./own-bell.ts";
import { openDoorbell, probeRedis } from "./queue.ts";
import { isQueueAway } from "./queue-failures.ts";
import { openProjector } from "./projection/projector.ts";
import { openSpace } from "./space.ts";
import { openTracing } from "./tracing/open.ts";
import { whereOf } from "./core/outages/where.ts";
import { examineChat, examineQueue } from "./examine.ts";
import { type DatabaseSource, openSource, unusableWords } from "./configured-database.ts";

/** Everything that a process works with. */
export interface World {
  readonly deps: Deps;
  readonly databaseUrl: string;
  /** Identifies the database, without secrets (D32). */
  readonly databaseDescription: string;
  /** Runs a step of a start, and repeats it if the database went away meanwhile (`database-waits.ts`). */
  whenBack<Result>(step: () => Promise<Result>): Promise<Result>;
  /** Measures the difference between this machine's clock and the database's, by which everything is timed. */
  setClock(): Promise<void>;
  /** The state of database and queue, or their trouble in words, for health (F-113). */
  health(): Promise<DatabaseHealth & { readonly queue: string }>;
  close(): Promise<void>;
}

/** A start that cannot succeed; the message says what to do. */
export class WorldError extends Error {}

export interface OpenWorldOptions {
  /** True when this process wants to hear of changes; a single terminal command does not. */
  readonly listens: boolean;
  /** True when it works goals or serves the console, and tells other processes of this machine so (D45). */
  readonly serves: boolean;
  /** False: an embedded database that is not running is not started. */
  readonly mayStart: boolean;
  /** True: an up-to-date database is not written to, so that a read-only one can be used. */
  readonly onlyReads?: boolean;
  readonly onProgress: (text: string) => void;
}

/** Opens the database (embedded if none is configured), migrates it, and creates all doors. Throws WorldError. */
export async function openWorld(config: Config, log: Log, options: OpenWorldOptions): Promise<World> {
  if (options.mayStart) makeDataDir(config.dataDir);
  const trouble = options.serves ? (dataDirTrouble(config.dataDir) ?? temporaryTrouble()) : null;
  if (trouble !== null) throw new WorldError(trouble);
  const source = await openSource(config, options).catch(throwTemporary);
  await bringUpToDate(source, options);

  const outages = openOutages(config, source, log);
  const explaining = [outages.database, outages.queue];
  const quiet = quietLog(onceLog(log), explaining);
  const onError = (what: string) => (error: Error) => quiet.warn(`${what}.error`, { error });
  const serving = { pid: process.pid, namespace: ownNamespace(), allowsUnknown: config.allowsUnknown };
  const url = options.serves ? servingUrl(source.url, config.machine, serving) : source.url;
  const database = openDatabase(url, onError("database"), config.parallel + 10);
  const clock = openClock(database.pool);
  const origin = { machine: config.machine, roles: config.roles, pid: process.pid };
  const tracing = await openTracing(options.serves ? config.tracing : null, origin, log);
  await clock.look();
  const signals = options.listens
    ? openSignals(url, onError("signals"))
    : openTeller(database.pool, onError("signals"));
  database.onSignals(signals.tell);
  const doorbell = openDoorbell({ databaseUrl: source.url, redisUrl: config.redisUrl, onError: onError("queue") });
  const ownBell = openOwnBell();
  const drawing = {
    database,
    config,
    policy: config.policy,
    channels: channelsOf(config),
    log: quiet,
    now: clock.now,
  };
  const projector = openProjector(drawing);
  database.onMarks(projector.hear);
  const deps: Deps = {
    ...drawing,
    tracing,
    signals,
    git: realGit,
    openForge: openForges(drawing.now),
    store: openStore(config.store, contentsIn(database.db)),
    executor: realExecutor,
    places: openPlaces(placeSettings(config)),
    machineNow: () => new Date(),
    timers: realTimers,
    newId: freshId,
    async ring(job, afterMs = 0) {
      if (!ownBell.ring(job, afterMs)) await doorbell.ring(job, afterMs);
    },
    hearFirst: ownBell.hear,
    project: projector.project,
    space: openSpace({ config, policy: config.policy }),
    examineQueue: () => examineQueue(config),
    examineChat: () => examineChat(config, (channel) => knownId(database.db, channel).catch(() => null)),
  };
  decideSessions(database, deps);
  return {
    deps,
    databaseUrl: source.url,
    databaseDescription: source.description,
    whenBack: (step) => whenBack(step, { probe: () => probeOf(source), onProgress: options.onProgress }),
    setClock: clock.look,
    health: async () => ({
      ...(await databaseHealth(database.pool, source.url, outages.database)),
      queue: config.redisUrl === null ? "postgres" : (outages.queue.words() ?? (await outages.queue.look()) ?? "redis"),
    }),
    async close() {
      await projector.stop();
      await tracing.close();
      outages.database.close();
      outages.queue.close();
      await doorbell.close();
      await signals.close();
      await soon(database.close());
      await source.release();
    },
  };
}

/** An embedded server needs the folder for temporary files. Without it, its own error is about something else. */
function throwTemporary(error: unknown): never {
  const why = temporaryTrouble();
  throw why === null ? error : new WorldError(why, { cause: error });
}

/** Migrates the opened database, unless that is not needed; on failure, the database is released. Throws WorldError. */
async function bringUpToDate(source: DatabaseSource, options: OpenWorldOptions): Promise<void> {
  try {
    const { url } = source;
    const isReady = options.onlyReads === true && (await whenThere(() => isMigrated(url), options.onProgress));
    if (!isReady)
      await whenThere(
        () => tellingWhoHolds(url, migrate(url, { yields: !options.serves }), options.onProgress),
        options.onProgress,
      );
    const begun = options.serves ? await whenThere(() => restoreBegun(url), options.onProgress) : null;
    if (begun !== null) throw new WorldError(restoreUnfinished);
  } catch (error) {
    await source.release();
    if (error instanceof WorldError) throw error;
    throw new WorldError(unusableWords(error, source.place), { cause: error });
  }
}

function makeDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir, 0o700);
  } catch (error) {
    const advice = "Choose another folder with COS_DATA_DIR, or let this user write there.";
    throw new WorldError(`the data directory ${dataDir} cannot be made: ${errorWords(error)}. ${advice}`, {
      cause: error,
    });
  }
}

/** Time limit for connections in use to be given back. */
const longestCloseMs = 1_500;

/** A tick that waits for somebody outside still holds a connection, which ends with the process. */
async function soon(closed: Promise<void>): Promise<void> {
  await Promise.race([closed, sleep(longestCloseMs, null, { ref: false })]);
}

/** The channels that get every card: always the console, other platforms when configured. */
export function channelsOf(config: ChatSettings & Pick<Config, "webhookUrl">): Channel[] {
  return [
    { platform: "console", channel: "main", showsRows: true },
    ...(config.webhookUrl === null ? [] : [{ platform: "webhook", channel: "main" }]),
    ...connectionsOf(config).map(({ name, channel }) => ({ platform: name, channel })),
  ];
}

/** The current trouble of the database; null when it answers. */
async function probeOf(source: DatabaseSource): Promise<Trouble | null> {
  return source.trouble() ?? (await probeDatabase(source.url));
}

function openOutages(config: Config, source: DatabaseSource, log: Log): { database: Outage; queue: Outage } {
  const shared = { log, now: () => new Date(), zone: config.timezone };
  const { redisUrl } = config;
  return {
    database: openOutage({
      ...shared,
      name: "database",
      place: source.place,
      isItsError: isAway,
      probe: () => probeOf(source),
    }),
    queue: openOutage({
      ...shared,
      name: "queue",
      place: { name: "Redis", setting: "REDIS_URL", where: redisUrl === null ? "" : whereOf(redisUrl, 6379) },
      isItsError: isQueueAway,
      probe: async () => (redisUrl === null ? null : await probeRedis(redisUrl)),
    }),
  };
}
