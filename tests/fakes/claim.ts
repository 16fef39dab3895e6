import type { Db } from "../../src/db/connection/client.ts";
import { type Claim, claimNext } from "../../src/db/leases.ts";
import { type TestWorld, valueOf } from "./deps.ts";

/** What a worker would claim now; null: nothing. */
export async function claimGoal(db: Db, claiming: Parameters<typeof claimNext>[1]): Promise<Claim | null> {
  const claimed = await claimNext(db, claiming);
  return claimed.type === "claimed" ? claimed.claim : null;
}

/** A session with goals that are all due at once, as after a retry whose time has come meanwhile. */
export async function makeDueGoals({ command, deps }: TestWorld, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1)
    ids.push(valueOf<{ goalId: string }>(await command("goal", "add", `Goal ${number}`, "--run", "true")).goalId);
  valueOf(await command("autopilot", "start"));
  await deps.database.pool.query("update cos.goals set wake_at = $1", [deps.now()]);
  return ids;
}

/** Every lease has run out. */
export async function expireLeases({ deps }: TestWorld): Promise<void> {
  await deps.database.pool.query(
    "update cos.goals set leased_until = now() - interval '1 second' where leased_by is not null",
  );
}
