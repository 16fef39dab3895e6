import { sql } from "drizzle-orm";
import { check, index, text } from "drizzle-orm/pg-core";
import { at, cos } from "./base.ts";

/**
 * Who is let into the console: each row is a browser that opened it, or the link for one (D54). No key is kept, only its hash.
 * A row that is gone lets nobody in; that it was there stays in the timeline.
 */
export const consoleSessions = cos.table(
  "console_sessions",
  {
    consoleSessionId: text("console_session_id").primaryKey(),
    /** SHA-256 of the link's key until it is opened, of the cookie's from then on. */
    keyHash: text("key_hash").notNull().unique(),
    /** Who it is for; null: whoever has the console's token. */
    name: text("name"),
    madeBy: text("made_by").notNull(),
    madeAt: at("made_at").notNull(),
    /** When it lets in nobody any more, by itself. */
    expiresAt: at("expires_at").notNull(),
    /** Null: its link was not opened yet. */
    openedAt: at("opened_at"),
    /** The address of the browser that opened it. */
    openedFrom: text("opened_from"),
    /** Within the hour. */
    seenAt: at("seen_at"),
  },
  (table) => [
    // Those that let in, and the expired ones, which are removed.
    index("console_sessions_expire").on(table.expiresAt),
    check("console_sessions_opened", sql`(opened_at is null) = (opened_from is null)`),
  ],
);
