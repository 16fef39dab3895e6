import { type GoalWorkers, startGoalWorkers } from "../jobs/worker.ts";
import { isolationOfAgents, secretsSeenByAgents, whatIsolates } from "./agent/place/isolation.ts";
import { isFollowedHere } from "./agent/process/followed-child.ts";
import { canSeeProcesses } from "./agent/process/processes.ts";
import { type ChatConnection, connectionsOf } from "./chat/connections.ts";
import { type Losses, openLosses } from "./chat/losses.ts";
import { consolePlatform } from "./chat/console/platform.ts";
import type { Platform } from "./chat/platform.ts";
import { webhookPlatform } from "./chat/webhook/platform.ts";
import { findSlips } from "./commands/find-settings.ts";
import { unknownUsual } from "./commands/find-repositories.ts";
import { type Config, readConfig } from "./config.ts";
import { typed } from "./installed.ts";
import { exposureWords } from "./core/cards/caller-words.ts";
import { chatPlatforms, ofPlatforms } from "./core/chat-platforms.ts";
import { groupsNamed } from "./core/checkpoints/quorum.ts";
import { startHealth } from "./console/health.ts";
import { ownToken } from "./console/own-token.ts";
import { ConsoleError, startConsole } from "./console/server.ts";
import { notIsolatedSentence } from "./core/isolation/isolation.ts";
import { errorWords } from "./core/errors.ts";
import { spaceHealth } from "./core/space/free.ts";
import { helpForLack, spaceWordsOf } from "./core/space/no-space.ts";
import { capitalised } from "./core/text.ts";
import { EmbeddedDatabaseError } from "./db/embedded/errors.ts";
import { listRepositories } from "./db/repositories.ts";
import { isAway } from "./db/connection/failures.ts";
import { openDelivery } from "./delivery/delivery.ts";
import type { Deps } from "./deps.ts";
import { chatCommands } from "./inbox/chat-commands.ts";
import { openInbox } from "./inbox/inbox.ts";
import { type Log, openLog } from "./log.ts";
import { isQueueAway, QueueError } from "./queue-failures.ts";
import { openWorld, type World, WorldError } from "./world.ts";
import { startTicking } from "./ticking.ts";
import { localOrigin } from "./core/local-address.ts";

/**
 * The bot and its workers: opens everything, prints the console's address, and stops cleanly on SIGINT, SIGTERM and SIGHUP (its
 * terminal is closed).
 */

const longestStopMs = 9_000;

/** Both npm and the terminal send Ctrl-C: two signals within this time count as one. */
const sameSignalMs = 1_000;

async function start(): Promise<void> {
  if (process.argv[2] === "start" && process.argv.length > 3) {
    const [word = ""] = process.argv.slice(3);
    if (!["--help", "-h"].includes(word)) {
      const problem = word.startsWith("-") ? `unknown option ${word}` : `unexpected ${JSON.stringify(word)}`;
      process.stderr.write(`${problem}\nusage: cos start\n`);
      process.exit(2);
    }
    process.stdout.write(
      "cos start\n  Start the bot and its workers, until Ctrl-C. What it does is set in .env (cos init).\n",
    );
    process.exit(0);
  }
  const read = readConfig();
  for (const { name, says } of findSlips()) say([`Warning: ${name}: ${says}`]);
  if (read.type === "invalid") {
    say(["The configuration has problems (environment or .env):", ...read.problems.map((problem) => `  ${problem}`)]);
    process.exit(1);
  }
  const { config } = read;
  const log = openLog(config.logLevel);
  const releases: (() => Promise<void>)[] = [];
  stopOnSignals(log, releases);

  const world = await openWorld(config, log, {
    listens: true,
    serves: true,
    mayStart: true,
    onProgress: (text) => say([text]),
  });
  releases.push(world.close);
  say([`Database: ${world.databaseDescription}`]);
  if (config.databaseUrl === null && !config.roles.includes("bot"))
    say([
      "Only processes with this data directory share it: set the bot's DATABASE_URL where the bot has another one.",
    ]);

  const { deps } = world;
  const unknown = unknownUsual(config.repository, await world.whenBack(() => listRepositories(deps.database.db)));
  if (unknown !== null) say([`${unknown}.`]);
  let workers: GoalWorkers | null = null;
  // Parts that begin work end first, in parallel, so that no goal waits for a push or a model before it is given back.
  const atWork: (() => Promise<void>)[] = [];
  if (config.roles.includes("bot")) releases.push(await startBot(world, config));
  releases.push(async () => {
    const ended = await Promise.allSettled(atWork.map((stop) => stop()));
    for (const each of ended) if (each.status === "rejected") throw each.reason;
  });
  if (config.roles.includes("worker")) {
    await sayIsolation(config);
    workers = await world.whenBack(() => startGoalWorkers(deps, world.databaseUrl));
    atWork.push(workers.stop);
    if (!config.roles.includes("bot")) await serveHealth(world, config, releases);
    say([`Working ${config.parallel} goal${config.parallel === 1 ? "" : "s"} at a time.`]);
    if (!canSeeProcesses() || !(await isFollowedHere()))
      say(["Not isolated: processes of goals cannot be distinguished from yours on this machine (cos doctor)."]);
  }
  const [exposed, ...more] = await secretsSeenByAgents(config.isolation, config.secrets);
  if (exposed !== undefined) say([`Warning: ${exposureWords(exposed, more.length)}.`]);
  atWork.push(startTicking(world, () => workers?.look()));
  log.info("started", { roles: config.roles });
}

/** Serves the health of a process without a console, if a port was set for it. */
async function serveHealth({ deps, health }: World, config: Config, releases: (() => Promise<void>)[]): Promise<void> {
  if (config.healthPort === null) return;
  const served = await startHealth(deps, config.healthPort, async () => ({
    ...(await health()),
    space: spaceHealth(await deps.space()),
    platforms: {},
  }));
  if (served.type === "not-served") return say([`Health is not served: ${served.reason} (PORT).`]);
  releases.push(served.stop);
  say([`Health: ${localOrigin({ host: config.host, port: served.port })}/healthz`]);
}

/** Prints what is not isolated here. Throws WorldError when isolation is required. */
async function sayIsolation(config: Config): Promise<void> {
  const isolating = await whatIsolates(config.isolation);
  const { isolation } = isolating;
  const ofAgents = isolationOfAgents(isolating, { hosts: config.agentHosts });
  for (const [who, each] of [["Verification", isolation] as const, ["Agents", ofAgents] as const]) {
    const words = notIsolatedSentence(each);
    if (words === null) continue;
    if (config.isolation === "required") throw new WorldError(`COS_ISOLATION=required, but: ${who}: ${words}`);
    say([`${who}: ${words} (docs/isolation.md).`]);
  }
}

async function startBot(world: World, config: Config): Promise<() => Promise<void>> {
  const { deps, databaseUrl } = world;
  const platforms: Platform[] = [consolePlatform()];
  if (config.webhookUrl !== null) platforms.push(webhookPlatform(config.webhookUrl));
  const losses = openLosses(deps.machineNow);
  for (const connection of connectionsOf(config)) platforms.push(await openChat(deps, connection, losses));
  const token = config.consoleToken ?? ownToken(config.dataDir);
  const console = await startConsole(deps, {
    token,
    health: async () => ({
      ...(await world.health()),
      space: spaceHealth(await deps.space()),
      platforms: Object.fromEntries(platforms.map((platform) => [platform.name, platform.status()])),
      lostInLastHour: losses.inLastHour(),
    }),
  });
  const delivery = await world.whenBack(() => openDelivery(deps, platforms, databaseUrl));
  void delivery.deliver();
  say([`Console: ${console.url}/?token=${token}`]);
  return async () => {
    await console.stop();
    await delivery.stop();
    await Promise.allSettled(platforms.map((platform) => platform.stop()));
  };
}

async function openChat(deps: Deps, connection: ChatConnection, losses: Losses): Promise<Platform> {
  const { name } = connection;
  const { title, expects } = chatPlatforms[name];
  const { approvers, timezone: zone } = deps.config;
  if (ofPlatforms(approvers, [name]).length === 0)
    say([`${title}: nobody may decide there yet. Set COS_APPROVERS=${expects.person} in .env (README, ${title}).`]);
  return await connection.open({
    zone,
    inbox: openInbox(deps, name),
    groups: groupsNamed(deps.config, name),
    approvers,
    commands: chatCommands(),
    everyMs: deps.policy.delivery.chatEveryMs,
    ...deps.policy.chat,
    log: (level, event, fields) => deps.log[level](event, fields),
    onStatus(status) {
      losses.heard(name, status);
      say([`${title}: ${status}`]);
    },
  });
}

function stopOnSignals(log: Log, releases: (() => Promise<void>)[]): void {
  let firstAt: number | null = null;

  async function stop(signal: string): Promise<void> {
    log.info("stopping", { signal });
    say(["Stopping …"]);
    setTimeout(() => {
      log.error("stop.too-slow");
      process.exit(1);
    }, longestStopMs).unref();
    for (const release of releases.reverse()) {
      await release().catch((error: unknown) => log.error("stop.failed", { error: String(error) }));
    }
    process.exit(0);
  }

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (firstAt === null) {
        firstAt = performance.now();
        void stop(signal);
      } else if (performance.now() - firstAt > sameSignalMs) {
        process.exit(1);
      }
    });
  }
}

/** Prints to the terminal, for a person; events go to the log. */
function say(lines: readonly string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}

start().catch((error: unknown) => {
  const noSpace = spaceWordsOf(error);
  if (noSpace !== null) {
    const { lack, next } = helpForLack(noSpace);
    say([
      `${capitalised(lack)}.`,
      `next: ${next} on the disk of the data directory (COS_DATA_DIR), then ${typed.start}`,
    ]);
    process.exit(1);
  }
  const isForPeople =
    isAway(error) ||
    isQueueAway(error) ||
    [WorldError, ConsoleError, EmbeddedDatabaseError, QueueError].some((kind) => error instanceof kind);
  if (error instanceof Error) say([isForPeople ? errorWords(error) : (error.stack ?? error.message)]);
  process.exit(1);
});
