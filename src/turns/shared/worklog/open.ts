import type { Goal } from "../../../core/goals/goal.ts";
import { type EarlierWork, earlierWork, looksBack } from "../../../core/worklog/earlier.ts";
import type { WorklogEntry } from "../../../core/worklog/entry.ts";
import { earlierWorkCard } from "../../../core/cards/worklog-cards.ts";
import { noWorklogFlags, withFlags, type WorklogFlags } from "../../../core/worklog/flags.ts";
import { type IdCounter, nextSessionId } from "../../../core/worklog/session-id.ts";
import { type TierOf, tierOf } from "../../../core/worklog/tier.ts";
import type { Todo } from "../../../core/worklog/todos.ts";
import { type Db, readTogether } from "../../../db/connection/client.ts";
import { isTooSlow } from "../../../db/connection/failures.ts";
import { markNotice } from "../../../db/connection/marks.ts";
import { getSession } from "../../../db/sessions.ts";
import { entriesOf, insertEntries, todosOf } from "../../../db/worklog-contents.ts";
import {
  insertWorklog,
  type NewWorklog,
  type Offered,
  offerOf,
  unfinishedOf,
  unfinishedOfGoal,
  updateWorklog,
  type Worklog,
} from "../../../db/worklogs.ts";
import type { Deps } from "../../../deps.ts";
import { settleAbandoned } from "./settle-offer.ts";
import { limited, type Within, within } from "./within.ts";

/** The worklog of a run with its content and its current flags. */
export interface RunWorklog {
  readonly flags: WorklogFlags;
  readonly worklog: Worklog;
  readonly entries: readonly WorklogEntry[];
  readonly todos: readonly Todo[];
}

export type WorklogDeps = Pick<Deps, "database" | "policy" | "now" | "timers" | "log">;

/** Returns the flags of a goal's worklog: its own and those of its session. */
export async function flagsOf(db: Db, goal: Goal): Promise<WorklogFlags> {
  const session = goal.sessionId === null ? null : await getSession(db, goal.sessionId);
  return withFlags(goal.worklogFlags ?? noWorklogFlags, session?.worklogFlags ?? noWorklogFlags);
}

/** A run of a goal that has a worklog or gets one. */
export interface OfRun {
  readonly goal: Goal;
  readonly runId: string;
  /** When its content begins, for a worklog that is opened afterwards. Absent when it begins now. */
  readonly since?: Date;
}

/**
 * Returns the open worklog of a run. Without one, earlier unfinished work of the same person is searched for, and a new worklog is
 * created. Null when the worklog is switched off. Safe to repeat, also from several processes at once. A worklog whose entries cannot
 * be read is put aside and replaced (S0-RT-08). Each statement has a time limit on the server; throws its error.
 */
export async function openWorklog(deps: WorklogDeps, { goal, runId, since }: OfRun): Promise<RunWorklog | null> {
  if (goal.worklogFlags?.noWorklog === true) return null;
  const limitMs = deps.policy.worklog.listTimeoutMs;
  const { flags, opened, unfinished } = await limited(deps, limitMs, (tx) => lookFor(deps, tx, { goal, runId }));
  if (flags.noWorklog) return null;
  if (opened !== null) return opened;
  const tier = tierOf(goal);
  // The search for earlier work is its first entry (C-09), so it begins before that search.
  const startedAt = since ?? deps.now();
  const looked = await lookBack(deps, goal, tier);
  return await insertFresh(deps, { goal, runId, flags, tier, looked, startedAt, unfinished });
}

/** Returns the flags, the goal's unfinished earlier worklogs, and the open worklog; `opened` is null when none can be written to. */
async function lookFor(
  deps: WorklogDeps,
  tx: Db,
  { goal, runId }: OfRun,
): Promise<Pick<Fresh, "flags" | "unfinished"> & { readonly opened: RunWorklog | null }> {
  const [flags, unfinished] = await readTogether(tx, (reads) =>
    Promise.all([flagsOf(reads, goal), unfinishedOfGoal(reads, goal.goalId)]),
  );
  const known = unfinished.find(({ worklog }) => worklog.runId === runId && worklog.outcome === "in_progress");
  const isWanted = !flags.noWorklog && known !== undefined;
  return { flags, unfinished, opened: isWanted ? await readWhole(deps, tx, known.worklog, flags) : null };
}

async function readWhole(deps: WorklogDeps, tx: Db, known: Worklog, flags: WorklogFlags): Promise<RunWorklog | null> {
  const [stored, todos] = await readTogether(tx, (reads) =>
    Promise.all([entriesOf(reads, known.sessionId), todosOf(reads, known.sessionId)]),
  );
  if (stored.type === "read" && known.hasRaw)
    return { flags, worklog: known, entries: stored.entries, todos: todos ?? [] };
  const now = deps.now();
  const aside = { outcome: "abandoned", settledAt: now, releasedAt: now } as const;
  if (stored.type === "read") {
    // An earlier version summarised it and deleted its entries while its goal was open.
    await updateWorklog(tx, known.sessionId, aside);
    return null;
  }
  deps.log.warn("worklog.corrupt", { sessionId: known.sessionId });
  const gap = "its entries could not be read; it was put aside";
  await updateWorklog(tx, known.sessionId, { ...aside, isCorrupt: true, gap });
  return null;
}

interface Looked {
  readonly work: EarlierWork | null;
  readonly entry: WorklogEntry;
}

/** Searches for earlier work. Null when this tier does not. A timeout or failure is only noted in the entry (C-09). */
async function lookBack(deps: WorklogDeps, goal: Goal, { tier }: TierOf): Promise<Looked | null> {
  if (!looksBack(tier)) return null;
  const { detection } = deps.policy.worklog;
  const { heartbeatMs } = detection;
  const { createdBy: owner, repositoryId, goalId } = goal;
  const who = { owner, repositoryId, goalId, now: deps.now(), heartbeatMs };
  const looking = limited(deps, detection.timeoutMs, (tx) => unfinishedOf(tx, who, detection.most));
  const found = await within(deps, detection.timeoutMs, async () => earlierWork(await looking, deps.now(), detection));
  // The server ends the search at the same limit. The next step must not begin before that.
  await looking.catch(() => undefined);
  if (found.type === "failed" && !isLate(found))
    deps.log.warn("worklog.not-looked-back", { goalId: goal.goalId, error: found.error });
  const work = found.type === "done" ? found.value : null;
  const status = found.type === "done" ? "completed" : isLate(found) ? "timeout" : "failed";
  const entry: WorklogEntry = {
    timestamp: deps.now().toISOString(),
    action: "CheckpointDetection",
    status,
    context: work === null ? "no unfinished work was found" : `found ${work.session_id}`,
    details: { found: work?.session_id ?? null },
    tokens_consumed: 0,
  };
  return { work, entry };
}

function isLate(found: Within<unknown>): boolean {
  return found.type === "timeout" || (found.type === "failed" && isTooSlow(found.error));
}

interface Fresh {
  readonly goal: Goal;
  readonly runId: string;
  readonly flags: WorklogFlags;
  readonly tier: TierOf;
  readonly looked: Looked | null;
  readonly startedAt: Date;
  readonly unfinished: readonly Offered[];
}

async function insertFresh(
  deps: WorklogDeps,
  { goal, runId, flags, tier, looked, startedAt, unfinished }: Fresh,
): Promise<RunWorklog> {
  const row: Omit<NewWorklog, "sessionId"> = {
    goalId: goal.goalId,
    runId,
    owner: goal.createdBy,
    taskDescription: goal.content,
    tier: tier.tier,
    confidence: tier.confidence,
    reason: tier.reason,
    flags,
    planned: [...goal.filesAllowed],
    startedAt,
    lastModified: deps.now(),
    outcome: "in_progress",
  };
  const first = looked === null ? [] : [{ key: "looked-back", entry: looked.entry }];
  while (true) {
    const sessionId = await freshSessionId(deps);
    const opened = await limited(deps, deps.policy.worklog.listTimeoutMs, async (tx): Promise<RunWorklog | null> => {
      const worklog = await insertWorklog(tx, { ...row, sessionId });
      // Another process has created this run's worklog or used the id.
      if (worklog === null) return (await lookFor(deps, tx, { goal, runId })).opened;
      await insertEntries(tx, sessionId, first);
      const at = deps.now();
      await settleAbandoned(tx, unfinished, { startedBy: at, at, words: `Its goal goes on: ${sessionId}.` });
      if (looked?.work != null) {
        const card = earlierWorkCard(looked.work, goal.goalId);
        markNotice(tx, offerOf(looked.work.session_id), { card, threadSubject: goal.goalId });
      }
      return { flags, worklog, entries: first.map(({ entry }) => entry), todos: [] };
    });
    if (opened !== null) return opened;
  }
}

/** The last session id that this process created, per connection pool. */
const lastIds = new WeakMap<Deps["database"]["pool"], IdCounter>();

/** Returns a new session id. Waits for the next second when the ids of the current one are used up (C-04). */
export async function freshSessionId({
  database,
  now,
  timers,
}: Pick<Deps, "database" | "now" | "timers">): Promise<string> {
  while (true) {
    const next = nextSessionId(lastIds.get(database.pool) ?? null, now());
    if (next.type === "made") {
      lastIds.set(database.pool, next.counter);
      return next.id;
    }
    await new Promise<void>((resume) => timers.after(next.ms, resume));
  }
}
