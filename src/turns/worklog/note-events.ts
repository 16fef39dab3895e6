import { existsSync } from "node:fs";
import type { ChangedFile } from "../../agent/git/diff.ts";
import { GitError } from "../../agent/git/git.ts";
import { commandType } from "../../core/worklog/commands.ts";
import type { WorklogEntry } from "../../core/worklog/entry.ts";
import type { PhaseSummary } from "../../core/worklog/phase.ts";
import { modifiedFiles, type PhaseEvent, phasesEnding, phaseSummary } from "../../core/worklog/phases.ts";
import { toldCommand, shownWithoutSecrets } from "../../core/worklog/operations.ts";
import { fitting, filesOfEntry } from "../../core/worklog/room.ts";
import { isSignificant } from "../../core/worklog/tiers.ts";
import type { EventDetails } from "../../core/events/event.ts";
import { count, shorten } from "../../core/text.ts";
import { spaceWordsOf } from "../../core/space/no-space.ts";
import { globMatcher } from "../../core/text/globs.ts";
import { isAway } from "../../db/connection/failures.ts";
import { listEvidence } from "../../db/evidence.ts";
import { getGoal } from "../../db/goals.ts";
import { findRepository } from "../../db/repositories.ts";
import { getRun } from "../../db/runs.ts";
import { insertEntries, type KeyedEntry, todosOf } from "../../db/worklog-contents.ts";
import { lockWorklog, updateWorklog, worklogsOfGoal, type Worklog } from "../../db/worklogs.ts";
import { originOf } from "../../facts/origin.ts";
import { mirrorDirOf } from "../../paths.ts";
import { type RunWorklog, openWorklog } from "../shared/worklog/open.ts";
import { keepSummary, summarised, summaryEntry } from "../shared/worklog/summarise.ts";
import type { EventSubject, WorklogReadDeps } from "./reading.ts";

/** The worklog of a run. It is opened when there is none. Null when none is wanted, or when it is finished. */
async function worklogOf(deps: WorklogReadDeps, { goalId, runId, at }: EventSubject): Promise<RunWorklog | null> {
  const goal = await getGoal(deps.database.db, goalId);
  if (goal === null) return null;
  const known = (await worklogsOfGoal(deps.database.db, goalId)).filter((each) => each.runId === runId);
  // An event that is read again adds nothing to a finished worklog.
  if (known.some((each) => each.completedAt !== null)) return null;
  return await openWorklog(deps, { goal, runId, since: at });
}

/** Opens the worklog of a run that has begun, even if no agent reports what it does. */
export async function noteStart(deps: WorklogReadDeps, about: EventSubject): Promise<void> {
  const run = await getRun(deps.database.db, about.runId);
  if (run?.status === "open") await worklogOf(deps, about);
}

/**
 * Call this at the end of an execution. Adds the changed files that git shows and the agent did not report, and the result of a command
 * that reports nothing (S0-OL).
 */
export async function noteExecution(
  deps: WorklogReadDeps,
  about: EventSubject,
  detail: EventDetails["run.executed"],
): Promise<void> {
  const opened = await worklogOf(deps, about);
  if (opened === null) return;
  const entries = [...(await commandEntries(deps, about)), ...(await gitEntries(deps, about, opened, detail.commit))];
  const known = await add(deps, opened, about, entries);
  if (detail.end === "finished") await endPhases(deps, opened.worklog, known, { type: "executed" });
}

/** Adds the system's verification of a commit as a test run, whatever the criteria are (S0-CP-06). */
export async function noteVerified(
  deps: WorklogReadDeps,
  about: EventSubject,
  detail: EventDetails["run.verified"],
): Promise<void> {
  const opened = await worklogOf(deps, about);
  if (opened === null) return;
  const { pass, fail, round } = detail;
  const all = pass.length + fail.length;
  const failing = fail.length === 0 ? "" : `, failing: ${fail.slice(0, 10).join(", ")}`;
  const entry: WorklogEntry = {
    timestamp: about.at.toISOString(),
    action: "Bash",
    status: fail.length === 0 ? "completed" : "failed",
    context: shorten(`verification round ${round}: ${pass.length} of ${all} pass${failing}`, 400),
    details: { command_type: "test", exit_code: fail.length === 0 ? 0 : 1 },
    tokens_consumed: 0,
  };
  const known = await add(deps, opened, about, all === 0 ? [] : [entry]);
  await endPhases(deps, opened.worklog, known, { type: "verified" });
}

/** The entry of the goal's own command, or of an agent without a protocol: its exit code is all that is known. Empty for other agents. */
async function commandEntries(deps: WorklogReadDeps, { goalId, runId, at }: EventSubject): Promise<WorklogEntry[]> {
  const goal = await getGoal(deps.database.db, goalId);
  const kept = await listEvidence(deps.database.db, goalId);
  const execution = kept.findLast((each) => each.runId === runId && each.kind === "execution" && each.at <= at);
  if (goal === null || execution === undefined || execution.command === null) return [];
  const agent = (await findRepository(deps.database.db, goal.repositoryId))?.agent ?? deps.config.agent ?? "";
  if (goal.runCommand === null && agent.startsWith("acp:")) return [];
  const { command, exitCode } = execution;
  const hasFailed = exitCode !== 0;
  const words = toldCommand(command, deps.config);
  return [
    {
      timestamp: at.toISOString(),
      action: "Bash",
      status: hasFailed ? "failed" : "completed",
      context: `${words} (${exitCode === null ? "failed" : `exit code ${exitCode}`})`,
      details: { command_type: commandType(command), exit_code: exitCode },
      tokens_consumed: 0,
    },
  ];
}

/** Maximum number of files that an entry names. It always states how many there are. */
const mostShown = 100;

/** Entries for files that the run changed and no agent reported: a command changed them, or an agent in its shell. */
async function gitEntries(
  deps: WorklogReadDeps,
  { goalId, runId, at }: EventSubject,
  opened: RunWorklog,
  commit: string | null,
): Promise<WorklogEntry[]> {
  const goal = await getGoal(deps.database.db, goalId);
  const run = await getRun(deps.database.db, runId);
  const repository = goal === null ? null : await findRepository(deps.database.db, goal.repositoryId);
  if (repository === null || run?.baseCommit == null || commit === null) return [];
  const mirrorDir = mirrorDirOf(deps.config.dataDir, repository.repositoryId);
  if (run.baseCommit === commit || !existsSync(mirrorDir)) return [];
  const told = new Set(modifiedFiles(opened.entries));
  try {
    const mirror = await deps.git.openMirror({ mirrorDir, repositoryPath: originOf(deps.config, repository).dir });
    const shown = (path: string): string => shownWithoutSecrets(path, deps.config.secrets);
    // Paths are masked only when there is something to compare: there may be very many.
    const untold = (await deps.git.changedFiles(mirror, run.baseCommit, commit)).filter(
      ({ path }) => told.size === 0 || !told.has(shown(path)),
    );
    // Only the first of very many files are kept, so files outside of the plan come first.
    const isPlanned = globMatcher(opened.worklog.planned);
    const ordered = untold.toSorted((one, other) => Number(isPlanned(one.path)) - Number(isPlanned(other.path)));
    const entry = (action: "Write" | "Edit", files: readonly ChangedFile[]): WorklogEntry[] => {
      if (files.length === 0) return [];
      const kept = filesOfEntry(files.slice(0, mostShown).map(({ path }) => shown(path)));
      const context = shorten(`seen in git: ${kept.join(", ")}`, 400);
      const details = { files: kept, change_summary: `${count(files.length, "file")}, seen in git` };
      return [{ timestamp: at.toISOString(), action, status: "completed", context, details, tokens_consumed: 0 }];
    };
    const isNew = ({ status }: ChangedFile): boolean => status === "added";
    return [
      ...entry("Write", ordered.filter(isNew)),
      ...entry(
        "Edit",
        ordered.filter((file) => !isNew(file)),
      ),
    ];
  } catch (error) {
    // The commits may be on another machine.
    if (error instanceof GitError) return [];
    throw error;
  }
}

/**
 * Adds the entries that the tier logs, with keys from the event's id. Returns the earlier entries and the new ones, also those for which
 * there was no room.
 */
async function add(
  deps: WorklogReadDeps,
  { worklog, entries }: RunWorklog,
  { timelineId }: EventSubject,
  wanted: readonly WorklogEntry[],
): Promise<readonly WorklogEntry[]> {
  const significant = wanted.filter((entry) => {
    const hasFailed = entry.status === "failed";
    const isOfSystem = entry.action === "Bash" && entry.details.command_type === "test";
    const command = isOfSystem ? "test" : null;
    return isSignificant(worklog.tier, { operation: entry.action, command, hasFailed });
  });
  if (significant.length === 0) return entries;
  const keyed = significant.map((entry, index): KeyedEntry => ({ key: `event.${timelineId}.${index}`, entry }));
  await deps.database.transaction(async (tx) => {
    const stored = await lockWorklog(tx, worklog.sessionId);
    if (stored === null) return;
    const { items, bytes } = fitting(keyed, stored.bytes, deps.policy.worklog.retention.sessionBytes);
    await insertEntries(tx, worklog.sessionId, items);
    const unstored = stored.unstored + keyed.length - items.length;
    await updateWorklog(tx, worklog.sessionId, { lastModified: deps.now(), bytes, unstored });
  });
  return [...entries, ...significant];
}

async function endPhases(
  deps: WorklogReadDeps,
  worklog: Worklog,
  entries: readonly WorklogEntry[],
  event: PhaseEvent,
): Promise<void> {
  if (worklog.flags.noCheckpoints) return;
  const { planned, tier } = worklog;
  const endings = phasesEnding(tier, event, { entries, done: summarised(entries) });
  const todos = endings.length === 0 ? null : await todosOf(deps.database.db, worklog.sessionId);
  for (const ending of endings)
    await keepOrNote(deps, worklog, phaseSummary(entries, ending, { planned, at: deps.now(), todos }));
}

/**
 * Stores and posts a summary. If that fails, adds a failed entry and posts nothing (S0-CP-09). Throws when the database is away or has no
 * space.
 */
async function keepOrNote(deps: WorklogReadDeps, worklog: Worklog, summary: PhaseSummary): Promise<void> {
  const { sessionId, goalId, taskDescription: content } = worklog;
  const key = `phase.${summary.phase}`;
  try {
    await deps.database.transaction((tx) =>
      keepSummary(tx, worklog, summary, { key, content, most: deps.policy.worklog.retention.sessionBytes }),
    );
  } catch (error) {
    if (isAway(error) || spaceWordsOf(error) !== null) throw error;
    deps.log.warn("worklog.no-summary", { goalId, phase: summary.phase, error });
    const entry: WorklogEntry = { ...summaryEntry(summary), status: "failed" };
    await insertEntries(deps.database.db, sessionId, [{ key, entry }]);
  }
}
