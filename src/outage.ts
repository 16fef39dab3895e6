import { outageWords, troubleAdvice, troubleWords } from "./core/cards/outage-words.ts";
import { errorWords } from "./core/errors.ts";
import { decideOutage, maySayLosses, type OutageState } from "./core/outages/outage.ts";
import type { ServerAddress, Trouble } from "./core/outages/trouble.ts";
import { type About, aboutOf, type Log } from "./log.ts";

/**
 * The only place that reports a server that is away (F-113). Every part of the process writes failures to a log that asks here first
 * (`quietLog`). A failure that an outage explains is not logged again, but causes a probe. While the server is away, it is probed every
 * second.
 */
export interface Outage {
  /** True when an outage or a lost connection explains the error. Then the server is probed, and nobody else need report the error. */
  explains(error: unknown): boolean;
  /** The known trouble, in words for a person; null when there is none. At most some seconds old. */
  words(): string | null;
  /** Like `words`, after a new probe. */
  look(): Promise<string | null>;
  close(): void;
}

export interface OutageSettings {
  /** Prefix of the log's events. */
  readonly name: "database" | "queue";
  readonly place: ServerAddress;
  /** True when an error means that this server is away. */
  readonly isItsError: (error: unknown) => boolean;
  /** Probes the server. Must end within seconds and not throw. */
  readonly probe: () => Promise<Trouble | null>;
  readonly log: Log;
  readonly now: () => Date;
  readonly zone: string;
}

const lookEveryMs = 1_000;

/** Watches one server. It is not probed before an error suggests that it is away. */
export function openOutage(settings: OutageSettings): Outage {
  const { name, place, log, now, zone } = settings;
  let state: OutageState = { type: "answers" };
  let looking: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  const losses = openLosses(settings);
  let isStale = false;
  let isClosed = false;

  async function lookOnce(): Promise<void> {
    const trouble = await settings.probe();
    if (isClosed) return;
    const before = state;
    const step = decideOutage(before, trouble, now());
    state = step.state;
    if (step.says !== null) say(step.says, before);
    if (state.type === "answers" && step.says === null) losses.say();
    if (state.type === "away") lookAgain();
  }

  function lookAgain(): void {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => void look(), lookEveryMs).unref();
  }

  async function look(): Promise<void> {
    looking ??= lookOnce().finally(() => {
      looking = null;
      if (isStale) lookAfresh();
    });
    await looking;
  }

  /** An earlier probe may be outdated by an error. */
  function lookAfresh(): void {
    isStale = looking !== null;
    if (!isStale && !isClosed) void look();
  }

  function say(what: "begins" | "lasts" | "ends", before: OutageState): void {
    const away = state.type === "away" ? state : before;
    if (away.type !== "away") return;
    const since = away.since.toISOString();
    const forSeconds = Math.round((now().getTime() - away.since.getTime()) / 1000);
    losses.forget();
    if (what === "ends") {
      // Failures of the last moments may still arrive here.
      losses.rest();
      log.warn(`${name}.back`, { since, forSeconds });
      return;
    }
    const reason = troubleWords(away.trouble, place);
    const advice = troubleAdvice(away.trouble, place);
    log.error(what === "begins" ? `${name}.away` : `${name}.still-away`, { reason, advice, since, forSeconds });
  }

  function words(): string | null {
    return state.type === "away" ? outageWords(state, place, { now: now(), zone }) : null;
  }

  return {
    explains(error) {
      if (!settings.isItsError(error)) return false;
      losses.note(error);
      lookAfresh();
      return true;
    },
    words,
    async look() {
      // A probe that is running began before this call.
      if (looking !== null) await looking;
      await look();
      return words();
    },
    close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** Connections lost while the server answers: reported together, and not too often. */
function openLosses({ name, log, now }: Pick<OutageSettings, "name" | "log" | "now">) {
  let losses: { times: number; reason: string } = { times: 0, reason: "" };
  let saidAt: Date | null = null;

  function forget(): void {
    losses = { times: 0, reason: "" };
  }

  return {
    note(error: unknown): void {
      losses = { times: losses.times + 1, reason: reasonOf(error) };
    },
    say(): void {
      if (losses.times === 0 || !maySayLosses(saidAt, now())) return;
      log.warn(`${name}.connections-lost`, losses);
      saidAt = now();
      forget();
    },
    forget,
    /** Suppresses reports for a while, as if one had just been written. */
    rest(): void {
      saidAt = now();
    },
  };
}

/** The words of the server or the network, below our own wrapping. */
function reasonOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? reasonOf(error.cause) : errorWords(error);
}

/** Time after the last occurrence when a failure is over; its causes retry sooner than this. */
const overAfterMs = 30_000;

/**
 * A log in which a repeated error is one warning, and one more when it is over: connections, workers and ticks meet the same error as
 * long as it lasts. Errors with other fields or another subject are separate.
 */
export function onceLog(log: Log): Log {
  return onceLogOf(log, {}, new Map());
}

type LastingErrors = Map<string, { readonly since: Date; readonly times: number; readonly timer: NodeJS.Timeout }>;

/** `about` is what `log` adds to each line. All logs of one `onceLog` share `lasting`. */
function onceLogOf(log: Log, about: About, lasting: LastingErrors): Log {
  return {
    debug: (event, fields) => log.debug(event, fields),
    info: (event, fields) => log.info(event, fields),
    error: (event, fields) => log.error(event, fields),
    about: (more) => onceLogOf(log.about(more), { ...about, ...more }, lasting),
    warn(event, fields) {
      const error = errorIn(fields);
      if (error === undefined) {
        log.warn(event, fields);
        return;
      }
      const reason = errorWords(error);
      const key = JSON.stringify([event, reason, { ...about, ...fields, error: aboutOf(error) }]);
      const known = lasting.get(key);
      if (known === undefined) log.warn(event, fields);
      clearTimeout(known?.timer);
      const lastAt = new Date();
      const { since, times } = { since: known?.since ?? lastAt, times: (known?.times ?? 0) + 1 };
      const forSeconds = Math.round((lastAt.getTime() - since.getTime()) / 1000);
      const timer = setTimeout(() => {
        lasting.delete(key);
        if (times > 1) log.warn(`${event}-over`, { reason, times, since: since.toISOString(), forSeconds });
      }, overAfterMs).unref();
      lasting.set(key, { since, times, timer });
    },
  };
}

/** A log without errors that an outage explains. Errors must be passed unchanged in the field `error`. */
export function quietLog(log: Log, outages: readonly Outage[]): Log {
  function isExplained(fields: object | undefined): boolean {
    const error = errorIn(fields);
    return error !== undefined && outages.some((outage) => outage.explains(error));
  }
  return {
    debug: (event, fields) => log.debug(event, fields),
    info: (event, fields) => log.info(event, fields),
    warn(event, fields) {
      if (!isExplained(fields)) log.warn(event, fields);
    },
    error(event, fields) {
      if (!isExplained(fields)) log.error(event, fields);
    },
    about: (about) => quietLog(log.about(about), outages),
  };
}

function errorIn(fields: object | undefined): unknown {
  return fields !== undefined && "error" in fields ? fields.error : undefined;
}
