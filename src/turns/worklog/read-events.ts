import type { WorklogReadDeps } from "./reading.ts";
import { spaceWordsOf } from "../../core/space/no-space.ts";
import { isEvent } from "../../core/events/read.ts";
import { isAway, isTooSlow } from "../../db/connection/failures.ts";
import { readOn } from "../../db/readers.ts";
import type { TimelineRow } from "../../db/timeline.ts";
import { limitedWith } from "../shared/worklog/within.ts";
import { besideAll } from "./beside.ts";
import { endReplaced, finishWorklogOf } from "./finish.ts";
import { forgetWorklogs } from "./forget.ts";
import { tellGaps } from "./tell-gaps.ts";
import { noteExecution, noteStart, noteVerified } from "./note-events.ts";

/**
 * The worklog as a reader of events: what the engine recorded of a run is added to what its agent told, and what has ended is
 * finished. Safe twice: everything that is written names the event that it comes from. Neither the goals that it is about nor anything else that is due waits for it.
 */
export const worklogReader = "worklog";

/** At most so many events at once, and so often in one look: the next one reads on. */
const most = 200;
const mostOften = 50;

/** Reads events since the last look into the worklogs that they are about. */
export async function readForWorklogs(deps: WorklogReadDeps): Promise<void> {
  await besideAll(deps, "read", () => readAll(deps));
}

async function readAll(deps: WorklogReadDeps): Promise<void> {
  await tellGaps(deps, { opens: false });
  let isAllRead = false;
  for (let times = 0; times < mostOften; times += 1) {
    const number = await deps.database.transaction(async (tx) => {
      const { rows, keepPlace } = await readOn(tx, worklogReader, most);
      for (const row of rows) if (isEnding(row) || (isBeginning(row) && isNews(deps, row))) await readSafely(deps, row);
      await keepPlace();
      return rows.length;
    });
    isAllRead = number < most;
    if (isAllRead) break;
  }
  // Of worklogs that were opened only now, or could not be opened when their events were read.
  await tellGaps(deps, { opens: isAllRead });
}

/** Of everything that happens, what a worklog is made of. */
function isBeginning(row: TimelineRow): boolean {
  return isEvent(row, "session.started", "run.started", "run.executed", "run.verified");
}

/** However old it is: whose worklog is still open would stand there as unfinished work. */
function isEnding(row: TimelineRow): boolean {
  return isEvent(row, "goal.complete", "goal.failed", "goal.manual_followup", "goal.deferred");
}

/** What is older than entries are kept says nothing any more: a bot that is new here does not tell its whole past. */
function isNews({ policy, now }: WorklogReadDeps, { at }: TimelineRow): boolean {
  return now().getTime() - at.getTime() < policy.worklog.retention.rawMs;
}

/** An event that cannot be read is passed over; what only cannot be read now is read again. */
async function readSafely(deps: WorklogReadDeps, row: TimelineRow): Promise<void> {
  try {
    // A table that is locked is not waited for longer, by the server either.
    await limitedWith(deps, deps.policy.worklog.listTimeoutMs, (limited) => readOne(limited, row));
  } catch (error) {
    if (isAway(error) || isTooSlow(error) || spaceWordsOf(error) !== null) throw error;
    deps.log.warn("worklog.not-read", { timelineId: row.timelineId, error });
  }
}

async function readOne(deps: WorklogReadDeps, row: TimelineRow): Promise<void> {
  if (isEvent(row, "session.started")) await forgetWorklogs(deps);
  const { goalId, runId } = row;
  if (goalId === null || runId === null) return;
  const about = { goalId, runId, timelineId: row.timelineId, at: row.at };
  if (isEvent(row, "run.started")) {
    await endReplaced(deps, about);
    await noteStart(deps, about);
  }
  if (isEvent(row, "run.executed")) await noteExecution(deps, about, row.detail);
  if (isEvent(row, "run.verified")) await noteVerified(deps, about, row.detail);
  if (isEvent(row, "goal.complete")) await finishWorklogOf(deps, about, "success");
  if (isEvent(row, "goal.failed", "goal.manual_followup")) await finishWorklogOf(deps, about, "failure");
  if (isEvent(row, "goal.deferred")) await finishWorklogOf(deps, about, "aborted");
}
