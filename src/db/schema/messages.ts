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

/** Cards as wanted and as shown, channels, marks, and events that were handled. */

/**
 * Cards as desired state (D17). `version` is wanted, `posted_version` is what the platform shows. `posting_since` is committed before a
 * first post: after a lost answer the message is looked for in the channel before it is posted again.
 */
export const messages = cos.table(
  "messages",
  {
    messageId: bigserial("message_id", { mode: "number" }).primaryKey(),
    platform: text("platform").notNull(),
    channel: text("channel").notNull(),
    /** What it is about: a goal id, a checkpoint id, a session id, or the unique id of a notice. */
    subject: text("subject").notNull(),
    /** The subject of the message under which it is posted as a thread reply. */
    threadSubject: text("thread_subject"),
    card: jsonb("card").$type<Card>().notNull(),
    version: integer("version").notNull(),
    /** The version whose change must not wait for the progress interval. */
    urgentVersion: integer("urgent_version").notNull(),
    /** When it last had a change that must not wait. The newest is shown first. */
    urgentAt: at("urgent_at"),
    postedCard: jsonb("posted_card").$type<Card>(),
    postedVersion: integer("posted_version"),
    postedAt: at("posted_at"),
    postingSince: at("posting_since"),
    address: text("address"),
    /** How often its platform has failed at it since it was last shown. */
    attempts: integer("attempts").notNull().default(0),
    notBefore: at("not_before"),
    /** Until `not_before` nothing is shown in the whole channel. */
    holdsChannel: boolean("holds_channel").notNull().default(false),
    /** A picture that was uploaded for it and is not seen yet. Once the platform has taken it, it is never uploaded again. */
    pictureUnderWay: jsonb("picture_under_way").$type<PictureUnderWay>(),
    /** The platform rejected the full card: only its summary is sent. */
    plain: boolean("plain").notNull().default(false),
    undeliverable: text("undeliverable"),
    /** True when the message is not up to date. A column, so that the planner knows how few rows have it. */
    isWanting: boolean("is_wanting").generatedAlwaysAs(sql`posted_version is distinct from version`),
    /** True when the card has buttons. A column for the same reason. */
    isAsking: boolean("is_asking").generatedAlwaysAs(sql`jsonb_array_length(card -> 'actions') > 0`),
    /** Increases with every change of the row (set by a trigger). A page that reconnects asks for changes after its last number. */
    changed: bigint("changed", { mode: "number" }).notNull().default(0),
    createdAt: at("created_at").notNull(),
    updatedAt: at("updated_at").notNull(),
  },
  (table) => [
    // The subject comes first, because messages are also looked up without platform and channel (putMessages, shownWhere).
    unique("messages_once").on(table.subject, table.platform, table.channel),
    index("messages_by_address").on(table.platform, table.address),
    // Messages that are not up to date (nextMessage, recordShownHere).
    index("messages_wanting").on(table.platform, table.channel, table.messageId).where(sql`is_wanting`),
    // Messages changed since a page looked, and the newest changes (messagesChangedSince, recentThreads).
    index("messages_by_change").on(table.changed),
    // Messages under which somebody may still reply (recentThreads).
    index("messages_asking")
      .on(table.platform, table.messageId)
      .where(sql`is_asking and address is not null and thread_subject is null`),
    // The replies under a message (messagesUnder).
    index("messages_by_thread").on(table.threadSubject).where(sql`thread_subject is not null`),
    // Messages that their platform refused for good (undeliverableMessages, countUndeliverable).
    index("messages_undeliverable").on(table.messageId).where(sql`undeliverable is not null`),
    check("messages_version", sql`posted_version is null or posted_version <= version`),
    check("messages_posted", sql`(posted_version is null) = (address is null)`),
  ],
);

/** The channels that cards go to and went to, each as settings name it (F-403). */
export const channels = cos.table(
  "channels",
  {
    platform: text("platform").notNull(),
    channel: text("channel").notNull(),
    /** The platform's own id, once it has reported it: a name may be given to another channel. */
    knownId: text("known_id"),
    /** When settings stopped naming it. Null while it is served. */
    leftAt: at("left_at"),
  },
  (table) => [primaryKey({ columns: [table.platform, table.channel] })],
);

/**
 * Subjects whose card may have to change. Written with the change, deleted when the card was drawn from rows at least as new. Their
 * numbers are no order of commits: a row may be committed after one with a higher number.
 */
export const marks = cos.table("marks", {
  markId: bigserial("mark_id", { mode: "number" }).primaryKey(),
  subject: text("subject").$type<Subject>().notNull(),
  id: text("id").notNull(),
  urgency: text("urgency").$type<Urgency>().notNull(),
  /** The card of a notice. Null for a subject that has rows of its own. */
  notice: jsonb("notice").$type<Notice>(),
  /** When it is tried again, after its card could not be drawn. */
  notBefore: at("not_before"),
});

/** Ids of handled events, kept for 24 h: people's comments and redelivered platform events (D13). */
export const seenEvents = cos.table(
  "seen_events",
  { eventId: text("event_id").primaryKey(), at: at("at").notNull() },
  // Events that are old enough to be deleted (forgetEvents).
  (table) => [index("seen_events_by_age").on(table.at)],
);
