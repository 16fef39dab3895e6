import type { Goal } from "../../../core/goals/goal.ts";
import { outageTierWords, type OutageNotice, type WriteMode } from "../../../core/worklog/outage.ts";
import type { WorklogEntry } from "../../../core/worklog/entry.ts";
import type { WorklogFlags } from "../../../core/worklog/flags.ts";
import type { TierOf } from "../../../core/worklog/tier.ts";
import type { Utilisations } from "../../../core/worklog/time-budget.ts";
import type { LeftOut } from "../../../core/worklog/waiting.ts";
import type { Todo } from "../../../core/worklog/todos.ts";
import { worklogNoticeCard } from "../../../core/cards/worklog-cards.ts";
import { markNotice } from "../../../db/connection/marks.ts";
import type { KeyedEntry } from "../../../db/worklog-contents.ts";
import type { Worklog } from "../../../db/worklogs.ts";
import type { Deps } from "../../../deps.ts";
import { limited, within } from "./within.ts";

export type RecordingDeps = Pick<Deps, "database" | "policy" | "now" | "timers" | "log" | "config">;

/** The state of one execution's recording: unwritten entries, and what is known of the written ones. */
export interface RunRecord {
  readonly goal: Goal;
  readonly runId: string;
  readonly worktree: string;
  readonly tier: TierOf;
  readonly flags: WorklogFlags;
  /** Prefix of the keys of this execution's entries. */
  readonly writer: string;
  /** Null when it could not be opened. */
  worklog: Worklog | null;
  mode: WriteMode;
  buffer: KeyedEntry[];
  lastFlushMs: number;
  number: number;
  /** Total size of the agent's noted operations. */
  notedBytes: number;
  /** All entries that are known to be in the worklog, in order. */
  entries: WorklogEntry[];
  todos: readonly Todo[];
  /** True when the plan has changed since the todos were stored. */
  areTodosNew: boolean;
  /** Recording time in this phase, in milliseconds. `earlier` holds the shares of the phases before. */
  usedMs: number;
  earlier: Utilisations;
  /** Number of entries that are not stored. */
  unstored: number;
  /** Those of them that were left out for lack of room. */
  leftOut: LeftOut;
  readonly told: Set<OutageNotice>;
  untold: OutageNotice[];
}

/** Adds an entry to the buffer, with a unique key. */
export function noteEntry(account: RunRecord, entry: WorklogEntry): void {
  account.number += 1;
  account.buffer.push({ key: `${account.writer}.${account.number}`, entry });
  account.entries.push(entry);
}

/** Reports a degradation once: at once if the database can be written, otherwise when the execution ends. */
export async function tell(deps: RecordingDeps, account: RunRecord, notice: OutageNotice): Promise<void> {
  if (account.told.has(notice)) return;
  account.told.add(notice);
  const { goalId } = account.goal;
  deps.log.warn("worklog.degraded", { goalId, notice });
  if (outageTierWords(account.tier.tier, notice) === null) return;
  account.untold.push(notice);
  await tellLeft(deps, account);
}

/** Posts the notices that were not posted yet, each once. Those that fail stay for later. */
export async function tellLeft(deps: RecordingDeps, account: RunRecord): Promise<void> {
  const { goal, runId, tier } = account;
  const { untold } = account;
  for (const notice of untold) {
    const words = outageTierWords(tier.tier, notice) ?? [];
    const card = worklogNoticeCard(words, goal);
    const posted = await within(deps, deps.policy.worklog.flushTimeoutMs, () =>
      limited(deps, deps.policy.worklog.flushTimeoutMs, async (tx) => {
        markNotice(tx, `worklog.${runId}.${notice}`, { card, threadSubject: goal.goalId });
      }),
    );
    if (posted.type === "done") account.untold = account.untold.filter((each) => each !== notice);
  }
}
