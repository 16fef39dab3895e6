import { pino } from "pino";
import { errorTrace, errorWords } from "./core/errors.ts";

/**
 * Events with fields (static name, no prose, no secrets), one JSON line each, on stderr. An error is passed unchanged in the field
 * `error`. `warn` writes its message, `error` also its stack, and neither writes an SQL statement.
 */
export interface Log {
  debug(event: string, fields?: object): void;
  info(event: string, fields?: object): void;
  warn(event: string, fields?: object): void;
  error(event: string, fields?: object): void;
  /** The same log, which adds `about` to each line. A line's own fields take precedence. */
  about(about: About): Log;
}

/**
 * The subject of a piece of work. The goal's id connects its lines, from the press on a button to the turns in a worker and the
 * delivered cards: it is the same in every process.
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

/** The subject of the work that threw an error, for the line that reports it. */
const cameOutOf = new WeakMap<Error, About>();

/**
 * Runs `work` with doors whose log adds `about` to each line. The line that reports an error of `work` gets it too, whoever writes that
 * line.
 */
export async function logAbout<Doors extends { readonly log: Log }, Result>(
  doors: Doors,
  about: About,
  work: (doors: Doors) => Promise<Result>,
): Promise<Result> {
  try {
    return await work({ ...doors, log: doors.log.about(about) });
  } catch (error) {
    // The innermost subject takes precedence.
    if (error instanceof Error) cameOutOf.set(error, { ...about, ...cameOutOf.get(error) });
    throw error;
  }
}

type Level = "debug" | "info" | "warn" | "error";

/** Opens the log on stderr. Synchronous, so that the last event before a crash is written. `level` is a level of pino. */
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

/** A log that passes its lines to `write`, each with its subject. */
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

/** The subject of the work that threw an error; undefined when there is none. */
export function aboutOf(error: unknown): About | undefined {
  return error instanceof Error ? cameOutOf.get(error) : undefined;
}
