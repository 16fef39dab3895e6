import { createHash, randomBytes } from "node:crypto";
import type { RealExecutor } from "./agent/acp/executor.ts";
import type { Git } from "./agent/git/door.ts";
import type { Places } from "./agent/place/place.ts";
import type { Timers } from "./agent/process/timers.ts";
import type { Channel } from "./chat/platform.ts";
import type { Config } from "./config.ts";
import type { JobName } from "./core/jobs.ts";
import type { Finding } from "./core/reports/finding.ts";
import type { Policy } from "./core/policy.ts";
import type { Space } from "./core/space/free.ts";
import type { Database } from "./db/connection/client.ts";
import type { Signals } from "./db/connection/signals.ts";
import type { OpenForge } from "./forge/open.ts";
import type { Log } from "./log.ts";
import type { Store } from "./store/store.ts";
import type { Tracing } from "./tracing/tracing.ts";

/** The only list of connections to the outside world. Functions name those that they use: `Pick<Deps, "now" | "channels">`. */
export interface Deps {
  readonly database: Database;
  readonly config: Config;
  readonly policy: Policy;
  /** The channels that get every card. */
  readonly channels: readonly Channel[];
  readonly log: Log;
  /** Spans that show operators how long work took, if they set an endpoint. */
  readonly tracing: Tracing;
  /** Messages from the database to this process: changed messages, stop requests, answers. */
  readonly signals: Signals;
  /** Git operations of turns. */
  readonly git: Git;
  /** Opens the forges on which pull requests are made. */
  readonly openForge: OpenForge;
  /** Store where every machine finds kept output; null when none is set. */
  readonly store: Store | null;
  /** Executors of goals: agents, and goals' own commands. */
  readonly executor: RealExecutor;
  /** Places in which the system itself runs criteria and checks. */
  readonly places: Places;
  /** The same time for all machines: the database's. */
  now(): Date;
  /** This machine's own clock, which may be wrong. */
  machineNow(): Date;
  /** The clock of everything with a time limit: executors, criteria, quick answers. */
  readonly timers: Timers;
  /** A new id such as `goal-1a2b3c4d`. */
  newId(prefix: string): string;
  /** Requests a look, now or after a delay; never throws. */
  ring(job: JobName, afterMs?: number): Promise<void>;
  /**
   * Registers a worker of this process that hears of ready goals before the queue does. `isFree` returns true when the worker is free
   * and looks at once. Returns a function that ends this.
   */
  hearFirst(isFree: () => boolean): () => void;
  /** Draws the cards of rows that this process has changed, before the change is acknowledged; never throws. */
  project(): Promise<void>;
  /** The free space where this process writes; measured every few seconds at most. */
  space(): Promise<Space>;
  /** Checks tokens, channels and approvers with the configured chat platforms. */
  examineChat(): Promise<readonly Finding[]>;
  /** The finding of `cos doctor` about the queue. */
  examineQueue(): Promise<Finding>;
}

/** The doors that most changes of rows need. */
export type Doors = Pick<Deps, "now" | "policy" | "config">;

/** Returns `prefix-` and 8 hex digits (C-102). */
export function freshId(prefix: string): string {
  return `${prefix}-${randomBytes(4).toString("hex")}`;
}

/** Returns the sha256 of a text, in hex. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
