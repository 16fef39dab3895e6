import type { Db } from "../../src/db/connection/client.ts";
import { type Claim, claimNext } from "../../src/db/leases.ts";

/** What a worker would claim now; null: nothing. */
export async function claimGoal(db: Db, claiming: Parameters<typeof claimNext>[1]): Promise<Claim | null> {
  const claimed = await claimNext(db, claiming);
  return claimed.type === "claimed" ? claimed.claim : null;
}
