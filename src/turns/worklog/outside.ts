import { readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { safeOutput } from "../../core/secrets/mask.ts";
import { spaceWordsOf } from "../../core/space/no-space.ts";
import { isBlank } from "../../core/text.ts";
import { jsonOrNull } from "../../core/text/json.ts";
import { itHasEnded } from "../../core/worklog/earlier.ts";
import type { WorklogEntry } from "../../core/worklog/entry.ts";
import { stoppedOutcome } from "../../core/worklog/finish.ts";
import { noWorklogFlags } from "../../core/worklog/flags.ts";
import { type AgentOperation, noteOf } from "../../core/worklog/operations.ts";
import { type PhaseEvent, phasesEnding, phaseSummary } from "../../core/worklog/phases.ts";
import { fitting, keptTodos } from "../../core/worklog/room.ts";
import { tierOf } from "../../core/worklog/tier.ts";
import { isSignificant } from "../../core/worklog/tiers.ts";
import type { Db } from "../../db/connection/client.ts";
import { isAway, isTooSlow } from "../../db/connection/failures.ts";
import { once, RepeatedEvent } from "../../db/events.ts";
import { entriesOf, insertEntries, putTodos, todosOf } from "../../db/worklog-contents.ts";
import {
  deleteEmptyWorklog,
  insertWorklog,
  lockWorklog,
  offeredIn,
  openWorklogOf,
  updateWorklog,
  type Worklog,
} from "../../db/worklogs.ts";
import { type Deps, sha256 } from "../../deps.ts";
import { outsideDirOf } from "../../paths.ts";
import { freshSessionId } from "../shared/worklog/open.ts";
import { settleOffer } from "../shared/worklog/settle-offer.ts";
import { keepSummary, summarised } from "../shared/worklog/summarise.ts";
import { besideAll } from "./beside.ts";
import { finishIn } from "./finish.ts";
import { HookLine, operationOf } from "./outside-line.ts";

/**
 * Worklogs of coding agents' own sessions, from the lines that their hooks write (`cos worklog-hook`). A worklog lasts from the first
 * prompt or tool until the agent stops. A prompt after which nothing was done leaves none. Their stored todos are not checked by reading
 * them back, as only this code writes them.
 */
type OutsideDeps = Pick<Deps, "database" | "config" | "policy" | "now" | "timers" | "log">;

/**
 * Renames each file in one call and reads it in the next: by then its writer has finished. Safe to repeat: the file's name is the event's
 * id.
 */
export async function followOutside(deps: OutsideDeps): Promise<void> {
  const folder = outsideDirOf(deps.config.dataDir);
  const names = (await readdir(folder).catch((): string[] => [])).sort();
  if (names.length === 0) return;
  await besideAll(deps, "outside", async () => {
    for (const name of names.filter((each) => each.endsWith(".taken"))) await readTaken(deps, join(folder, name));
    for (const name of names.filter((each) => each.endsWith(".jsonl"))) {
      const taken = `${name.replace(/\.jsonl$/, "")}.${deps.now().getTime()}.taken`;
      if (!names.includes(taken)) await rename(join(folder, name), join(folder, taken)).catch(() => undefined);
    }
  });
}

/** The hook writes at most a megabyte. A longer file comes from another program. */
const mostBytes = 4_000_000;

/**
 * Reads a file and removes it. An invalid file is skipped, so that the others are read. After a temporary error the file stays and is read
 * again.
 */
async function readTaken(deps: OutsideDeps, path: string): Promise<void> {
  try {
    await followFile(deps, path);
  } catch (error) {
    if (isAway(error) || isTooSlow(error) || spaceWordsOf(error) !== null) throw error;
    deps.log.warn("worklog.hooks-not-read", { file: basename(path), error });
  }
  await rm(path, { force: true, recursive: true });
}

async function followFile(deps: OutsideDeps, path: string): Promise<void> {
  const name = basename(path);
  const agentSession = name.replace(/\.\d+\.taken$/, "");
  const { size } = await stat(path);
  if (size > mostBytes) throw new Error(`${size} bytes are more than ${mostBytes}`);
  const lines = (await readFile(path, "utf8")).split("\n").flatMap((line): HookLine[] => {
    const read = HookLine.safeParse(jsonOrNull(line, 100_000));
    return read.success ? [safeLine(deps, read.data)] : [];
  });
  try {
    const limits = { statementMs: deps.policy.worklog.listTimeoutMs };
    await once(deps.database, `worklog-hook.${name}`, deps.now()).database.transaction(async (tx) => {
      for (const [index, line] of lines.entries())
        await follow(deps, tx, line, { agentSession, key: `${name}.${index}` });
    }, limits);
  } catch (error) {
    if (!(error instanceof RepeatedEvent)) throw error;
  }
}

/** Masks and cleans a line's text, owner and folder. Its time is at most now: a wrong clock must not keep the worklog alive. */
function safeLine({ config: { secrets }, now }: OutsideDeps, line: HookLine): HookLine {
  const at = new Date(Math.min(Date.parse(line.at), now().getTime())).toISOString();
  const safe = (words: string): string => safeOutput(words, secrets);
  const text = line.text === undefined ? {} : { text: safe(line.text) };
  return { ...line, ...text, at, owner: safe(line.owner), cwd: safe(line.cwd) };
}

async function follow(
  deps: OutsideDeps,
  tx: Db,
  line: HookLine,
  { agentSession, key }: { readonly agentSession: string; readonly key: string },
): Promise<void> {
  const runId = `outside-${agentSession}`;
  const at = new Date(line.at);
  const open = await openWorklogOf(tx, runId);
  switch (line.event) {
    case "prompt":
      if (open === null) await openFor(deps, tx, runId, line);
      return;
    case "tool": {
      const operation = operationOf(line);
      if (operation !== null)
        await add(deps, tx, open ?? (await openFor(deps, tx, runId, line)), { line, operation, key });
      return;
    }
    case "stop":
    case "end":
      if (open !== null) await end(deps, tx, open, { hasStopped: line.event === "stop", at });
      return;
  }
}

async function end(
  deps: OutsideDeps,
  tx: Db,
  open: Worklog,
  { hasStopped, at }: { readonly hasStopped: boolean; readonly at: Date },
): Promise<void> {
  const { sessionId } = open;
  if (open.releasedAt === null) settleOffer(tx, { worklog: open, thread: await offeredIn(tx, sessionId) }, itHasEnded);
  const entries = await entriesIn(tx, sessionId);
  if (entries?.length === 0 && open.unstored === 0) {
    await deleteEmptyWorklog(tx, sessionId);
    return;
  }
  if (hasStopped) await endPhases(deps, tx, open, { what: "executed", at });
  // Read again, because its last summary may have asked for a correction.
  const stored = (await lockWorklog(tx, sessionId)) ?? open;
  await finishIn(tx, stored, hasStopped ? stoppedOutcome(entries ?? []) : "aborted", at);
}

/** Null when they cannot be read. */
async function entriesIn(tx: Db, sessionId: string): Promise<readonly WorklogEntry[] | null> {
  const stored = await entriesOf(tx, sessionId);
  return stored.type === "read" ? stored.entries : null;
}

async function openFor(deps: OutsideDeps, tx: Db, runId: string, line: HookLine): Promise<Worklog> {
  const at = new Date(line.at);
  const said = line.text ?? "";
  const content = isBlank(said) ? `A session in ${basename(line.cwd)}` : said;
  const none = { tags: [], linkage: { kind: "none" }, filesAllowed: [], criteria: null, tier: null } as const;
  const tier = tierOf({ content, ...none });
  while (true) {
    const sessionId = await freshSessionId(deps);
    const row = { sessionId, runId, owner: line.owner, taskDescription: content, ...tier, flags: noWorklogFlags };
    const times = { startedAt: at, lastModified: at, outcome: "in_progress" } as const;
    const made = await insertWorklog(tx, { ...row, ...times, planned: [] });
    if (made !== null) return made;
  }
}

interface Told {
  readonly line: HookLine;
  readonly operation: AgentOperation;
  readonly key: string;
}

async function add(deps: OutsideDeps, tx: Db, worklog: Worklog, { line, operation, key }: Told): Promise<void> {
  const { sessionId } = worklog;
  const at = new Date(line.at);
  const todos = (await todosOf(tx, sessionId)) ?? [];
  const { secrets } = deps.config;
  const noted = noteOf(operation, { worktree: line.cwd, todos, secrets, isVerbose: false, at });
  if (noted === null || !isSignificant(worklog.tier, noted.done)) return;
  const most = deps.policy.worklog.retention.sessionBytes;
  const { items, bytes } = fitting([{ key, entry: noted.entry }], worklog.bytes, most);
  await insertEntries(tx, sessionId, items);
  await updateWorklog(tx, sessionId, { lastModified: at, bytes, unstored: worklog.unstored + 1 - items.length });
  if (noted.todos !== null) {
    const taskHash = sha256(worklog.taskDescription).slice(0, 12);
    await putTodos(tx, { sessionId, taskHash, todos: keptTodos(noted.todos), updatedAt: at });
  }
  await endPhases(deps, tx, worklog, { what: "entry", at });
}

/** Stores the summaries of phases that end now. `entry`: the last stored entry has just happened. */
async function endPhases(
  { policy }: Pick<OutsideDeps, "policy">,
  tx: Db,
  worklog: Worklog,
  { what, at }: { readonly what: "entry" | "executed"; readonly at: Date },
): Promise<void> {
  const most = policy.worklog.retention.sessionBytes;
  const entries = (await entriesIn(tx, worklog.sessionId)) ?? [];
  const last = entries.at(-1);
  if (last === undefined) return;
  const event: PhaseEvent = what === "entry" ? { type: "entry", entry: last } : { type: "executed" };
  const endings = phasesEnding(worklog.tier, event, { entries, done: summarised(entries) });
  const todos = endings.length === 0 ? null : await todosOf(tx, worklog.sessionId);
  for (const ending of endings) {
    const summary = phaseSummary(entries, ending, { planned: [], at, todos });
    await keepSummary(tx, worklog, summary, { key: `phase.${ending.phase}`, content: worklog.taskDescription, most });
  }
}
