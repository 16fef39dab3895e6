import { eq, sql } from "drizzle-orm";
import type { Db } from "./connection/client.ts";
import { agents } from "./schema/index.ts";

export type KnownAgent = typeof agents.$inferSelect;

/** What is known about the agent that this command line starts. Null when nothing is known yet. */
export async function knownAgent(db: Db, line: string): Promise<KnownAgent | null> {
  const found = await db.select().from(agents).where(eq(agents.line, line));
  return found[0] ?? null;
}

/** Stores what was learnt about an agent. A null value keeps the stored one. Idempotent. */
export async function learnAgent(db: Db, learnt: KnownAgent): Promise<void> {
  await db
    .insert(agents)
    .values(learnt)
    .onConflictDoUpdate({
      target: agents.line,
      set: {
        name: sql`coalesce(excluded.name, ${agents.name})`,
        version: sql`coalesce(excluded.version, ${agents.version})`,
        counting: sql`coalesce(excluded.counting, ${agents.counting})`,
        asks: sql`coalesce(excluded.asks, ${agents.asks})`,
        seenAt: sql`excluded.seen_at`,
      },
    });
}
