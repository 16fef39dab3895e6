import { worklogCard, worklogsCard } from "../core/cards/worklog-lists.ts";
import { isSessionId } from "../core/worklog/session-id.ts";
import { policyVersion, tierTable } from "../core/worklog/tiers.ts";
import { isWithinBound, noTokens, tokenBound, withTokens } from "../core/worklog/tokens.ts";
import { getGoal } from "../db/goals.ts";
import { entriesOf, storedProgress, summariesOf } from "../db/worklog-contents.ts";
import { getWorklog, listWorklogs, type Worklog, worklogsOfGoal } from "../db/worklogs.ts";
import { count } from "../core/text.ts";
import type { Deps } from "../deps.ts";
import { unlessLocked } from "../turns/shared/worklog/within.ts";
import { command, type CommandResult, done, refused, type RefusedCall } from "./command.ts";
import { anyId, wholeNumber, type Values } from "./fields.ts";
import { goalNotFound } from "./goal-change.ts";

const listing = {
  goal: anyId("GOAL", "those of one goal").optional(),
  last: wholeNumber("how many, newest first (default 20)", 1, 500).optional(),
};

export const worklogList = command({
  name: "worklog list",
  summary: "Worklogs: what goals did, by session id, newest first.",
  access: "read",
  options: listing,
  run: (deps, _caller, wanted) => answerInTime(deps, (limited) => listAll(limited, wanted)),
});

export const worklogShow = command({
  name: "worklog show",
  summary: "One worklog with its entries: of a session id, or the newest of a goal.",
  access: "read",
  positionals: { id: anyId() },
  run: (deps, _caller, { id }) => answerInTime(deps, (limited) => showOne(limited, id)),
});

/** Runs `work` and refuses if the worklogs do not answer in time, because another session locks their table. */
export async function answerInTime(deps: Deps, work: (deps: Deps) => Promise<CommandResult>): Promise<CommandResult> {
  return (await unlessLocked(deps, work)) ?? locked(deps);
}

/** Returns the refusal for locked worklogs. */
export function locked({ policy }: Pick<Deps, "policy">): RefusedCall {
  const seconds = count(Math.round(policy.worklog.listTimeoutMs / 1000), "second");
  return refused(`the worklogs gave no answer within ${seconds}: another session of the database holds them`);
}

async function listAll(deps: Deps, { goal, last = 20 }: Values<typeof listing>): Promise<CommandResult> {
  const { db } = deps.database;
  if (goal !== undefined && (await getGoal(db, goal)) === null) return goalNotFound(goal);
  const rows =
    goal === undefined ? await listWorklogs(db, last) : (await worklogsOfGoal(db, goal)).reverse().slice(0, last);
  return done(rows.map(headOf), worklogsCard(rows));
}

async function showOne(deps: Deps, id: string): Promise<CommandResult> {
  const worklog = await findWorklog(deps, id);
  if ("type" in worklog) return worklog;
  const { db } = deps.database;
  const { sessionId } = worklog;
  const stored = await entriesOf(db, sessionId);
  const entries = stored.type === "read" ? stored.entries : [];
  const progress = await storedProgress(db, sessionId);
  const checkpoints = await summariesOf(db, sessionId);
  const used = withTokens(noTokens(worklog.tier), "told", worklog.tokens);
  const value = {
    ...headOf(worklog),
    reason: worklog.reason,
    flags: worklog.flags,
    policy: { version: policyVersion, logs: tierTable[worklog.tier].logs },
    planned_files: worklog.planned,
    entries,
    todos: progress?.todos ?? [],
    progress_key: progress === null ? null : `_progress/${progress.taskHash}`,
    checkpoints: checkpoints.map(({ n, summary }) => ({ key: `_checkpoint/${sessionId}/${n}`, ...summary })),
    summary: worklog.summary,
    tokens: { total: used.total, bound: tokenBound(worklog.tier), is_within: isWithinBound(used) },
    unstored_entries: worklog.unstored,
    gap: worklog.gap,
    has_entries: worklog.hasRaw,
  };
  return done(value, worklogCard(worklog, { entries, todos: progress?.todos ?? [] }));
}

/** Returns the head of a worklog in the format of seed 000 §3.1. */
export function headOf(worklog: Worklog) {
  return {
    key: `_worklog/${worklog.sessionId}`,
    version: "1.0",
    session_id: worklog.sessionId,
    goal_id: worklog.goalId,
    run_id: worklog.runId,
    task_description: worklog.taskDescription,
    tier: worklog.tier,
    confidence: Math.round(worklog.confidence * 100) / 100,
    started_at: worklog.startedAt.toISOString(),
    completed_at: worklog.completedAt?.toISOString() ?? null,
    outcome: worklog.outcome,
    owner: worklog.owner,
  };
}

/** Finds a worklog by its session id, or the newest one of a goal. */
export async function findWorklog(deps: Pick<Deps, "database">, id: string): Promise<Worklog | RefusedCall> {
  const { db } = deps.database;
  const sessionId = id.replace(/^_worklog\//, "");
  const found = isSessionId(sessionId)
    ? await getWorklog(db, sessionId)
    : ((await worklogsOfGoal(db, id)).at(-1) ?? null);
  if (found !== null) return found;
  if (!isSessionId(sessionId) && (await getGoal(db, id)) !== null)
    return refused(
      `${id} has no worklog: it has not been worked yet, was with --no-worklog, or none could be opened for it`,
      `cos goal show ${id}`,
    );
  const unknown = refused(`no worklog is called ${JSON.stringify(id.slice(0, 100))}`, "cos worklog list");
  return { ...unknown, unknownId: id };
}
