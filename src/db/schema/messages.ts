import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  unique,
} from "drizzle-orm/pg-core";
import type { Card } from "../../core/cards/card.ts";
import type { Notice, Subject, Urgency } from "../../core/cards/mark.ts";
import type { PictureUnderWay } from "../../core/cards/picture.ts";
import { at, cos } from "./base.ts";

/** Cards as they are wanted and shown, and what was handled already. */

/**
 * Cards as desired state (D17). `version` is wanted, `posted_version` is what the platform shows; `posting_since` is
 * committed before a first post, so that a lost answer is looked for in the channel before anything is posted again.
 */
export const messages = cos.table(
  "messages",
  {
    messageId: bigserial("message_id", { mode: "number" }).primaryKey(),
    platform: text("platform").notNull(),
    channel: text("channel").notNull(),
    /** What it shows: a goal id, a checkpoint id, a session id, or a unique notice. */
    subject: text("subject").notNull(),
    /** The subject whose message it hangs under as a thread reply. */
    threadSubject: text("thread_subject"),
    card: jsonb("card").$type<Card>().notNull(),
    version: integer("version").notNull(),
    /** The version whose change must not wait for the progress interval. */
    urgentVersion: integer("urgent_version").notNull(),
    /** When something last changed it that must not wait: what was answered last is shown first. */
    urgentAt: at("urgent_at"),
    postedCard: jsonb("posted_card").$type<Card>(),
    postedVersion: integer("posted_version"),
    postedAt: at("posted_at"),
    postingSince: at("posting_since"),
    address: text("address"),
    /** How often its platform failed at it since it was shown last. */
    attempts: integer("attempts").notNull().default(0),
    notBefore: at("not_before"),
    /** Until `not_before` nothing is shown in its whole channel. */
    holdsChannel: boolean("holds_channel").notNull().default(false),
    /** What was uploaded for it and is not seen yet; once taken by the platform it is never uploaded again. */
    pictureUnderWay: jsonb("picture_under_way").$type<PictureUnderWay>(),
    /** The platform rejected the full card: only its summary is sent. */
    plain: boolean("plain").notNull().default(false),
    undeliverable: text("undeliverable"),
    /** It does not show what it should. A column, so that the planner knows how few do not. */
    isWanting: boolean("is_wanting").generatedAlwaysAs(sql`posted_version is distinct from version`),
    /** Something can be pressed; the same. */
    isAsking: boolean("is_asking").generatedAlwaysAs(sql`jsonb_array_length(card -> 'actions') > 0`),
    /** Rises with every change of the row (set by a trigger); what a page that reconnects asks from. */
    changed: bigint("changed", { mode: "number" }).notNull().default(0),
    createdAt: at("created_at").notNull(),
    updatedAt: at("updated_at").notNull(),
  },
  (table) => [
    // The subject first: it is also looked for everywhere (putMessages, shownWhere).
    unique("messages_once").on(table.subject, table.platform, table.channel),
    index("messages_by_address").on(table.platform, table.address),
    // What does not show yet what it should (nextMessage, recordShownHere).
    index("messages_wanting").on(table.platform, table.channel, table.messageId).where(sql`is_wanting`),
    // What changed since a page looked, and last (messagesChangedSince, recentThreads).
    index("messages_by_change").on(table.changed),
    // Where somebody may still reply (recentThreads).
    index("messages_asking")
      .on(table.platform, table.messageId)
      .where(sql`is_asking and address is not null and thread_subject is null`),
    // The replies under a message (messagesUnder).
    index("messages_by_thread").on(table.threadSubject).where(sql`thread_subject is not null`),
    // What no platform takes (undeliverableMessages, countUndeliverable).
    index("messages_undeliverable").on(table.messageId).where(sql`undeliverable is not null`),
    check("messages_version", sql`posted_version is null or posted_version <= version`),
    check("messages_posted", sql`(posted_version is null) = (address is null)`),
  ],
);

/** Where cards go and went, each as settings name it (F-403). */
export const channels = cos.table(
  "channels",
  {
    platform: text("platform").notNull(),
    channel: text("channel").notNull(),
    /** What the platform itself calls it, once it has said so: a name may be given to another channel. */
    knownId: text("known_id"),
    /** Settings name it no more. */
    leftAt: at("left_at"),
  },
  (table) => [primaryKey({ columns: [table.platform, table.channel] })],
);

/**
 * Whose card may show something else now: written with what changed it, deleted when its card was drawn from rows that
 * are as new. Nothing else reads them in order of their numbers: a row may be committed after a higher one.
 */
export const marks = cos.table("marks", {
  markId: bigserial("mark_id", { mode: "number" }).primaryKey(),
  subject: text("subject").$type<Subject>().notNull(),
  id: text("id").notNull(),
  urgency: text("urgency").$type<Urgency>().notNull(),
  /** What is said once; null for what has rows of its own. */
  notice: jsonb("notice").$type<Notice>(),
  /** Its card could not be drawn: when it is tried again. */
  notBefore: at("not_before"),
});

/** Event ids already handled, kept 24 h: a person's comments and redelivered platform events (D13). */
export const seenEvents = cos.table(
  "seen_events",
  { eventId: text("event_id").primaryKey(), at: at("at").notNull() },
  // What is old enough to be forgotten (forgetEvents).
  (table) => [index("seen_events_by_age").on(table.at)],
);
