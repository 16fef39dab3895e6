import type { Goal } from "../../../core/goals/goal.ts";
import { type BufferEvent, flushFor, untilDueMs } from "../../../core/worklog/buffer.ts";
import { entryBytes } from "../../../core/worklog/entry.ts";
import { noWorklogFlags } from "../../../core/worklog/flags.ts";
import { type AgentOperation, type Noted, doneOf, noteOf } from "../../../core/worklog/operations.ts";
import { appendVerdict } from "../../../core/worklog/outage.ts";
import type { Progress } from "../../../core/worklog/progress.ts";
import { type PhaseEvent, phasesEnding } from "../../../core/worklog/phases.ts";
import { tierOf } from "../../../core/worklog/tier.ts";
import { usedAfter } from "../../../core/worklog/time-budget.ts";
import { isSignificant, tierTable } from "../../../core/worklog/tiers.ts";
import { readPart, waitingBytes, withLeftOut } from "../../../core/worklog/waiting.ts";
import { updateWorklog } from "../../../db/worklogs.ts";
import { checkTodos } from "./check-todos.ts";
import { flush } from "./flush.ts";
import { openWorklog } from "./open.ts";
import { countTokens } from "./count-tokens.ts";
import { cutShort } from "./gaps.ts";
import { noteEntry, type RunRecord, type RecordingDeps, tell, tellLeft } from "./recording.ts";
import { summarise, summarised } from "./summarise.ts";
import { limited, within } from "./within.ts";
import { noteGap, pieceEntry } from "./recorder-entries.ts";

/**
 * Records one execution in the background. The agent's operations go into a buffer and are processed one after another. Nothing here
 * throws. The caller waits only for `close`, which has a time limit.
 */
export interface Recorder {
  observe(operation: AgentOperation): void;
  /** Ends the recording. `isDone`: the agent ended by itself. */
  close(isDone: boolean): Promise<void>;
}

export interface RecordedExecution {
  readonly goal: Goal;
  readonly runId: string;
  readonly worktree: string;
  /** Names the execution; unique in its run. */
  readonly writer: string;
  /** A piece of the work with its own agent. Null for the whole work. */
  readonly piece: string | null;
  /** The report of earlier work in the agent's prompt. Its tokens are counted. */
  readonly told: Progress | null;
}

/**
 * Maximum number and size of operations that wait to be noted, and of noted ones per execution. A session has room for some hundred
 * entries. Operations above the limits are left out, counted, and named in the worklog's gap.
 */
const mostWaiting = 1_000;
const mostWaitingBytes = 8_000_000;
const mostNoted = 2_000;
const mostNotedBytes = 8_000_000;

/** Starts the recording of an execution's operations in the background. The work never waits for it. */
export function openRecorder(deps: RecordingDeps, recorded: RecordedExecution): Recorder {
  const recording = beginRecording(deps, recorded);
  let isOff = false;
  let last: Promise<void> = Promise.resolve();
  let stopTimer = (): void => {};
  let waiting = 0;
  let waitingSize = 0;
  let isOpened = false;

  function then(work: () => Promise<void>): void {
    last = last.then(async () => {
      if (isOff) return;
      try {
        await work();
      } catch (error) {
        deps.log.warn("worklog.failed", { goalId: recorded.goal.goalId, error });
      }
    });
  }

  function tickLater(): void {
    const waitMs = untilDueMs(recording.lastFlushMs, deps.now().getTime(), deps.policy.worklog);
    stopTimer = deps.timers.after(waitMs, () => {
      then(() => flushIfDue(deps, recording, "time"));
      tickLater();
    });
  }

  then(async () => {
    isOff = !(await open(deps, recording));
    isOpened = true;
    if (!isOff && recorded.told !== null) await countTokens(deps, recording, recorded.told.tokens);
  });
  tickLater();

  return {
    observe(operation) {
      // Parallel agents have their own plans, which are not the goal's.
      if (operation.type === "plan" && recorded.piece !== null) return;
      const done = doneOf(operation);
      if (done === null || isOff || !isSignificant(recording.tier.tier, done)) return;
      const at = deps.now();
      // Only verbose worklogs keep output. Before the worklog is open, the flags are unknown.
      const keepsOutput = !isOpened || recording.flags.verboseLog;
      const read = readPart(operation, { secrets: deps.config.secrets, keepsOutput });
      const bytes = waitingBytes(read);
      if (waiting >= mostWaiting || waitingSize + bytes > mostWaitingBytes) {
        leaveOut(recording, done.operation);
        return;
      }
      waiting += 1;
      waitingSize += bytes;
      then(async () => {
        waiting -= 1;
        waitingSize -= bytes;
        await take(deps, recording, read, at);
      });
    },
    async close(isDone) {
      stopTimer();
      then(() => end(deps, recording, isDone, recorded.piece));
      // A database that does not answer is waited for at most as long as a phase may take.
      await within(deps, deps.policy.worklog.phaseBudgetMs, () => last);
    },
  };
}

function leaveOut(account: RunRecord, operation: string): void {
  account.unstored += 1;
  account.leftOut = withLeftOut(account.leftOut, operation);
}

/** Returns the record of a new execution. */
export function beginRecording(deps: RecordingDeps, { goal, runId, worktree, writer }: RecordedExecution): RunRecord {
  return {
    goal,
    runId,
    worktree,
    writer,
    tier: tierOf(goal),
    flags: goal.worklogFlags ?? noWorklogFlags,
    worklog: null,
    mode: "batched",
    buffer: [],
    lastFlushMs: deps.now().getTime(),
    number: 0,
    notedBytes: 0,
    entries: [],
    todos: [],
    areTodosNew: false,
    usedMs: 0,
    earlier: [],
    unstored: 0,
    leftOut: {},
    told: new Set(),
    untold: [],
  };
}

/** Opens the worklog. Returns false when it is switched off. */
async function open(deps: RecordingDeps, account: RunRecord): Promise<boolean> {
  const { goal, runId } = account;
  const { listTimeoutMs } = deps.policy.worklog;
  const opened = await within(deps, listTimeoutMs, () => openWorklog(deps, { goal, runId }));
  if (opened.type === "done") {
    const found = opened.value;
    if (found === null) return false;
    Object.assign(account, { flags: found.flags });
    account.worklog = found.worklog;
    account.entries = [...found.entries, ...account.entries];
    account.todos = found.todos;
    const { sessionId, gap, releasedAt } = found.worklog;
    // An interruption is counted when the goal is claimed again, after this worklog was created.
    const cut = goal.interruptions > 0 && gap === null ? { gap: cutShort } : {};
    // The worklog is continued. If it stays unfinished again, it is offered again.
    const unreleased = releasedAt === null ? {} : { releasedAt: null, releasedBy: null };
    const changes = { ...cut, ...unreleased };
    if (Object.keys(changes).length > 0)
      await limited(deps, listTimeoutMs, (tx) => updateWorklog(tx, sessionId, changes));
    if (opened.tookMs > deps.policy.worklog.initTimeoutMs)
      deps.log.warn("worklog.slow", { goalId: goal.goalId, tookMs: Math.round(opened.tookMs) });
    return true;
  }
  const error = opened.type === "failed" ? opened.error : opened.type;
  deps.log.warn("worklog.not-opened", { goalId: goal.goalId, error });
  account.mode = "session-only";
  await tell(deps, account, "fallback");
  return !account.flags.noWorklog;
}

async function take(deps: RecordingDeps, account: RunRecord, operation: AgentOperation, at: Date): Promise<void> {
  const startedMs = performance.now();
  const { worktree, todos, tier, flags, goal } = account;
  const { secrets } = deps.config;
  const noted = noteOf(operation, { worktree, todos, secrets, isVerbose: flags.verboseLog, at });
  if (noted === null || !isSignificant(tier.tier, noted.done)) return;
  const bytes = entryBytes(noted.entry);
  if (account.number >= mostNoted || account.notedBytes + bytes > mostNotedBytes)
    return leaveOut(account, noted.done.operation);
  account.notedBytes += bytes;
  const tookMs = performance.now() - startedMs;
  account.usedMs = usedAfter(account.usedMs, "append", tookMs);
  const verdict = appendVerdict(tookMs, deps.policy.worklog);
  if (verdict !== "keep") deps.log.warn("worklog.slow-append", { goalId: goal.goalId, verdict });
  if (verdict === "drop") account.unstored += 1;
  else noteEntry(account, noted.entry);
  if (noted.todos !== null) {
    account.todos = noted.todos;
    account.areTodosNew = true;
    if (tierTable[tier.tier].verifies && !flags.skipVerify) await checkTodos(deps, account);
  }
  await afterNote(deps, account, noted);
}

async function afterNote(deps: RecordingDeps, account: RunRecord, { entry }: Noted): Promise<void> {
  await endPhases(deps, account, { type: "entry", entry });
  await flushIfDue(deps, account, entry.status === "failed" ? "error" : "appended");
}

async function endPhases(deps: RecordingDeps, account: RunRecord, event: PhaseEvent): Promise<void> {
  if (account.flags.noCheckpoints) return;
  const { entries, tier } = account;
  for (const ending of phasesEnding(tier.tier, event, { entries, done: summarised(entries) }))
    await summarise(deps, account, ending);
}

async function flushIfDue(deps: RecordingDeps, account: RunRecord, event: BufferEvent): Promise<void> {
  const { buffer, lastFlushMs } = account;
  const reason = flushFor({ length: buffer.length, lastFlushMs }, event, deps.now().getTime(), deps.policy.worklog);
  if (reason !== null) await flush(deps, account, reason);
}

async function end(deps: RecordingDeps, account: RunRecord, isDone: boolean, piece: string | null): Promise<void> {
  if (piece !== null) noteEntry(account, pieceEntry(piece, isDone, deps.now()));
  else if (isDone) await endPhases(deps, account, { type: "executed" });
  await flushIfDue(deps, account, isDone ? "completion" : "shutdown");
  await tellLeft(deps, account);
  if (account.unstored > 0) await noteGap(deps, account);
}
