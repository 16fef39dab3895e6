/** The embedded PostgreSQL cannot serve. The message says what is wrong and what to do, in words for a person. */
export class EmbeddedDatabaseError extends Error {
  override readonly name = "EmbeddedDatabaseError";
}

/** The way out that every message ends with: a database of one's own. */
export const USE_OWN_DATABASE = "Or set DATABASE_URL to a PostgreSQL of your own (15 or newer).";

/** The `code` of a system error such as "ENOENT", or "" when the value carries none. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
