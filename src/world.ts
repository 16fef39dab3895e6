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

/** Everything a process works with, opened. */
export interface World {
  readonly deps: Deps;
  readonly databaseUrl: string;
  /** Which database this is, without secrets (D32). */
  readonly databaseDescription: string;
  /** Does a step of a start, again where the database went away meanwhile (`database-waits.ts`). */
  whenBack<Result>(step: () => Promise<Result>): Promise<Result>;
  /** Looks how far this machine's clock is from the database's, by which everything is timed. */
  setClock(): Promise<void>;
  /** What database and queue are, or what is wrong with them in words, for health (F-113). */
  health(): Promise<DatabaseHealth & { readonly queue: string }>;
  close(): Promise<void>;
}

/** A start that cannot succeed, with what to do about it. */
export class WorldError extends Error {}

export interface OpenWorldOptions {
  /** Whether this process wants to hear what changes; one terminal command does not. */
  readonly listens: boolean;
  /** Whether it works goals or serves the console, and says so to others of this machine (D45). */
  readonly serves: boolean;
  /** False: an embedded database that does not run is not started. */
  readonly mayStart: boolean;
  /** True: a database that is up to date is not written to, so that one may be asked that takes no changes. */
  readonly onlyReads?: boolean;
  readonly onProgress: (text: string) => void;
}

/** Opens the database (embedded where none is configured), brings it up to date and makes the doors. Throws WorldError. */
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

/** An embedded server begins in the folder for temporary files, and ends with words about something else where it cannot. */
function throwTemporary(error: unknown): never {
  const why = temporaryTrouble();
  throw why === null ? error : new WorldError(why, { cause: error });
}

/** Migrates the database that was opened, unless it need not be; where that cannot be, it is let go of. Throws WorldError. */
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

/** How long connections that are in use may take to be given back. */
const longestCloseMs = 1_500;

/** A tick that waits for somebody outside still holds a connection: it ends with the process. */
async function soon(closed: Promise<void>): Promise<void> {
  await Promise.race([closed, sleep(longestCloseMs, null, { ref: false })]);
}

/** Where every card goes: the console always, other platforms when they are configured. */
export function channelsOf(config: ChatSettings & Pick<Config, "webhookUrl">): Channel[] {
  return [
    { platform: "console", channel: "main", showsRows: true },
    ...(config.webhookUrl === null ? [] : [{ platform: "webhook", channel: "main" }]),
    ...connectionsOf(config).map(({ name, channel }) => ({ platform: name, channel })),
  ];
}

/** What keeps the database away now; null when it answers. */
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
