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

/** One execution's account while it is worked: what is not written yet, and what is known of the rest. */
export interface RunRecord {
  readonly goal: Goal;
  readonly runId: string;
  readonly worktree: string;
  readonly tier: TierOf;
  readonly flags: WorklogFlags;
  /** Names this execution's entries. */
  readonly writer: string;
  /** Null: it could not be opened. */
  worklog: Worklog | null;
  mode: WriteMode;
  buffer: KeyedEntry[];
  lastFlushMs: number;
  number: number;
  /** Of what its agent did, as it is kept here. */
  notedBytes: number;
  /** Everything that is known to be in it, in order. */
  entries: WorklogEntry[];
  todos: readonly Todo[];
  /** The plan has changed since the todos were stored. */
  areTodosNew: boolean;
  /** Milliseconds of this phase, and the shares of those before it. */
  usedMs: number;
  earlier: Utilisations;
  /** Entries that are nowhere but here. */
  unstored: number;
  /** Of these, what there was no room for. */
  leftOut: LeftOut;
  readonly told: Set<OutageNotice>;
  untold: OutageNotice[];
}

/** Puts an entry into the buffer, under a name that is its own. */
export function noteEntry(account: RunRecord, entry: WorklogEntry): void {
  account.number += 1;
  account.buffer.push({ key: `${account.writer}.${account.number}`, entry });
  account.entries.push(entry);
}

/** What could not be done is told once; at once where the database can say it, else when the execution is over. */
export async function tell(deps: RecordingDeps, account: RunRecord, notice: OutageNotice): Promise<void> {
  if (account.told.has(notice)) return;
  account.told.add(notice);
  const { goalId } = account.goal;
  deps.log.warn("worklog.degraded", { goalId, notice });
  if (outageTierWords(account.tier.tier, notice) === null) return;
  account.untold.push(notice);
  await tellLeft(deps, account);
}

/** Posts what has not been posted yet, each once; what cannot be stays for later. */
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
