import { phaseCard } from "../../../core/cards/worklog-cards.ts";
import { entryBytes, type EntryOf, type WorklogEntry } from "../../../core/worklog/entry.ts";
import { skippedSummary } from "../../../core/worklog/finish.ts";
import { asksForCorrection, type EndedPhase, phaseSummary } from "../../../core/worklog/phases.ts";
import type { PhaseSummary } from "../../../core/worklog/phase.ts";
import { bytesOf, keptDeviations, keptSummary } from "../../../core/worklog/room.ts";
import { allowanceFor, trend } from "../../../core/worklog/time-budget.ts";
import { type Db, lockAndRead } from "../../../db/connection/client.ts";
import { markNotice } from "../../../db/connection/marks.ts";
import { insertEntries, insertSummary, summariesOf } from "../../../db/worklog-contents.ts";
import { lockWorklog, updateWorklog, type Worklog } from "../../../db/worklogs.ts";
import { flush } from "./flush.ts";
import { noteEntry, type RunRecord, type RecordingDeps } from "./recording.ts";
import { limited, within } from "./within.ts";

/** Returns the phases that have a summary, or an entry that says why they have none. */
export function summarised(entries: readonly WorklogEntry[]): string[] {
  return entries.flatMap((entry) => (entry.action === "Checkpoint" ? [entry.details.phase] : []));
}

/**
 * Summarises a phase that has ended: writes the buffer first, then stores the summary and posts it in the goal's thread. A summary that
 * would take too long is skipped, and a failure is noted. Neither affects the goal (S0-CP-09, C-20).
 */
export async function summarise(deps: RecordingDeps, account: RunRecord, ended: EndedPhase): Promise<void> {
  const { phase } = ended;
  const policy = deps.policy.worklog;
  const { goal, worklog } = account;
  await flush(deps, account, "checkpoint_flush");
  const allowed = allowanceFor("checkpoint", policy.summaryTimeoutMs, {
    usedMs: account.usedMs,
    budgetMs: policy.phaseBudgetMs,
    earlier: account.earlier,
    share: policy.adaptiveShare,
  });
  const startedMs = performance.now();
  const now = deps.now();
  const summary = phaseSummary(account.entries, ended, {
    planned: goal.filesAllowed,
    at: now,
    todos: account.todos,
  });
  if (allowed.type === "skip") {
    noteEntry(account, skippedSummary(phase, allowed.reason, now));
  } else if (worklog === null || account.mode === "session-only") {
    // It cannot be stored. The engine creates it from the stored entries when its own event reports the end of the phase.
    account.entries.push(summaryEntry(summary));
  } else {
    const kept = await within(deps, allowed.timeoutMs, () =>
      limited(deps, allowed.timeoutMs, (tx) =>
        keepSummary(tx, worklog, summary, {
          key: `phase.${phase}`,
          content: goal.content,
          most: policy.retention.sessionBytes,
        }),
      ),
    );
    if (kept.type === "done") account.entries.push(summaryEntry(summary));
    else {
      const error = kept.type === "failed" ? kept.error : kept.type;
      deps.log.warn("worklog.no-summary", { goalId: goal.goalId, phase, error });
      noteEntry(account, { ...summaryEntry(summary), status: kept.type === "timeout" ? "timeout" : "failed" });
    }
  }
  const usedMs = account.usedMs + performance.now() - startedMs;
  account.earlier = [...account.earlier, { phase, share: usedMs / policy.phaseBudgetMs }];
  account.usedMs = 0;
  const share = usedMs / policy.phaseBudgetMs;
  deps.log.info("worklog.phase-time", { goalId: goal.goalId, phase, share, trend: trend(account.earlier) });
}

/** Stores a summary with its entry, as far as there is room, and posts it. Once per phase. */
export async function keepSummary(
  tx: Db,
  worklog: Pick<Worklog, "sessionId" | "goalId">,
  summary: PhaseSummary,
  { key, content, most }: { readonly key: string; readonly content: string; readonly most: number },
): Promise<void> {
  const { sessionId, goalId } = worklog;
  const [stored, known] = await lockAndRead(
    tx,
    (db) => lockWorklog(db, sessionId),
    (reads) => summariesOf(reads, sessionId),
  );
  if (stored === null || known.some((each) => each.summary.phase === summary.phase)) return;
  const kept = keptSummary(summary, stored.bytes, most);
  await insertSummary(tx, sessionId, known.length + 1, kept);
  const entry = summaryEntry(summary, kept.deviations);
  await insertEntries(tx, sessionId, [{ key, entry }]);
  const bytes = stored.bytes + entryBytes(entry) + bytesOf(kept);
  const corrections = stored.corrections + (asksForCorrection(summary) ? 1 : 0);
  await updateWorklog(tx, sessionId, { bytes, corrections });
  if (goalId === null) return;
  markNotice(tx, `worklog.${sessionId}.${summary.phase}`, {
    card: phaseCard(summary, { goalId, content }),
    threadSubject: goalId,
  });
}

/** Returns the worklog entry of a summary. `kept`: the deviations for which there is room. */
export function summaryEntry(
  summary: PhaseSummary,
  kept: PhaseSummary["deviations"] = keptDeviations(summary.deviations),
): EntryOf<"Checkpoint"> {
  const { phase, operations_since_last: operations, deviations } = summary;
  return {
    timestamp: summary.timestamp,
    action: "Checkpoint",
    status: "completed",
    context: `${phase}: ${operations} operations, ${deviations.length} deviations`,
    details: { phase, operations_count: operations, deviations: [...kept] },
    tokens_consumed: 0,
  };
}
