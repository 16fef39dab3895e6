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
  /** The same log, whose lines say what they are about as well. What a line says itself counts. */
  about(about: About): Log;
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

/** What the work was about that an error came out of, for whoever tells of it. */
const cameOutOf = new WeakMap<Error, About>();

/**
 * Does `work` with doors whose log says in each line what it is about, and so does the line that tells of an error that came out
 * of it, whoever writes that.
 */
export async function logAbout<Doors extends { readonly log: Log }, Result>(
  doors: Doors,
  about: About,
  work: (doors: Doors) => Promise<Result>,
): Promise<Result> {
  try {
    return await work({ ...doors, log: doors.log.about(about) });
  } catch (error) {
    // What it came out of first counts.
    if (error instanceof Error) cameOutOf.set(error, { ...about, ...cameOutOf.get(error) });
    throw error;
  }
}

type Level = "debug" | "info" | "warn" | "error";

/** Synchronous, so that the last event before a crash is there. `level` is one of pino's. */
export function openLog(level: string): Log {
  const logger = pino(
    { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
  const words = { debug: null, info: null, warn: errorWords, error: errorTrace };
  return logTo((lineLevel, event, fields) => {
    const errorIn = words[lineLevel];
    logger[lineLevel](errorIn === null ? fields : inWords(fields, errorIn), event);
  });
}

/** A log whose lines go to `write`, each with what it is about. */
export function logTo(write: (level: Level, event: string, fields: object) => void, about: About = {}): Log {
  const at =
    (level: Level) =>
    (event: string, fields: object = {}): void =>
      write(level, event, { ...about, ...fields });
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    about: (more) => logTo(write, { ...about, ...more }),
  };
}

function inWords(fields: object, words: (error: unknown) => string): object {
  if (!("error" in fields)) return fields;
  const { error } = fields;
  return { ...aboutOf(error), ...fields, error: words(error) };
}

/** What the work was about that an error came out of; undefined: nothing in particular. */
export function aboutOf(error: unknown): About | undefined {
  return error instanceof Error ? cameOutOf.get(error) : undefined;
}
