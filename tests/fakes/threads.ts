import type { TestWorld } from "./deps.ts";

/** The titles of the cards in a goal's thread on the console, in their order. */
export async function threadOf(world: Pick<TestWorld, "deps">, goalId: string): Promise<string[]> {
  const { rows } = await world.deps.database.pool.query<{ title: string }>(
    "select card->>'title' as title from cos.messages where thread_subject = $1 and platform = 'console' order by message_id",
    [goalId],
  );
  return rows.map((row) => row.title);
}
