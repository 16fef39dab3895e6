import { addUnstored } from "../../db/worklog-days.ts";
import { lockWorklog, newestWorklogOf, updateWorklog } from "../../db/worklogs.ts";
import type { Deps } from "../../deps.ts";
import { forgetGap, gapChanges, rememberedGaps } from "../shared/worklog/gaps.ts";
import { limited } from "../shared/worklog/within.ts";
import { dayOf } from "./finish.ts";

/**
 * What this process could not write, and could not even say, is said in the worklog as soon as it can be: whoever works the goal by
 * then, and also when it has ended. A run that has no worklog yet keeps its gap here.
 */
export async function tellGaps(deps: Pick<Deps, "database" | "policy">): Promise<void> {
  for (const gap of rememberedGaps(deps.database)) {
    const { unstored } = gap;
    const isTold = await limited(deps, deps.policy.worklog.listTimeoutMs, async (tx) => {
      const newest = await newestWorklogOf(tx, gap);
      const stored = newest === null ? null : await lockWorklog(tx, newest.sessionId);
      if (stored === null) return false;
      await updateWorklog(tx, stored.sessionId, gapChanges(stored, gap));
      if (stored.isCounted) await addUnstored(tx, dayOf(stored), unstored);
      return true;
    });
    if (isTold) forgetGap(deps.database, gap);
  }
}
