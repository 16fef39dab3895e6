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

/** The one list of doors to the world. Functions name the doors they use: `Pick<Deps, "now" | "channels">`. */
export interface Deps {
  readonly database: Database;
  readonly config: Config;
  readonly policy: Policy;
  /** Where every card goes. */
  readonly channels: readonly Channel[];
  readonly log: Log;
  /** What operators see of how long work took, where they have said where to. */
  readonly tracing: Tracing;
  /** What the database tells this process: changed messages, stop requests, answers. */
  readonly signals: Signals;
  /** What turns do with git. */
  readonly git: Git;
  /** The forges on which pull requests are opened. */
  readonly openForge: OpenForge;
  /** Where every machine finds kept output; null: none is set. */
  readonly store: Store | null;
  /** What works a goal: agents, and goals' own commands. */
  readonly executor: RealExecutor;
  /** Where the system itself runs what proves the work. */
  readonly places: Places;
  /** One time for all machines: the database's. */
  now(): Date;
  /** This machine's own clock, which may be off. */
  machineNow(): Date;
  /** The clock of everything that has a time limit: executors, criteria, quick answers. */
  readonly timers: Timers;
  /** A fresh id such as `goal-1a2b3c4d`. */
  newId(prefix: string): string;
  /** Asks that somebody looks, now or after a while; never throws. */
  ring(job: JobName, afterMs?: number): Promise<void>;
  /** Whoever works in this process hears of ready goals before the queue does, as long as he is free: he says so, and looks then. Returns what ends that. */
  hearFirst(isFree: () => boolean): () => void;
  /** Draws the cards of what this process has changed, before somebody is told that it was done; never throws. */
  project(): Promise<void>;
  /** How much may still be written where this process writes; measured every few seconds at most. */
  space(): Promise<Space>;
  /** What the configured chat platforms say of their tokens, channels and approvers. */
  examineChat(): Promise<readonly Finding[]>;
  /** What `cos doctor` says of the queue. */
  examineQueue(): Promise<Finding>;
}

/** What most changes of rows ask of the world. */
export type Doors = Pick<Deps, "now" | "policy" | "config">;

/** `prefix-` and 8 hex digits (C-102). */
export function freshId(prefix: string): string {
  return `${prefix}-${randomBytes(4).toString("hex")}`;
}

/** sha256 of a text, hex. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
