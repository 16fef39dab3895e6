import {
  finalSummary,
  type WorklogOutcome,
  skippedSummary,
  whyMissing,
  type WorklogSummary,
} from "../../core/worklog/finish.ts";
import { leavesOut } from "../../core/worklog/flags.ts";
import { lateCard, mismatchCard } from "../../core/cards/worklog-cards.ts";
import { itHasEnded } from "../../core/worklog/earlier.ts";
import { openMismatch } from "../../core/worklog/checks.ts";
import type { WorklogEntry } from "../../core/worklog/entry.ts";
import { lateDeviations } from "../../core/worklog/phases.ts";
import { tierTable } from "../../core/worklog/tiers.ts";
import { markNotice } from "../../db/connection/marks.ts";
import type { Db } from "../../db/connection/client.ts";
import { addToDay } from "../../db/worklog-days.ts";
import { deleteSummaries, deleteTodos, entriesOf, insertEntries, todosOf } from "../../db/worklog-contents.ts";
import { lockWorklog, type Offered, unfinishedOfGoal, updateWorklog, type Worklog } from "../../db/worklogs.ts";
import { settleAbandoned, settleOffer } from "../shared/worklog/settle-offer.ts";
import { summarised } from "../shared/worklog/summarise.ts";
import type { EventSubject } from "./reading.ts";
import type { WorklogReadDeps } from "./reading.ts";

type FinishDeps = Pick<WorklogReadDeps, "database" | "now" | "log">;
type OfRun = Pick<EventSubject, "goalId" | "runId" | "at">;

/**
 * Call this when the goal of a run has ended. Finishes the run's worklog and the goal's earlier worklogs. Safe to repeat: a finished
 * worklog is not open.
 */
export async function finishWorklogOf(
  deps: FinishDeps,
  about: OfRun,
  outcome: Exclude<WorklogOutcome, "in_progress">,
): Promise<void> {
  const { goalId, runId, at } = about;
  const unfinished = await unfinishedOfGoal(deps.database.db, goalId);
  if (unfinished.length === 0) return;
  await deps.database.transaction(async (tx) => {
    for (const offered of unfinished) {
      if (offered.worklog.runId === runId) await endOffered(tx, offered, outcome, at);
      else if (isReplaced(offered, about)) await endOffered(tx, offered, "aborted", at);
    }
    await settleAbandoned(tx, unfinished, { startedBy: at, at: deps.now(), words: itHasEnded });
  });
}

/** Call this when a run has begun. Worklogs that earlier runs of its goal left open end as aborted. */
export async function endReplaced({ database }: FinishDeps, about: OfRun): Promise<void> {
  const replaced = (await unfinishedOfGoal(database.db, about.goalId)).filter((each) => isReplaced(each, about));
  if (replaced.length === 0) return;
  await database.transaction(async (tx) => {
    for (const offered of replaced) await endOffered(tx, offered, "aborted", about.at);
  });
}

/** True for a worklog of an earlier run of the goal. A goal has one run at a time. */
function isReplaced({ worklog }: Offered, { runId, at }: OfRun): boolean {
  return worklog.runId !== null && worklog.runId !== runId && worklog.startedAt < at;
}

async function endOffered(
  tx: Db,
  offered: Offered,
  outcome: Exclude<WorklogOutcome, "in_progress">,
  at: Date,
): Promise<void> {
  if (offered.worklog.outcome !== "in_progress") return;
  const stored = await lockWorklog(tx, offered.worklog.sessionId);
  if (stored?.outcome !== "in_progress") return;
  await finishIn(tx, stored, outcome, at);
  if (stored.releasedAt === null) settleOffer(tx, offered, itHasEnded);
}

/** Adds a skipped entry with the reason for each missing summary (C-14). Then summarises the worklog and adds its numbers to its day. */
export async function finishIn(
  tx: Db,
  worklog: Worklog,
  outcome: Exclude<WorklogOutcome, "in_progress">,
  at: Date,
): Promise<void> {
  const { sessionId } = worklog;
  const stored = await entriesOf(tx, sessionId);
  const entries = stored.type === "read" ? [...stored.entries] : [];
  if (!worklog.flags.noCheckpoints) {
    const done = summarised(entries);
    const missing = tierTable[worklog.tier].summaries.filter((phase) => !done.includes(phase));
    const skipped = missing.map((phase) => skippedSummary(phase, whyMissing(phase, entries, worklog.unstored), at));
    await insertEntries(
      tx,
      sessionId,
      skipped.map((entry) => ({ key: `phase.${entry.details.phase}`, entry })),
    );
    entries.push(...skipped);
  }
  const summary = finalSummary(entries, { startedAt: worklog.startedAt, endedAt: at, tokens: worklog.tokens });
  await updateWorklog(tx, sessionId, {
    outcome,
    completedAt: at,
    settledAt: at,
    lastModified: at,
    summary,
    ...(stored.type === "corrupt" ? { isCorrupt: true, gap: "its entries could not be read" } : {}),
  });
  await tellLate(tx, worklog, entries);
  tellUnsettled(tx, worklog, entries);
  await deleteTodos(tx, sessionId);
  // Successful work is not resumed (C-18).
  if (outcome === "success") await deleteSummaries(tx, sessionId);
  await countInDay(tx, { ...worklog, outcome, completedAt: at }, summary);
}

/** Posts the deviations that came after the last summary, in the goal's thread. */
async function tellLate(tx: Db, worklog: Worklog, entries: readonly WorklogEntry[]): Promise<void> {
  const { sessionId, goalId, planned, taskDescription: content } = worklog;
  if (goalId === null || worklog.flags.noCheckpoints || lateDeviations(entries, { planned }).length === 0) return;
  const late = lateDeviations(entries, { planned, todos: await todosOf(tx, sessionId) });
  markNotice(tx, `worklog.${sessionId}.late`, { card: lateCard(late, { goalId, content }), threadSubject: goalId });
}

/**
 * Posts a difference between todos that nobody has settled. The todos are deleted with the worklog's end, so nothing can be chosen any
 * more.
 */
function tellUnsettled(
  tx: Db,
  { sessionId, goalId, taskDescription: content }: Worklog,
  entries: readonly WorklogEntry[],
): void {
  const check = openMismatch(entries);
  if (goalId === null || check === null) return;
  const details = check.details.mismatch_details ?? "";
  const card = mismatchCard(
    { sessionId, goalId, content, details, options: [] },
    "The goal has ended; nobody settled this.",
  );
  markNotice(tx, `worklog.${sessionId}.todos`, { card, threadSubject: goalId });
}

/** The UTC date on which a worklog ended, `YYYY-MM-DD`. */
export function endDay({ completedAt, settledAt, lastModified }: Worklog): string {
  return (completedAt ?? settledAt ?? lastModified).toISOString().slice(0, 10);
}

/**
 * Adds the numbers of a goal's worklog to the row of the day on which it ended, once. A person's own session is left out, as it says
 * nothing about goals.
 */
export async function countInDay(tx: Db, worklog: Worklog, summary: WorklogSummary): Promise<void> {
  if (worklog.isCounted) return;
  const { passed, failed, skipped, user_accepted: accepted } = summary.verification_results;
  const numbers = {
    worklogs: 1,
    operations: summary.total_operations,
    unstored: worklog.unstored,
    verified: passed,
    unverified: failed + skipped + accepted,
    summaries: summary.checkpoints_generated,
    corrections: worklog.corrections,
    skipping: leavesOut(worklog.flags) ? 1 : 0,
    tokens: summary.total_tokens,
  };
  if (worklog.goalId !== null) await addToDay(tx, endDay(worklog), worklog.outcome, numbers);
  await updateWorklog(tx, worklog.sessionId, { isCounted: true });
}
