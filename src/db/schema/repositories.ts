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
    /** The fingerprint of the key that was given for it; the key itself lies in data directories. Null: none was given. */
    deployKey: text("deploy_key"),
    /** Overrides COS_AGENT for this repository. */
    agent: text("agent"),
    /** How its agent is paid: by what it uses, or at a flat rate (D48). */
    billing: text("billing").$type<Billing>().notNull().default("metered"),
    /** What passes is put on trial (D38). */
    trials: boolean("trials").notNull().default(true),
    /** What its checks may reach beside their own loopback: HOST:PORT, or "all" (D39). */
    checkNetwork: jsonb("check_network").$type<string[]>().notNull().default([]),
    /** Only workers that have all of these work its goals (COS_LABELS). */
    labels: jsonb("labels").$type<string[]>().notNull().default([]),
    createdAt: at("created_at").notNull(),
    /** Who made it known; null: nobody kept it. */
    addedBy: text("added_by"),
    /** When a person removed it: what was done in it stays, nothing new is taken for it. Null: it is known. */
    removedAt: at("removed_at"),
  },
  (table) => [uniqueIndex("repositories_name").on(table.name).where(sql`removed_at is null`)],
);

/**
 * The workers that run, by the name of their connections (`db/serving.ts`), which says of each whether it still does. A row is
 * written at the start. One that has ended is remembered for a day: others leave to it what it alone could work.
 */
export const workers = cos.table("workers", {
  name: text("name").primaryKey(),
  machine: text("machine").notNull(),
  labels: jsonb("labels").$type<string[]>().notNull(),
  /** What it cannot work because of its machine; empty where it runs on the only one. */
  lacks: jsonb("lacks").$type<Lack[]>().notNull().default([]),
  startedAt: at("started_at").notNull(),
  /** When it said so, or was found to be gone. Null: it runs, as far as is known. */
  endedAt: at("ended_at"),
});
