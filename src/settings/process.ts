import { isToken } from "../core/secrets/token.ts";
import { localOrigin } from "../core/local-address.ts";
import { wrongLabels } from "../core/labels.ts";
import type { Reader } from "./reader.ts";

/** Reads the roles of this process. */
export function readRoles({ value, problem }: Reader): ("bot" | "worker")[] {
  const wanted = (value("COS_ROLES") ?? "bot,worker").split(",").map((each) => each.trim());
  const known = wanted.filter((each) => each === "bot" || each === "worker");
  if (known.length !== wanted.length || known.length === 0) problem("COS_ROLES", "bot, worker, or bot,worker");
  return known;
}

/** Reads the address on which the console listens. */
export function readHost({ value, problem }: Reader): string {
  const host = value("COS_HOST") ?? "127.0.0.1";
  const isHost = !/[/@?#\s]/.test(host) && URL.canParse(localOrigin({ host, port: 1 }));
  if (!isHost) problem("COS_HOST", "an address or a name of this machine, such as 127.0.0.1, or 0.0.0.0 for all");
  return host;
}

/** Reads the time zone; null for the machine's own. */
export function readTimezone({ value, problem }: Reader): string | null {
  const text = value("COS_TIMEZONE");
  if (text === null) return null;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    problem("COS_TIMEZONE", "an IANA time zone such as Europe/Berlin");
    return null;
  }
}

/** Returns the machine's own time zone; UTC when it is invalid, such as with an empty or misspelled TZ. */
export function machineTimezone(): string {
  const zone: string | undefined = Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone ?? "UTC";
  } catch {
    return "UTC";
  }
}

/** Reads the console's token; null when it is made once and stored in the data directory. */
export function readToken({ value, problem }: Reader): string | null {
  const text = value("COS_CONSOLE_TOKEN");
  if (text !== null && !isToken(text)) problem("COS_CONSOLE_TOKEN", "16 to 200 letters, digits, - or _");
  return text;
}

/** Reads the log level; `info` when none is set. */
export function readLogLevel({ value, problem }: Reader): string {
  const level = value("COS_LOG_LEVEL") ?? "info";
  if (!["debug", "info", "warn", "error", "silent"].includes(level))
    problem("COS_LOG_LEVEL", "debug, info, warn, error or silent");
  return level;
}

/** Reads the labels of this process as a worker. */
export function readLabels({ list, problem }: Reader): string[] {
  const labels = list("COS_LABELS");
  if (wrongLabels(labels).length > 0)
    problem("COS_LABELS", "words of letters, digits and . _ - with commas between them, such as gpu,mac");
  return labels;
}

/** An unencoded character in a password would end the host's name. */
const encoded = "with @ / # of a password written as %40 %2F %23";

/** Reads the URL of the queue. */
export function readRedisUrl({ url, problem }: Reader): string | null {
  const address = url("REDIS_URL", ["redis:", "rediss:"]);
  if (address === null || (new URL(address).hash === "" && /^\/?\d*$/.test(new URL(address).pathname))) return address;
  problem("REDIS_URL", `an address with nothing behind the host but the number of a database, ${encoded}`);
  return null;
}

/** The valid values of sslmode. Any other word would be taken for one of them, and the server's error would not mention it. */
const sslModes = ["disable", "no-verify", "allow", "prefer", "require", "verify-ca", "verify-full"];

/** Reads the database's URL; if it contains no password, adds that of PGPASSWORD, which libpq reads too. */
export function readDatabaseUrl({ value, url, problem }: Reader): string | null {
  const address = url("DATABASE_URL", ["postgres:", "postgresql:"]);
  if (address !== null && (new URL(address).hash !== "" || !/^\/?[^/@]*$/.test(new URL(address).pathname))) {
    problem("DATABASE_URL", `an address with one name of a database behind the host, ${encoded}`);
    return null;
  }
  if (address === null) return address;
  const read = new URL(address);
  const written = read.searchParams.get("sslmode") ?? undefined;
  const mode = written?.toLowerCase();
  // A template may leave it empty.
  if (mode === "") read.searchParams.delete("sslmode");
  else if (mode !== undefined && mode !== written) read.searchParams.set("sslmode", mode);
  if (mode !== undefined && mode !== "" && !sslModes.includes(mode))
    problem("DATABASE_URL", `an address whose sslmode is ${sslModes.slice(0, -1).join(", ")} or ${sslModes.at(-1)}`);
  const password = value("PGPASSWORD");
  if (password !== null && read.password === "") read.password = encodeURIComponent(password);
  return mode === written && mode !== "" && password === null ? address : read.href;
}
