import { sql } from "drizzle-orm";
import { boolean, jsonb, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Billing } from "../../core/agents/flat.ts";
import type { Lack } from "../../core/lacks.ts";
import { at, cos } from "./base.ts";

export const repositories = cos.table(
  "repositories",
  {
    repositoryId: text("repository_id").primaryKey(),
    name: text("name").notNull(),
    /** Where it is: an absolute path of a machine, or a URL without a password (D47). */
    location: text("path").notNull().unique(),
    baseBranch: text("base_branch").notNull(),
    setup: text("setup"),
    checks: jsonb("checks").$type<string[]>().notNull(),
    pushRemote: text("push_remote"),
    /** The fingerprint of its deploy key; the key itself is in data directories. Null when it has none. */
    deployKey: text("deploy_key"),
    /** Overrides COS_AGENT for this repository. */
    agent: text("agent"),
    /** How its agent is paid: by usage, or at a flat rate (D48). */
    billing: text("billing").$type<Billing>().notNull().default("metered"),
    /** Whether passing proofs are put on trial (D38). */
    trials: boolean("trials").notNull().default(true),
    /** What its checks may reach besides their own loopback: HOST:PORT, or "all" (D39). */
    checkNetwork: jsonb("check_network").$type<string[]>().notNull().default([]),
    /** Only workers that have all of these labels work its goals (COS_LABELS). */
    labels: jsonb("labels").$type<string[]>().notNull().default([]),
    createdAt: at("created_at").notNull(),
    /** Who added it. Null when that was not recorded. */
    addedBy: text("added_by"),
    /** When a person removed it: its history stays, but it takes no new work. Null when it was not removed. */
    removedAt: at("removed_at"),
  },
  (table) => [uniqueIndex("repositories_name").on(table.name).where(sql`removed_at is null`)],
);

/**
 * The workers, by the name of their connections (`db/serving.ts`), which shows whether each still runs. A row is written at the start.
 * A worker that has ended is remembered for a day: other workers leave to it what only it can work.
 */
export const workers = cos.table("workers", {
  name: text("name").primaryKey(),
  machine: text("machine").notNull(),
  labels: jsonb("labels").$type<string[]>().notNull(),
  /** What it cannot work because of its machine. Empty while there are no workers on other machines. */
  lacks: jsonb("lacks").$type<Lack[]>().notNull().default([]),
  startedAt: at("started_at").notNull(),
  /** When it reported its end, or was found to be gone. Null while it runs, as far as is known. */
  endedAt: at("ended_at"),
});
