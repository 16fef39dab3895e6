import { sql } from "drizzle-orm";
import { check, index, text } from "drizzle-orm/pg-core";
import { at, cos } from "./base.ts";

/**
 * Who may open the console: each row is a browser that opened it, or the link for one (D54). Only a hash of the key is stored. When a
 * row is deleted, its key is not valid any more; the timeline keeps that it existed.
 */
export const consoleSessions = cos.table(
  "console_sessions",
  {
    consoleSessionId: text("console_session_id").primaryKey(),
    /** SHA-256 of the link's key until it is opened, then an HMAC-SHA-256 of the cookie's key with the console's token. */
    keyHash: text("key_hash").notNull().unique(),
    /** Who it is for. Null for a person who has the console's token. */
    name: text("name"),
    madeBy: text("made_by").notNull(),
    madeAt: at("made_at").notNull(),
    /** When it expires. */
    expiresAt: at("expires_at").notNull(),
    /** Null while its link is not opened. */
    openedAt: at("opened_at"),
    /** The address of the browser that opened it. */
    openedFrom: text("opened_from"),
    /** When it was last used, to within an hour. */
    seenAt: at("seen_at"),
  },
  (table) => [
    // Sessions that are valid, and expired ones, which are deleted.
    index("console_sessions_expire").on(table.expiresAt),
    check("console_sessions_opened", sql`(opened_at is null) = (opened_from is null)`),
  ],
);
