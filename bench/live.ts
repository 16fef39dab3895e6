import { join } from "node:path";
import { inspect } from "node:util";
import { startGoalWorkers } from "../jobs/worker.ts";
import { consolePlatform } from "../src/chat/console/platform.ts";
import { type Config, parseConfig } from "../src/config.ts";
import { dollars } from "../src/core/money.ts";
import { openPool } from "../src/db/connection/connections.ts";
import { startDelivery } from "../src/delivery/delivery.ts";
import type { Policy } from "../src/core/policy.ts";
import type { Deps } from "../src/deps.ts";
import { type Log, logTo } from "../src/log.ts";
import { openWorld } from "../src/world.ts";
import { call, makeRepository } from "./engine.ts";

/**
 * Bot, worker, delivery and queue in this process, and goals that go through them one cycle after another: added, asked
 * about, answered, picked up, worked, done. Only the tick is left out: what happens by a timer belongs to no cycle.
 */
export interface Live {
  readonly deps: Deps;
  /** A repository whose goals are worked one after the other; its name. */
  lane(name: string): Promise<string>;
  /** One goal of that repository from `goal add` until it is complete. `settled` is waited for after every step. */
  cycle(lane: string, settled?: () => Promise<void>): Promise<Cycle>;
  /** Throws when a goal of this database was not completed: what was measured was something else then. */
  close(): Promise<void>;
}

export interface Cycle {
  readonly goalId: string;
  /** From the call that answers until the turn that completed the goal has ended. */
  readonly decisionToDoneMs: number;
}

export interface LiveSettings {
  /** Where bot, worker, delivery and queue find PostgreSQL. */
  readonly databaseUrl: string;
  /** For what the bench itself asks. */
  readonly ownUrl: string;
  /** Null: the queue is in PostgreSQL. */
  readonly redisUrl: string | null;
  readonly dataDir: string;
  /** Goals that are worked at once. */
  readonly parallel: number;
  /** Goals are worked by an agent, which costs money; else by a command of their own. */
  readonly byAgent: boolean;
  /** Doors that commands and turns find in the place of the real ones. */
  readonly doors: (real: Deps) => Partial<Deps>;
  readonly policy?: (policy: Policy) => Policy;
}

/** Opens the database (and brings it up to date), starts worker and delivery. */
export async function openLive(settings: LiveSettings): Promise<Live> {
  const { databaseUrl, ownUrl, dataDir, byAgent } = settings;
  const turns = openTurns();
  const world = await openWorld(configFor(settings), turns.log, {
    listens: true,
    serves: true,
    mayStart: true,
    onProgress: () => undefined,
  });
  const deps: Deps = { ...world.deps, ...settings.doors(world.deps) };
  const workers = await startGoalWorkers(deps, databaseUrl);
  const delivery = startDelivery(world.deps, [consolePlatform()], databaseUrl);
  const own = openPool({ url: ownUrl, size: 4, onError: () => undefined, longestStatementMs: 60_000 });

  async function questionAbout(goalId: string): Promise<string> {
    const { rows } = await own.query<{ id: string }>(
      "select checkpoint_id as id from cos.checkpoints where goal_id = $1 and status = 'pending' /* bench */",
      [goalId],
    );
    if (rows[0] === undefined) throw new Error(`nothing was asked about ${goalId}: ${turns.troubles().join("; ")}`);
    return rows[0].id;
  }

  return {
    deps,
    async lane(name) {
      const path = join(dataDir, name);
      await makeRepository(path, { "README.md": "A repository.\n" });
      const agent = byAgent ? ["--agent", "command:true"] : [];
      await call(deps, "repo", "add", path, "--name", name, "--setup", "", "--check", "", ...agent);
      return name;
    },
    async cycle(lane, settled = async () => undefined) {
      const work = byAgent ? [] : ["--run", "echo blue > a.txt"];
      const added = await call(deps, "goal", "add", "Make it blue", ...work, "--tag", "ui", "--repo", lane);
      const { goalId } = added as { goalId: string };
      await settled();
      // What is tagged `ui` is asked about when its session opens.
      await call(deps, "autopilot", "start", "--repo", lane);
      await settled();
      const checkpointId = await questionAbout(goalId);
      const decidedMs = performance.now();
      await Promise.all([turns.next(goalId), call(deps, "approve", checkpointId)]);
      const decisionToDoneMs = performance.now() - decidedMs;
      await settled();
      return { goalId, decisionToDoneMs };
    },
    async close() {
      const { rows } = await own.query<{ open: string }>(
        "select count(*) as open from cos.goals where status <> 'complete' /* bench */",
      );
      await own.end();
      await workers.stop();
      await delivery.stop();
      await world.close();
      const open = Number(rows[0]?.open);
      if (open > 0) throw new Error(`${open} goals are not complete: ${turns.troubles().join("; ")}`);
    },
  };
}

function configFor(settings: LiveSettings): Config {
  const { databaseUrl, redisUrl, dataDir, parallel } = settings;
  const parsed = parseConfig({
    COS_DATA_DIR: join(dataDir, "bot"),
    COS_TIMEZONE: "UTC",
    // What they would read is not there.
    COS_CRITICS: "off",
    COS_PARALLEL: String(parallel),
    DATABASE_URL: databaseUrl,
    ...(redisUrl === null ? {} : { REDIS_URL: redisUrl }),
  });
  if (parsed.type === "invalid") throw new Error(parsed.problems.join("; "));
  const { policy } = parsed.config;
  // No number of cycles meets a ceiling.
  const plenty = dollars(1_000_000);
  const ceilings = { ...policy.ceilings, dayMicroUsd: plenty };
  const thresholds = { ...policy.thresholds, dayMicroUsd: plenty };
  const changed = { ...policy, ceilings, thresholds };
  return { ...parsed.config, policy: settings.policy?.(changed) ?? changed };
}

interface Turns {
  readonly log: Log;
  /** Resolves when the next turn of this goal is over; rejects when something fails before that, which may have been its turn. */
  next(goalId: string): Promise<void>;
  troubles(): readonly string[];
}

/** Learns from the log, without asking the database, which goal's turn is over. */
function openTurns(): Turns {
  const waiting = new Map<string, { readonly over: () => void; readonly failed: (why: Error) => void }>();
  const troubles: string[] = [];
  return {
    log: logTo((level, event, fields) => {
      const trouble = `${event} ${inspect(fields)}`;
      if (level === "warn" || level === "error") troubles.push(trouble);
      if (level === "error") for (const { failed } of waiting.values()) failed(new Error(trouble));
      if (event !== "turn.over") return;
      const { goalId } = fields as { goalId: string };
      waiting.get(goalId)?.over();
      waiting.delete(goalId);
    }),
    next: (goalId) =>
      new Promise((over, failed) => {
        waiting.set(goalId, { over, failed });
      }),
    troubles: () => troubles,
  };
}
