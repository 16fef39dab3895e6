import { wroteJustNow } from "../../core/worklog/earlier.ts";
import { finalSummary } from "../../core/worklog/finish.ts";
import {
  type CleanedUp,
  firstKeptDay,
  isNearLimit,
  type AgedWorklog,
  type RetentionStep,
  retentionSteps,
} from "../../core/worklog/retention.ts";
import type { Db } from "../../db/connection/client.ts";
import { deleteDaysBefore } from "../../db/worklog-days.ts";
import { deleteEntries, deleteSummaries, deleteTodos, entriesOf } from "../../db/worklog-contents.ts";
import { lockWorklog, updateWorklog, worklogsWithEntries } from "../../db/worklogs.ts";
import type { Deps } from "../../deps.ts";
import { limited } from "../shared/worklog/within.ts";
import { besideAll } from "./beside.ts";
import { countInDay } from "./finish.ts";

type ForgetDeps = Pick<Deps, "database" | "policy" | "now" | "log">;
type Beside = ForgetDeps & Pick<Deps, "timers">;

const everyMs = 10 * 60_000;

/** For each database, the ten minutes (counted since 1970) in which this process cleaned up last. */
const lastCleanedUp = new WeakMap<object, number>();

/** Cleans up once in every ten minutes. `read-events.ts` also cleans up when a session starts. */
export async function forgetWorklogsOnTime(deps: Beside): Promise<void> {
  const now = Math.floor(deps.now().getTime() / everyMs);
  if (lastCleanedUp.get(deps.database) === now) return;
  await besideAll(deps, "forget", async () => {
    lastCleanedUp.set(deps.database, now);
    await forgetWorklogs(deps);
  });
}

/**
 * Marks, summarises and deletes worklogs that are too old or too many, each step in its own transaction: safe to repeat. Worklogs in use
 * are left alone.
 */
export async function forgetWorklogs(deps: ForgetDeps): Promise<CleanedUp> {
  const { retention, detection } = deps.policy.worklog;
  const now = deps.now();
  const limit = deps.policy.worklog.listTimeoutMs;
  const rows = await limited(deps, limit, worklogsWithEntries);
  const kept = rows.map(({ worklog, isWorked }): AgedWorklog => {
    const isFresh = wroteJustNow(worklog.lastModified, now, detection);
    return {
      ...worklog,
      isAlive: worklog.outcome === "in_progress" && (isWorked || isFresh),
      isReleased: worklog.releasedAt !== null,
      isOutside: worklog.goalId === null,
    };
  });
  const done = { abandoned_marked: 0, summaries_extracted: 0, raw_deleted: 0, evicted_lru: 0, summaries_deleted: 0 };
  for (const step of retentionSteps(kept, now, retention)) {
    const counts = await limited(deps, limit, (tx) => take(tx, step, now));
    for (const count of counts) done[count] += 1;
  }
  done.summaries_deleted = await limited(deps, limit, (tx) => deleteDaysBefore(tx, firstKeptDay(now, retention)));
  if (isNearLimit(kept.length, retention))
    deps.log.warn("worklog.many", { active: kept.length, most: retention.mostActive });
  if (Object.values(done).some((each) => each > 0)) deps.log.info("worklog.forgot", done);
  return done;
}

async function take(tx: Db, step: RetentionStep, now: Date): Promise<(keyof CleanedUp)[]> {
  const worklog = await lockWorklog(tx, step.sessionId);
  if (worklog === null) return [];
  const { sessionId } = worklog;
  switch (step.type) {
    case "abandon":
      if (worklog.outcome !== "in_progress") return [];
      await updateWorklog(tx, sessionId, { outcome: "abandoned", settledAt: now });
      return ["abandoned_marked"];
    case "summarise": {
      if (worklog.isCounted) return [];
      const stored = await entriesOf(tx, sessionId);
      const entries = stored.type === "read" ? stored.entries : [];
      const { startedAt, lastModified: endedAt, tokens } = worklog;
      const summary = finalSummary(entries, { startedAt, endedAt, tokens });
      await updateWorklog(tx, sessionId, { summary });
      await countInDay(tx, worklog, summary);
      return ["summaries_extracted"];
    }
    case "delete-raw":
      await deleteEntries(tx, sessionId);
      await deleteSummaries(tx, sessionId);
      await deleteTodos(tx, sessionId);
      await updateWorklog(tx, sessionId, { hasRaw: false });
      return step.isEviction ? ["evicted_lru"] : ["raw_deleted"];
  }
}
