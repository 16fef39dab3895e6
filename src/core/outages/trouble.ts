/** Why a server that the bot depends on cannot be used. `words` are the server's own. */
export type Trouble =
  /** Nothing listens at its address. */
  | { readonly type: "refused" }
  | { readonly type: "unknown-host" }
  /** Its address does not answer in time. */
  | { readonly type: "silent" }
  /** Connections are closed at once. */
  | { readonly type: "cut" }
  | { readonly type: "starting"; readonly words: string }
  | { readonly type: "stopping"; readonly words: string }
  /** It has no connection left. */
  | { readonly type: "crowded"; readonly words: string }
  /** It has no memory or disk space left for new data. */
  | { readonly type: "full"; readonly words: string }
  | { readonly type: "denied"; readonly words: string }
  /** It accepts only encrypted connections. */
  | { readonly type: "only-encrypted"; readonly words: string }
  /** It does not support encrypted connections. */
  | { readonly type: "not-encrypted"; readonly words: string }
  /** Its certificate is of an unknown authority, of another host, expired or not valid yet. */
  | { readonly type: "untrusted"; readonly words: string }
  /** A file that its URL names cannot be read. */
  | { readonly type: "no-file"; readonly words: string }
  | { readonly type: "no-database"; readonly words: string }
  /** The database user lacks a permission. */
  | { readonly type: "not-allowed"; readonly words: string }
  | { readonly type: "read-only" }
  /** The embedded server cannot be started. */
  | { readonly type: "not-started"; readonly words: string }
  /** The embedded server came back at another address, which this process learns only by a restart. */
  | { readonly type: "moved" }
  | { readonly type: "other"; readonly words: string };

/** A server that the bot depends on. */
export interface ServerAddress {
  /** Its name for people. */
  readonly name: "PostgreSQL" | "Redis";
  /** The setting with its URL. Null for the embedded PostgreSQL. */
  readonly setting: "DATABASE_URL" | "REDIS_URL" | null;
  /** Host and port, without user and password. */
  readonly where: string;
}

/** True when only a changed setting helps. A start that meets such trouble does not wait. */
export function isOfSettings({ type }: Trouble): boolean {
  return ofSettings.has(type);
}

const ofSettings: ReadonlySet<Trouble["type"]> = new Set([
  "denied",
  "no-database",
  "only-encrypted",
  "not-encrypted",
  "untrusted",
  "no-file",
]);

/** True when a server that worked before is expected to come back by itself. */
export function passesByItself({ type }: Trouble): boolean {
  return passing.has(type);
}

const passing: ReadonlySet<Trouble["type"]> = new Set([
  "refused",
  "unknown-host",
  "silent",
  "cut",
  "starting",
  "stopping",
  "read-only",
  "not-started",
]);
