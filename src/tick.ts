import { lookAt } from "./db/connection/looks.ts";
import { countReady } from "./db/ready-goals.ts";
import { forgetKeptResults } from "./db/base-results.ts";
import { forgetEvents } from "./db/events.ts";
import { pendingEpisodes } from "./db/episodes.ts";
import { readersBehind } from "./db/readers.ts";
import { dropIdleLeases, expireDeadLeases, shortenLeases } from "./db/leases.ts";
import { shortenWaits } from "./db/waits.ts";
import { onlyOne } from "./db/connection/locks.ts";
import type { Deps } from "./deps.ts";
import { gatherGoalCard } from "./projection/goal.ts";
import { projectLeft } from "./projection/project.ts";
import { advanceCampaigns } from "./turns/campaigns/advance.ts";
import { answerDueBatches } from "./turns/answers/batch.ts";
import { expireQuestions, remindOfQuestions } from "./turns/answers/deadlines.ts";
import { finishDueBranches, performDueMerges } from "./turns/merging/merge.ts";
import { advanceMergeQueues } from "./turns/merging/merge-queue.ts";
import { pruneWhenDue } from "./turns/housekeeping/prune.ts";
import { reportSpace } from "./turns/housekeeping/report-space.ts";
import { storeOutputs } from "./turns/housekeeping/store-outputs.ts";
import { syncPulls } from "./turns/forges/pulls.ts";
import { endDueNight } from "./turns/nights/night.ts";
import { readingReplies, readWaitingReplies } from "./turns/answers/read-replies.ts";
import { countEvents, countsReader } from "./turns/reports/count.ts";
import { postSpooledNotices } from "./turns/reports/spool.ts";
import { learn } from "./turns/memory/learn.ts";
import { memoryReader } from "./turns/memory/reader.ts";
import { reflecting, reflectOnRuns } from "./turns/memory/reflect.ts";
import { runSchedules } from "./turns/reports/schedules.ts";
import { forgetWorklogsOnTime } from "./turns/worklog/forget.ts";
import { followOutside } from "./turns/worklog/outside.ts";
import { readForWorklogs, worklogReader } from "./turns/worklog/read-events.ts";
import { rememberedGaps } from "./turns/shared/worklog/gaps.ts";
import { oneByOne } from "./turns/shared/one-by-one.ts";
import { reportWorking } from "./turns/shared/working.ts";
import { isAlive } from "./turns/shared/process-identity.ts";

/**
 * Does everything that is due. Each process ticks on its own timer, so that nothing depends on the queue (D6, D7). Time enters here:
 * tests call it with a manual clock. An advisory lock admits one process at a time; a tick of another process that runs now does the
 * same work. Returns the number of ready goals.
 */
export async function tick(deps: Deps): Promise<{ readonly ready: number }> {
  await tickTimers(deps);
  await tickWork(deps);
  await tickBranches(deps);
  return await tickForges(deps);
}

/**
 * The part of a tick that uses forges: merges there, and pull requests. A forge may answer slowly, and nothing else waits for it: each
 * process runs this part in parallel with the others.
 */
export async function tickForges(deps: Deps, stopping?: AbortSignal): Promise<{ readonly ready: number }> {
  const { pool, db } = deps.database;
  const gather = (goalId: string) => gatherGoalCard(db, deps, goalId);
  if (deps.config.forges.length > 0)
    await oneByOne(
      [
        () => onlyOne(pool, "cos merges there", (signal) => performDueMerges(deps, "there", signal), { stopping }),
        () => onlyOne(pool, "cos pulls", (signal) => syncPulls(deps, gather, signal), { stopping }),
      ],
      stopping,
    );
  return { ready: await countReady(db, deps.now()) };
}

/**
 * The part of a tick that merges finished work. Filters and hooks of a person's repository take time, and nothing else waits for them:
 * while one repository is busy, the next tick may begin, and continues with the others.
 */
export async function tickBranches(deps: Deps, stopping?: AbortSignal): Promise<{ readonly ready: number }> {
  const parts = [() => finishDueBranches(deps, stopping), () => advanceMergeQueues(deps, stopping)];
  await oneByOne(parts, stopping);
  return { ready: await countReady(deps.database.db, deps.now()) };
}

/**
 * The part of a tick that uses a model or waits for somebody: replies, campaigns, removal of old data. When `stopping` aborts, the
 * process is ending, and no further step begins.
 */
export async function tickWork(deps: Deps, stopping?: AbortSignal): Promise<{ readonly ready: number }> {
  const { pool, db } = deps.database;
  await oneByOne(
    [
      () => onlyOne(pool, readingReplies, (signal) => readWaitingReplies(deps, signal), { stopping }),
      () => advanceCampaigns(deps, stopping),
      // Nobody waits for the lessons of a run.
      async () => {
        if ((await pendingEpisodes(db, 1)).length > 0)
          await onlyOne(pool, reflecting, (signal) => reflectOnRuns(deps, signal), { stopping });
      },
      () => pruneWhenDue(deps),
      // Outputs that could not be stored when their turn ended.
      () => storeOutputs(deps),
      // What this process can work; remote repositories may answer slowly.
      () => reportWorking(deps),
    ],
    stopping,
  );
  return { ready: await countReady(deps.database.db, deps.now()) };
}

/**
 * The part of a tick with a due time: leases, deadlines, reports, the end of a night. It uses no model and waits for nobody, so a
 * process runs it even while the other part waits.
 */
export async function tickTimers(deps: Deps): Promise<{ readonly ready: number }> {
  // Every process reports its own disks.
  await reportSpace(deps);
  await onlyOne(deps.database.pool, "cos tick", async () => {
    await expireDeadLeases(deps.database.db, deps.config.machine, isAlive);
    await shortenLeases(deps.database.db, deps.policy.lease.forMs);
    await shortenWaits(deps.database.db, deps.now(), deps.policy.lease.forMs);
    // A running session whose goal nobody would have claimed goes on.
    for (const sessionId of await dropIdleLeases(deps.database.db))
      await deps.database.transaction(async (tx) => lookAt(tx, sessionId));
    // Before questions expire: these answers were given in time.
    const nowMs = deps.now().getTime();
    await oneByOne([
      async () => {
        await answerDueBatches(deps);
        await expireQuestions(deps);
      },
      () => remindOfQuestions(deps),
      () => postSpooledNotices(deps),
      () => runSchedules(deps),
      () => endDueNight(deps),
      () => readTimeline(deps),
      () => followOutside(deps),
      () => forgetWorklogsOnTime(deps),
      () => projectLeft(deps),
      () => forgetEvents(deps.database.db, new Date(nowMs - deps.policy.chat.keepEventsMs)),
      () => forgetKeptResults(deps.database.db, new Date(nowMs - deps.policy.verification.keepBaseResultsMs)),
    ]);
  });
  return { ready: await countReady(deps.database.db, deps.now()) };
}

/** Runs each reader of the timeline that has something to read. False when none had. */
export async function readTimeline(deps: Deps): Promise<boolean> {
  const behind = await readersBehind(deps.database.db, [memoryReader, worklogReader, countsReader]);
  if (behind.has(memoryReader)) await learn(deps);
  if (behind.has(countsReader)) await countEvents(deps);
  // Gaps that this process could not record in a worklog are recorded, even if another process has read everything.
  if (behind.has(worklogReader) || rememberedGaps(deps.database).length > 0) await readForWorklogs(deps);
  return behind.size > 0;
}
