import { lookAt } from "./db/connection/looks.ts";
import { countReady } from "./db/goals.ts";
import { forgetKeptResults } from "./db/base-results.ts";
import { forgetEvents } from "./db/events.ts";
import { pendingEpisodes } from "./db/episodes.ts";
import { readersBehind } from "./db/readers.ts";
import { dropIdleLeases, expireDeadLeases, shortenLeases } from "./db/leases.ts";
import { onlyOne } from "./db/connection/locks.ts";
import type { Deps } from "./deps.ts";
import { projectLeft } from "./projection/project.ts";
import { advanceCampaigns } from "./turns/campaigns/advance.ts";
import { settleBatches } from "./turns/answers/batch.ts";
import { expireQuestions, remindOfQuestions } from "./turns/answers/deadlines.ts";
import { settleBranches } from "./turns/merging/merge.ts";
import { advanceMergeQueues } from "./turns/merging/merge-queue.ts";
import { pruneWhenDue } from "./turns/housekeeping/prune.ts";
import { mindNight } from "./turns/nights/night.ts";
import { readingReplies, readWaitingReplies } from "./turns/answers/read-replies.ts";
import { postSpooledNotices } from "./turns/reports/spool.ts";
import { learn } from "./turns/memory/learn.ts";
import { memoryReader } from "./turns/memory/reader.ts";
import { reflecting, reflectOnRuns } from "./turns/memory/reflect.ts";
import { runSchedules } from "./turns/reports/schedules.ts";
import { forgetWorklogsOnTime } from "./turns/worklog/forget.ts";
import { followOutside } from "./turns/worklog/outside.ts";
import { readForWorklogs, worklogReader } from "./turns/worklog/read-events.ts";
import { rememberedGaps } from "./turns/shared/worklog/gaps.ts";
import { mindSpace } from "./turns/shared/space.ts";
import { isAlive } from "./turns/shared/process-identity.ts";

/**
 * Looks at everything that is due: each process looks on its own timer, so that nothing depends on the queue (D6, D7). Time
 * enters here: tests call it with a hand-set clock. One process at a time, by advisory lock; another one's tick that runs
 * now does the same work. Returns whether goals are ready.
 */
export async function tick(deps: Deps): Promise<{ readonly ready: number }> {
  await mindTime(deps);
  return await mindWork(deps);
}

/** The part of it that asks a model or waits for somebody: replies, campaigns, finished branches, what is kept too long. */
export async function mindWork(deps: Deps): Promise<{ readonly ready: number }> {
  await onlyOne(deps.database.pool, readingReplies, (signal) => readWaitingReplies(deps, signal));
  await advanceCampaigns(deps);
  // Pushes wait for a person's hooks: nothing above waits for them.
  await onlyOne(deps.database.pool, "cos branches", async (signal) => {
    await settleBranches(deps, signal);
    await advanceMergeQueues(deps);
  });
  // Nobody waits for what a run taught.
  if ((await pendingEpisodes(deps.database.db, 1)).length > 0)
    await onlyOne(deps.database.pool, reflecting, (signal) => reflectOnRuns(deps, signal));
  await pruneWhenDue(deps);
  return { ready: await countReady(deps.database.db, deps.now()) };
}

/**
 * The part of it that has an hour: leases, deadlines, reports, the end of a night. It asks no model and waits for nobody, so
 * a process looks at it also while the other part waits for one.
 */
export async function mindTime(deps: Deps): Promise<{ readonly ready: number }> {
  // Its own disks are every process's own business.
  await mindSpace(deps);
  await onlyOne(deps.database.pool, "cos tick", async () => {
    await expireDeadLeases(deps.database.db, deps.config.machine, isAlive);
    await shortenLeases(deps.database.db, deps.policy.lease.forMs);
    // A running one whose goal nobody would have claimed goes on.
    for (const sessionId of await dropIdleLeases(deps.database.db))
      await deps.database.transaction(async (tx) => lookAt(tx, sessionId));
    // Before questions end for want of an answer: these were given in time.
    await settleBatches(deps);
    await expireQuestions(deps);
    await remindOfQuestions(deps);
    await postSpooledNotices(deps);
    await runSchedules(deps);
    await mindNight(deps);
    await readTimeline(deps);
    await followOutside(deps);
    await forgetWorklogsOnTime(deps);
    await projectLeft(deps);
    const nowMs = deps.now().getTime();
    await forgetEvents(deps.database.db, new Date(nowMs - deps.policy.chat.keepEventsMs));
    await forgetKeptResults(deps.database.db, new Date(nowMs - deps.policy.verification.keepBaseResultsMs));
  });
  return { ready: await countReady(deps.database.db, deps.now()) };
}

/** Lets each reader of the timeline that has something to read do so. False: none had. */
export async function readTimeline(deps: Deps): Promise<boolean> {
  const behind = await readersBehind(deps.database.db, [memoryReader, worklogReader]);
  if (behind.has(memoryReader)) await learn(deps);
  // What this process could not say of a worklog it says, also when another one has read everything.
  if (behind.has(worklogReader) || rememberedGaps(deps.database).length > 0) await readForWorklogs(deps);
  return behind.size > 0;
}
