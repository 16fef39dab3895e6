import { DrizzleQueryError } from "drizzle-orm";
import pg from "pg";
import { encryptionTrouble } from "../../core/outages/encryption.ts";
import type { Trouble } from "../../core/outages/trouble.ts";
import { errorWords } from "../../core/errors.ts";

/** What errors of the database mean. */

/** The database cannot be reached or is not serving now: its connections break, or none can be made. `cause` says why. */
export class DatabaseAway extends Error {
  override readonly name: string = "DatabaseAway";

  constructor(cause: unknown) {
    super(`the database does not answer: ${errorWords(cause)}`, { cause });
  }
}

/** It is unknown whether the transaction was recorded: the connection broke before COMMIT was answered. */
export class CommitUnknown extends DatabaseAway {
  override readonly name = "CommitUnknown";
  override readonly message =
    "the database went away while this was recorded: whether it was, is not known. Look before you do it again";
}

/** The transaction was recorded, but its result could not be read any more. */
export class RecordedUnseen extends DatabaseAway {
  override readonly name = "RecordedUnseen";
  override readonly message =
    "it was recorded, but the database went away before it could be shown. Look before you do it again";
}

/** Converts the error of a statement or a connection: to DatabaseAway when it means that. */
export function databaseFailure(error: unknown): Error {
  if (error instanceof DatabaseAway) return error;
  if (isLost(error)) return new DatabaseAway(error);
  return error instanceof Error ? error : new Error(String(error));
}

/** Runs `ask`, and converts errors of a lost connection to DatabaseAway. */
export async function asking<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    throw databaseFailure(error);
  }
}

/** The SQLSTATE of an error thrown by pg, also when drizzle wrapped it. Null for other errors. */
export function sqlState(error: unknown): string | null {
  if (error instanceof pg.DatabaseError) return error.code ?? null;
  if (error instanceof Error && error.cause !== undefined) return sqlState(error.cause);
  return null;
}

/** True for a serialization failure or a deadlock: the same transaction may pass when it is run again (D9). */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error);
  return state === "40001" || state === "40P01";
}

/** True when a fresh id was taken (`keepFresh`): the same transaction passes with another id. */
export function isIdTaken(error: unknown): boolean {
  return sqlState(error) === "23505" && freshIds.has(constraintOf(error) ?? "");
}

const freshIds = new Set(["goals_pkey", "runs_pkey", "checkpoints_pkey", "sessions_pkey"]);

function constraintOf(error: unknown): string | null {
  if (error instanceof pg.DatabaseError) return error.constraint ?? null;
  return error instanceof Error ? constraintOf(error.cause) : null;
}

/** True when the database is away, starting, stopping, or out of resources: the same call may succeed in a moment. */
export function isUnavailable(error: unknown): boolean {
  return isAway(error) || sqlState(error)?.startsWith("53") === true;
}

/** True when the error was caused by the database being away. */
export function isAway(error: unknown): boolean {
  if (error instanceof DatabaseAway || lostStates.test(sqlState(error) ?? "")) return true;
  return error instanceof Error && error.cause !== undefined && isAway(error.cause);
}

/** True when the server cancelled a statement that exceeded its timeout: it waited for a lock, or had too much to do. */
export function isTooSlow(error: unknown): boolean {
  return sqlState(error) === "57014";
}

/** True when a socket of any kind has broken or could not be opened. */
export function isSocketError(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.some(isSocketError)) return true;
  if (!(error instanceof Error)) return false;
  return lostCodes.has(codeOf(error)) || error.message === "Connection is closed." || isNotEncrypted(error);
}

/**
 * True when an error of pg means that the connection is lost, was never made, or leads to a server that does not serve now. Only for
 * errors of pg: a socket's errors look the same whatever the socket was for.
 */
function isLost(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return lostStates.test(state);
  if (!(error instanceof Error)) return false;
  if (isSocketError(error) || lostWords.test(error.message)) return true;
  return error.cause !== undefined && isLost(error.cause);
}

/** True when the two sides do not agree on encryption. */
function isNotEncrypted(error: Error): boolean {
  return encryptionTrouble({ code: codeOf(error), words: error.message }) !== null;
}

/**
 * Connections (08), shut down or not serving yet (57P), idle too long (57P05, 25P03), a standby (25006), rejected at connect (28, 3D,
 * 53300).
 */
const lostStates = /^(08|57P|25P03|25006|28|3D000|53300)/;
const lostCodes = new Set(
  "ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ENOENT ETIMEDOUT EHOSTUNREACH ENETUNREACH EHOSTDOWN ENOTFOUND EAI_AGAIN".split(
    " ",
  ),
);
/** Errors for which pg has only a message, no code. */
const lostWords =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered|Client was closed|Cannot use a pool after)/;

/** Message of pg, not of the server: the URL has no password and the server asks for one. */
const wantsPassword = /^SASL: [\w-]+: client password must be a /;

/** True when a pool had no connection to hand out within the timeout: others used them all. */
export function isQueueTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === "timeout exceeded when trying to connect";
}

/** The kind of problem that keeps the database away, for messages about it. */
export function databaseTrouble(failure: unknown): Trouble {
  const error = beneath(failure);
  const state = sqlState(error);
  const words = errorWords(error);
  const code = deepestCode(error);
  const trouble = encryptionTrouble({ code: state ?? code, words });
  if (trouble !== null) return trouble;
  if (state !== null) return troubleOfState(state, words);
  if (opensFile(error)) return { type: "no-file", words };
  switch (code) {
    case "ECONNREFUSED":
    case "ENOENT":
      return { type: "refused" };
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return { type: "unknown-host" };
    case "ECONNRESET":
    case "ECONNABORTED":
    case "EPIPE":
      return { type: "cut" };
    case "ETIMEDOUT":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "EHOSTDOWN":
      return { type: "silent" };
  }
  if (wantsPassword.test(words)) return { type: "denied", words: "it asks for a password, and none is set" };
  if (/time(d )?out|timeout/i.test(words)) return { type: "silent" };
  if (words.startsWith("Connection terminated")) return { type: "cut" };
  return { type: "other", words };
}

/** The error that pg threw, without the errors in which drizzle and we wrapped it. */
function beneath(error: unknown): unknown {
  const isAround = error instanceof DrizzleQueryError || error instanceof DatabaseAway;
  return isAround && error.cause !== undefined ? beneath(error.cause) : error;
}

function troubleOfState(state: string, words: string): Trouble {
  if (state === "57P03") return { type: "starting", words };
  if (state.startsWith("57P")) return { type: "stopping", words };
  if (state === "53300") return { type: "crowded", words };
  if (state.startsWith("28")) return { type: "denied", words };
  if (state === "3D000") return { type: "no-database", words };
  if (state === "25006") return { type: "read-only" };
  if (state === "42501") return { type: "not-allowed", words };
  return { type: "other", words };
}

/** Certificates and keys that a URL names are read while connecting. */
function opensFile(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (codeOf(error) === "") return opensFile(error.cause);
  return codeOf(error) === "EISDIR" || ("syscall" in error && error.syscall === "open");
}

function deepestCode(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if (error instanceof AggregateError) return error.errors.map(deepestCode).find((code) => code !== "") ?? "";
  return codeOf(error) === "" ? deepestCode(error.cause) : codeOf(error);
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}
