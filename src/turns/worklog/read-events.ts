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
 * The timeline reader for worklogs. It adds what the engine recorded about a run to what its agent reported, and finishes worklogs. Safe to
 * repeat: everything that it writes carries the id of its event. Neither the goals nor anything else that is due waits for it.
 */
export const worklogReader = "worklog";

/** Maximum number of events in one transaction, and of transactions in one call. The next call continues. */
const most = 200;
const mostOften = 50;

/** Reads the events since the last call into the worklogs that they are about. */
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
  // Gaps of worklogs that were opened only now, or that could not be opened when their events were read.
  await tellGaps(deps, { opens: isAllRead });
}

/** True for an event that opens a worklog, adds to it, or cleans up. */
function isBeginning(row: TimelineRow): boolean {
  return isEvent(row, "session.started", "run.started", "run.executed", "run.verified");
}

/** True for an event that finishes a worklog. It is read however old it is: a worklog that stays open would look like unfinished work. */
function isEnding(row: TimelineRow): boolean {
  return isEvent(row, "goal.complete", "goal.failed", "goal.manual_followup", "goal.deferred");
}

/** False for an event that is older than entries are kept. So a reader that starts from the beginning does not record the whole past. */
function isNews({ policy, now }: WorklogReadDeps, { at }: TimelineRow): boolean {
  return now().getTime() - at.getTime() < policy.worklog.retention.rawMs;
}

/** Reads an event; one that cannot be read is skipped. Throws temporary errors, so that the event is read again. */
async function readSafely(deps: WorklogReadDeps, row: TimelineRow): Promise<void> {
  try {
    // The server also ends statements that wait longer for a locked table.
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
