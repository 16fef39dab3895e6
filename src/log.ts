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

/** Synchronous, so that the last event before a crash is there. `level` is one of pino's. */
export function openLog(level: string): Log {
  const logger = pino(
    { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
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
  return "error" in fields ? { ...fields, error: words(fields.error) } : fields;
}
