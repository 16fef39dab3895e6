import { spaceWordsOf } from "../../core/space/no-space.ts";
import { asking, isAway } from "../../db/connection/failures.ts";
import type { Deps } from "../../deps.ts";
import { within } from "../shared/worklog/within.ts";

/** Databases whose worklogs this process is reading or cleaning up now. */
const underWay = new WeakSet<object>();

/**
 * Works on worklogs without delaying anything else that is due. Work that exceeds the timeout of the worklog store continues in the
 * background, and no other work on worklogs begins until it has ended. Errors are logged, also later ones. Throws only errors within the
 * timeout that every reader of the database gets: it is away, or has no space.
 */
export async function besideAll(
  deps: Pick<Deps, "database" | "policy" | "timers" | "log">,
  what: "read" | "forget" | "outside",
  look: () => Promise<void>,
): Promise<void> {
  const { database, log } = deps;
  if (underWay.has(database)) return;
  underWay.add(database);
  let isLate = false;
  const looked = await within(deps, deps.policy.worklog.listTimeoutMs, async () => {
    try {
      await look();
    } catch (error) {
      if (isLate) log.warn("worklog.not-looked-at", { what, error });
      throw error;
    } finally {
      underWay.delete(database);
    }
  });
  if (looked.type === "timeout") {
    isLate = true;
    // When the database is away, everything is slow. This query throws then.
    await asking(() => database.pool.query("select"));
    log.warn("worklog.slow-look", { what });
  }
  if (looked.type !== "failed") return;
  if (isAway(looked.error) || spaceWordsOf(looked.error) !== null) throw looked.error;
  log.warn("worklog.not-looked-at", { what, error: looked.error });
}
