/** Why a server that the bot depends on cannot be used. `words` are the server's own. */
export type Trouble =
  /** Nothing listens at its address. */
  | { readonly type: "refused" }
  | { readonly type: "unknown-host" }
  /** Nobody answers at its address. */
  | { readonly type: "silent" }
  /** Connections are ended at once. */
  | { readonly type: "cut" }
  | { readonly type: "starting"; readonly words: string }
  | { readonly type: "stopping"; readonly words: string }
  /** It has no connection left. */
  | { readonly type: "crowded"; readonly words: string }
  /** It has no memory or no disk left for what it is given. */
  | { readonly type: "full"; readonly words: string }
  | { readonly type: "denied"; readonly words: string }
  /** It lets in only who talks encrypted. */
  | { readonly type: "only-encrypted"; readonly words: string }
  /** It does not talk encrypted. */
  | { readonly type: "not-encrypted"; readonly words: string }
  /** Whose certificate it shows is not known here, or it is not of that host, or not of this time. */
  | { readonly type: "untrusted"; readonly words: string }
  /** A file that its address names cannot be read. */
  | { readonly type: "no-file"; readonly words: string }
  | { readonly type: "no-database"; readonly words: string }
  /** The user may not do what is needed there. */
  | { readonly type: "not-allowed"; readonly words: string }
  | { readonly type: "read-only" }
  /** The embedded server cannot be started. */
  | { readonly type: "not-started"; readonly words: string }
  /** The embedded server came back at another address, which only a new start of this process learns. */
  | { readonly type: "moved" }
  | { readonly type: "other"; readonly words: string };

/** A server that the bot depends on. */
export interface ServerAddress {
  /** How people call it. */
  readonly name: "PostgreSQL" | "Redis";
  /** Where it is configured; null for the embedded PostgreSQL. */
  readonly setting: "DATABASE_URL" | "REDIS_URL" | null;
  /** Host and port, without name and password. */
  readonly where: string;
}

/** Whether it stays until somebody changes a setting: a start that meets it does not wait. */
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

/** Whether a server that was there should be back without anybody's doing. */
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
