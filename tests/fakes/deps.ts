import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { runGoals } from "../../jobs/run-goal.ts";
import { realExecutor } from "../../src/agent/acp/executor.ts";
import { realGit } from "../../src/agent/git/door.ts";
import { openPlaces } from "../../src/agent/place/place.ts";
import { type Caller, type CommandResult, UsageError } from "../../src/commands/command.ts";
import { execute } from "../../src/commands/execute.ts";
import { commands } from "../../src/commands/index.ts";
import { findCommand, parseGiven } from "../../src/commands/parse.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import type { Policy } from "../../src/core/policy.ts";
import { spaceWordsOf } from "../../src/core/space/no-space.ts";
import { openDatabase } from "../../src/db/connection/client.ts";
import { isAway } from "../../src/db/connection/failures.ts";
import { openSignals } from "../../src/db/connection/signals.ts";
import { getGoal, payersOf } from "../../src/db/goals.ts";
import type { Lease } from "../../src/db/leases.ts";
import { recordShownHere } from "../../src/db/delivered-messages.ts";
import { findMessage } from "../../src/db/messages.ts";
import { type Deps, freshId } from "../../src/deps.ts";
import { openForges } from "../../src/forge/open.ts";
import { contentsIn } from "../../src/db/kept-outputs.ts";
import { openStore } from "../../src/store/open.ts";
import { type Log, openLog } from "../../src/log.ts";
import { projectMarked } from "../../src/projection/project.ts";
import { openSpace } from "../../src/space.ts";
import { noTracing } from "../../src/tracing/tracing.ts";
import { startTurn } from "../../src/turns/goal/start.ts";
import type { StepResult } from "../../src/turns/shared/in-turn.ts";
import { decideSessions } from "../../src/turns/shared/next.ts";
import { readTimeline, tick } from "../../src/tick.ts";
import { keepLease, type LeaseKeeper } from "../../src/turns/shared/lease-keeper.ts";
import { processIdentity } from "../../src/turns/shared/process-identity.ts";
import { channelsOf } from "../../src/world.ts";
import { placeSettings } from "../../src/config.ts";
import { configFor } from "./config.ts";
import { freshDatabase } from "./database.ts";
import { makeRepository } from "./repository.ts";
import { type HandTimers, handTimers } from "./timers.ts";
import { wrongTotalsLeft } from "./totals.ts";

/**
 * The whole engine in this process, on a real database and real git, with a clock set by hand: nothing happens unless a
 * test calls `work`, `tick` or `deliver`. Only the queue is left out: `rung` counts the doorbells.
 */
export interface TestWorld {
  readonly deps: Deps;
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly rung: string[];
  /** The clock of time limits: none comes due by itself. */
  readonly timers: HandTimers;
  /** Moves the clock, also that of time limits. */
  advance(ms: number): void;
  /** Works every ready goal, as a worker would after a doorbell. */
  work(): Promise<void>;
  tick(): Promise<void>;
  /** Shows on the console what its rows want. */
  deliver(): Promise<void>;
  /** Calls a command as the terminal does: `command("goal", "add", "text", "--tag", "ui")`. Wrong calls throw UsageError. */
  command(...words: string[]): Promise<CommandResult>;
  as(caller: Partial<Caller>, ...words: string[]): Promise<CommandResult>;
  /** A real git repository with one commit, made known; returns its path. */
  repository(files?: Readonly<Record<string, string>>): Promise<string>;
  close(): Promise<void>;
}

interface WorldOptions {
  readonly environment?: Record<string, string>;
  readonly policy?: (policy: Policy) => Policy;
  /** The address at which the engine finds its database, such as that of a proxy in front of it. */
  readonly through?: (databaseUrl: string) => Promise<string>;
  readonly log?: Log;
  /** Where goals and criteria may write beside their own places; the temporary folder, with the data directory in it. */
  readonly writable?: readonly string[];
}

/** What happened has been read, but for what a transaction that the test itself holds open keeps back. */
async function everythingRead(deps: Deps): Promise<void> {
  for (let times = 0; times < 20 && (await readTimeline(deps)); times += 1);
}

export async function testWorld(options: WorldOptions = {}): Promise<TestWorld> {
  const database = await freshDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "cos-test-"));
  const isolation = process.env["COS_ISOLATION"] ?? "auto";
  const checked = configFor({
    COS_DATA_DIR: dataDir,
    COS_TIMEZONE: "UTC",
    COS_ISOLATION: isolation,
    ...options.environment,
  });
  // Commands of goals and criteria leave in the data directory what tests count, unless a test is about what they may.
  const config = { ...checked, writable: options.writable ?? [tmpdir()] };
  const policy = options.policy?.(withPatience(config.policy)) ?? withPatience(config.policy);
  let now = new Date("2026-01-26T09:00:00Z");
  const rung: string[] = [];
  const timers = handTimers();
  const url = (await options.through?.(database.url)) ?? database.url;
  const opened = openDatabase(url, () => undefined);
  const signals = openSignals(url, () => undefined);
  opened.onSignals(signals.tell);
  const deps: Deps = {
    database: opened,
    config,
    policy,
    // What the console shows is a step of its own here: `deliver`.
    channels: channelsOf(config).map(({ platform, channel }) => ({ platform, channel })),
    log: options.log ?? openLog("silent"),
    tracing: noTracing,
    signals,
    now: () => now,
    machineNow: () => now,
    timers,
    git: realGit,
    openForge: openForges(() => now),
    store: openStore(config.store, contentsIn(opened.db)),
    executor: realExecutor,
    places: openPlaces(placeSettings(config)),
    newId: freshId,
    ring: async (job) => {
      rung.push(job);
    },
    hearFirst: () => () => undefined,
    space: openSpace({ config, policy, lookEveryMs: 0 }),
    project: async () => undefined,
    examineChat: async () => [],
    examineQueue: async () => ({ name: "queue", ok: true, says: "none" }),
  };
  decideSessions(opened, deps);
  // Cards follow at once: what a test reads after a change is what that change has made of them.
  opened.onMarks(async () => {
    await projectMarked(deps).catch((error: unknown) => {
      // As in a process: who recorded something is not told that it failed, and what is left is drawn later.
      if (!isAway(error) && spaceWordsOf(error) === null) throw error;
    });
  });
  const worker = { leasedBy: processIdentity(config.machine), shutdown: new AbortController().signal };

  async function as(caller: Partial<Caller>, ...words: string[]): Promise<CommandResult> {
    const found = findCommand(commands, words);
    if (found === null) throw new UsageError(`no command: ${words.join(" ")}`);
    return await execute(
      deps,
      { actor: "ana", via: "terminal", member: null, origin: { type: "person", by: { type: "terminal" } }, ...caller },
      found.command.asked(parseGiven(found.command, found.rest)),
    );
  }

  return {
    deps,
    databaseUrl: database.url,
    dataDir,
    rung,
    timers,
    advance(ms) {
      now = new Date(now.getTime() + ms);
      timers.advance(ms);
    },
    work: () => runGoals(deps, worker),
    tick: async () => {
      await tick(deps);
      await everythingRead(deps);
    },
    deliver: async () => {
      await recordShownHere(opened.db, "console", "main", now);
    },
    command: (...words) => as({}, ...words),
    as,
    async repository(files = { "README.md": "A repository.\n" }) {
      const path = await makeRepository(join(dataDir, freshId("person")), files);
      await as({}, "repo", "add", path, "--setup", "");
      return path;
    },
    async close() {
      await signals.close();
      await opened.close();
      const wrong = await wrongTotalsLeft(database.url);
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
      if (wrong.length > 0) throw new Error(`totals are not what the ledger comes to: ${wrong.join("; ")}`);
    },
  };
}

/** Limits in real time are for what hangs: a test that is about one of them sets it itself. */
function withPatience(policy: Policy): Policy {
  const long = 600_000;
  return {
    ...policy,
    lease: { forMs: long, renewEveryMs: policy.lease.renewEveryMs, giveUpAfterMs: long },
    model: { ...policy.model, timeoutMs: long },
    standup: { ...policy.standup, readWithinMs: long },
    projection: { ...policy.projection, longestWaitMs: long },
    worklog: {
      ...policy.worklog,
      appendTimeoutMs: long,
      flushTimeoutMs: long,
      summaryTimeoutMs: long,
      phaseBudgetMs: 2 * long,
    },
    chat: { ...policy.chat, progressAfterMs: long, notYetAfterMs: long, personWaitMs: long },
    verification: { ...policy.verification, trials: false },
  };
}

/** A turn that a test has claimed by itself, kept as the worker would keep it, until the test ends. */
export function keptLease(deps: Deps, lease: Lease): LeaseKeeper {
  const keeper = keepLease(deps, lease, new AbortController().signal, performance.now());
  onTestFinished(() => keeper.stop());
  return keeper;
}

/** Begins such a turn, on a commit that no test looks at. */
export async function startKept(deps: Deps, keeper: LeaseKeeper): Promise<StepResult> {
  const { db } = deps.database;
  const { goalId } = keeper.lease;
  const [goal, payers] = [await getGoal(db, goalId), await payersOf(db, goalId)];
  if (goal === null) throw new Error(`no goal ${goalId}`);
  return await startTurn(deps, keeper, goal, { start: { baseCommit: "0".repeat(40) }, payers });
}

/** A ladder of a single attempt: for tests of what one attempt does. Its end reaches a person all the same. */
export function oneAttempt(policy: Policy): Policy {
  return { ...policy, recovery: { ...policy.recovery, rungs: [{ attempts: 1, backoffMs: 0 }] } };
}

/** The card about a subject as the console's row wants it, in words. */
export async function cardWords({ deps }: Pick<TestWorld, "deps">, subject: string): Promise<string> {
  const message = await findMessage(deps.database.db, "console", "main", subject);
  if (message === null) throw new Error(`no card about ${subject}`);
  return terminalLines(message.card, "UTC").join("\n");
}

/** The value of a command that was done; throws with the reason of a refusal. */
export function valueOf<Value>(result: CommandResult): Value {
  if (result.type === "refused") throw new Error(`refused: ${result.reason}`);
  return result.value as Value;
}
