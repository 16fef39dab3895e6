/** The embedded PostgreSQL cannot serve. The message tells a person what is wrong and what to do. */
export class EmbeddedDatabaseError extends Error {
  override readonly name = "EmbeddedDatabaseError";
}

/** The alternative with which messages end: a PostgreSQL of one's own. */
export const USE_OWN_DATABASE = "Or set DATABASE_URL to a PostgreSQL of your own (15 or newer).";

/** The `code` of a system error such as "ENOENT", or "" when the value has none. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
