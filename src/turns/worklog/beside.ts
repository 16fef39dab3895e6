import { spaceWordsOf } from "../../core/space/no-space.ts";
import { asking, isAway } from "../../db/connection/failures.ts";
import type { Deps } from "../../deps.ts";
import { within } from "../shared/worklog/within.ts";

/** The databases for which worklogs are looked at now, by this process. */
const underWay = new WeakSet<object>();

/**
 * Looks at worklogs beside everything else that is due: what takes longer than the store may take to answer goes on by itself, and
 * nothing else of worklogs begins until it has ended; what fails is logged. Throws only what every reader of the database meets:
 * it is away, or has no space.
 */
export async function besideAll(
  deps: Pick<Deps, "database" | "policy" | "timers" | "log">,
  what: "read" | "forget" | "outside",
  look: () => Promise<void>,
): Promise<void> {
  const { database, log } = deps;
  if (underWay.has(database)) return;
  underWay.add(database);
  const looked = await within(deps, deps.policy.worklog.listTimeoutMs, async () => {
    try {
      await look();
    } finally {
      underWay.delete(database);
    }
  });
  if (looked.type === "timeout") {
    // Where the database is away everything is slow: then it throws.
    await asking(() => database.pool.query("select"));
    log.warn("worklog.slow-look", { what });
  }
  if (looked.type !== "failed") return;
  if (isAway(looked.error) || spaceWordsOf(looked.error) !== null) throw looked.error;
  log.warn("worklog.not-looked-at", { what, error: looked.error });
}
