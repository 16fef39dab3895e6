import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isToken } from "../core/secrets/token.ts";
import { ConsoleError } from "./server.ts";

/**
 * Returns the console's token of a data directory. It is made once and stored, readable only by the owner (D34). A file without a valid
 * token, as a full disk leaves it, is replaced by a new one. Throws ConsoleError when the token can be neither read nor made.
 */
export function ownToken(dataDir: string): string {
  const file = join(dataDir, "console-token");
  const kept = readOr(file);
  if (isToken(kept)) return kept;
  const token = randomBytes(24).toString("base64url");
  const next = `${file}.${randomBytes(4).toString("hex")}`;
  try {
    const handle = openSync(next, "wx", 0o600);
    writeSync(handle, `${token}\n`);
    fsyncSync(handle);
    closeSync(handle);
    renameSync(next, file);
  } catch (error) {
    throw unusable(file, error);
  }
  return token;
}

function readOr(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw unusable(file, error);
  }
}

function unusable(file: string, error: unknown): ConsoleError {
  const why = error instanceof Error ? error.message : String(error);
  return new ConsoleError(
    `the console's token ${file} can be neither read nor made: ${why}. Let this user read and write it, or set COS_CONSOLE_TOKEN.`,
    { cause: error },
  );
}
