import { AsyncLocalStorage } from "node:async_hooks";
import { pino } from "pino";
import { errorTrace, errorWords } from "./core/errors.ts";

/**
 * Events with fields (static name, no prose, no secrets), one JSON line each, to stderr or a file. An error is given as it
 * is, in the field `error`: `warn` writes its words, `error` where it was thrown as well, neither a statement.
 */
export interface Log {
  debug(event: string, fields?: object): void;
  info(event: string, fields?: object): void;
  warn(event: string, fields?: object): void;
  error(event: string, fields?: object): void;
}

/**
 * What a piece of work is about. The goal's id is what holds its lines together, from the press on a button to the turns that
 * follow in a worker and the cards that are delivered: the same in every process.
 */
export type About = Readonly<Partial<Record<AboutName, string | number>>>;
type AboutName =
  | "goalId"
  | "sessionId"
  | "checkpointId"
  | "campaignId"
  | "runId"
  | "turn"
  | "command"
  | "via"
  | "subject"
  | "messageId";

const current = new AsyncLocalStorage<About>();

/** What the work was about that an error came out of, for whoever tells of it. */
const cameOutOf = new WeakMap<Error, About>();

/**
 * Does `work`; each line that is written until it is over says what it is about, whoever writes it, and so does the line that
 * tells of an error that came out of it.
 */
export async function logAbout<Result>(about: About, work: () => Promise<Result>): Promise<Result> {
  const whole = { ...current.getStore(), ...about };
  try {
    return await current.run(whole, work);
  } catch (error) {
    if (error instanceof Error && !cameOutOf.has(error)) cameOutOf.set(error, whole);
    throw error;
  }
}

/** Synchronous, so that the last event before a crash is there. `level` is one of pino's. */
export function openLog(level: string): Log {
  const logger = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      // What a line says itself counts.
      mixin: () => ({ ...current.getStore() }),
    },
    pino.destination({ dest: 2, sync: true }),
  );
  return {
    debug: (event, fields = {}) => logger.debug(fields, event),
    info: (event, fields = {}) => logger.info(fields, event),
    warn: (event, fields = {}) => logger.warn(inWords(fields, errorWords), event),
    error: (event, fields = {}) => logger.error(inWords(fields, errorTrace), event),
  };
}

function inWords(fields: object, words: (error: unknown) => string): object {
  if (!("error" in fields)) return fields;
  const { error } = fields;
  const about = error instanceof Error ? cameOutOf.get(error) : undefined;
  return { ...about, ...fields, error: words(error) };
}
