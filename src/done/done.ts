import { mkdir, mkdtemp, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { realTimers } from "../agent/process/timers.ts";
import { type TreeSnapshot, takeSnapshot } from "../agent/git/snapshot.ts";
import { removeTree } from "../agent/git/tree.ts";
import { verifySpec } from "../agent/verify/verify.ts";
import type { Copy, Examiner } from "../agent/verify/verifying.ts";
import { reportLines } from "../core/acceptance/report.ts";
import { allAutomatedPass, structured, unlessNoSpace, type VerificationRun } from "../core/acceptance/results.ts";
import { foldRun, type ImplementSession, newSession, sessionIdOf, workList } from "../core/acceptance/session.ts";
import { inPlainYaml } from "../core/acceptance/shell-not.ts";
import { keptSpec, parseSpec, type Spec } from "../core/acceptance/spec.ts";
import { fileTrouble } from "../core/errors.ts";
import { count } from "../core/text.ts";
import { archive, escalateSession } from "./ending.ts";
import {
  type Done,
  type DoneRequest,
  type DoneOutput,
  type DoneRefusal,
  doneRefusal,
  type Settings,
} from "./request.ts";
import { contentHash, type SessionPlace, groundOf } from "./revision.ts";
import { openSessionStore, type SessionStore } from "./session-store.ts";
import { findSession, nameOfFile, numberedName, sessionsOf } from "./sessions.ts";
import { takeUpSession } from "./resuming.ts";
import { temporaryNames } from "../core/housekeeping/folders.ts";

const longestFileBytes = 2_000_000;

/**
 * Verifies a directory in its current state against a criteria file, without a database (D25, D32). In a session, the criteria are those
 * from its start, whatever the file contains now. S2-IN, S2-DN, S2-SS.
 */
export async function runDoneGate(
  settings: Settings,
  request: DoneRequest,
  output: DoneOutput,
  signal: AbortSignal,
): Promise<Done> {
  const ground = await groundOf(settings.dataDir, request.directory);
  const store = openSessionStore(settings.dataDir, ground.root);
  if (request.archive) return await archive(store, settings, request, ground);
  if (request.escalation !== null) return escalateSession(store, settings, request, request.escalation);

  if (request.resume) return await takeUpSession(store, request);

  const wanted = await findSpec(store, request, output);
  if (wanted.type === "refused") return wanted;
  const { spec, specFile, text, session } = wanted;
  if (request.start) {
    const open = sessionsOf(store, { specFile, text }).find(({ status }) => status === "in_progress");
    if (open !== undefined)
      output.warn(
        `${open.session_id} of these criteria is open: to go on with it instead, cos done --spec PATH --resume`,
      );
    return start(store, { spec, specFile, text }, ground.root);
  }

  const run = await verify(settings, { spec, specFile, directory: request.directory, ground }, output, signal);
  if (session === null || signal.aborted) return { type: "verified", run, spec, session, statusFile: null };
  // The result also counts for other sessions with the same criteria in the same directory.
  if (request.sessionId === null)
    for (const other of alike(store, session, text)) keepRun(store, foldRun(other, run), run);
  // A run takes minutes. The session may have ended in the meantime, and another run may have been counted.
  const now = store.read(session.session_id);
  if (now === null || now === "unreadable" || now.status === "escalated") {
    output.warn(`${session.session_id} ended while this ran: nothing is recorded of it there`);
    return { type: "verified", run, spec, session: now === "unreadable" ? null : now, statusFile: null };
  }
  const folded = foldRun(now, run);
  keepRun(store, folded, run);
  return { type: "verified", run, spec, session: folded, statusFile: store.path(folded.session_id, "status") };
}

function keepRun(store: SessionStore, session: ImplementSession, run: VerificationRun): void {
  store.write(session);
  store.writeStatus(session.session_id, structured(run));
  store.setBlocks(session.session_id, 0);
  store.log(session.session_id, `- ${run.at.toISOString()} verified: ${summaryOf(run)}`);
}

/** Returns the other sessions that began with exactly these criteria and were not escalated. */
function alike(store: SessionStore, { session_id, spec_file }: ImplementSession, text: string): ImplementSession[] {
  return sessionsOf(store, { specFile: spec_file, text }).filter((other) => other.session_id !== session_id);
}

interface Wanted {
  readonly type: "found";
  readonly spec: Spec;
  readonly specFile: string;
  readonly text: string;
  readonly session: ImplementSession | null;
}

async function findSpec(store: SessionStore, request: DoneRequest, output: DoneOutput): Promise<Wanted | DoneRefusal> {
  const specFile = request.specPath === null ? null : resolve(request.directory, request.specPath);
  const now = specFile === null ? null : await readSpecFile(specFile);
  const current = now?.type === "read" ? now.text : null;
  const found = request.start ? null : findSession(store, request.sessionId, { specFile, text: current });
  if (found !== null && found.type === "refused") return found;
  const session = found?.session ?? null;
  if (session === null && specFile === null) return doneRefusal("nothing to verify", "cos done --spec PATH");

  const kept = session === null ? null : store.readSpec(session.session_id);
  if (kept === null && now?.type === "missing")
    return doneRefusal(`${specFile ?? ""}: ${now.reason}`, "cos done --spec PATH");
  const text = kept ?? (now?.type === "read" ? now.text : "");
  if (kept !== null && now?.type === "read" && now.text !== kept) {
    output.warn(
      `${specFile ?? ""} was changed after ${session?.session_id ?? "the session"} began; the criteria of its beginning count`,
    );
  }
  // The criteria of a session stay valid, even if a new session with them would be refused.
  const parsed = kept === null ? parseSpec(text) : keptSpec(inPlainYaml(text));
  const file = specFile ?? session?.spec_file ?? "";
  if (parsed.type === "invalid") {
    const lines = parsed.problems.map(({ line, problem }) => `${file}:${line}: ${problem}`);
    return doneRefusal(lines.join("\n"), "cos done --help");
  }
  return { type: "found", spec: parsed.spec, specFile: file, text, session };
}

async function readSpecFile(
  path: string,
): Promise<{ type: "read"; text: string } | { type: "missing"; reason: string }> {
  try {
    const { size } = await stat(path);
    if (size > longestFileBytes)
      return { type: "missing", reason: `has ${size} bytes, at most ${longestFileBytes} are read` };
    return { type: "read", text: await readFile(path, "utf8") };
  } catch (error) {
    return { type: "missing", reason: fileTrouble(error, "read") };
  }
}

interface SpecRead {
  readonly spec: Spec;
  readonly specFile: string;
  readonly text: string;
}

function start(store: SessionStore, { spec, specFile, text }: SpecRead, root: string): Done {
  const session = newSession(spec, specFile, freeName(store, nameOfFile(specFile)), new Date());
  store.writeSpec(session.session_id, text);
  store.write(session);
  store.log(
    session.session_id,
    `# ${session.session_id}\n\n- ${session.started_at} began in ${root} with ${count(spec.criteria.length, "criterion").replace(/criterions$/, "criteria")}`,
  );
  return { type: "started", session, criteria: spec.criteria };
}

/** Returns a free session name: two sessions may begin within one second. */
function freeName(store: SessionStore, name: string): string {
  const taken = (each: string): boolean => store.read(sessionIdOf(new Date(), each)) !== null;
  if (!taken(name)) return name;
  for (let number = 2; ; number += 1) if (!taken(numberedName(name, number))) return numberedName(name, number);
}

async function verify(
  settings: Settings,
  what: { spec: Spec; specFile: string; directory: string; ground: SessionPlace },
  output: DoneOutput,
  signal: AbortSignal,
): Promise<VerificationRun> {
  const at = new Date();
  const runId = `done-${at.getTime().toString(36)}-${process.pid}`;
  const outputFolder = join(settings.dataDir, "output", runId);
  const { root, repository } = what.ground;
  const snapshot = repository === null ? null : await takeSnapshot(repository);
  const revision = snapshot?.revision ?? (await contentHash(root));
  const examiner = await examinerOf(settings, what.spec);
  try {
    const results = await verifySpec(what.spec, {
      inside: { cwd: what.directory, environment: {} },
      copy: () => copyOf(snapshot, what.directory),
      runId,
      outputFolder,
      secrets: settings.secrets,
      signal,
      timers: realTimers,
      parallel: Math.max(2, settings.parallel),
      examiner,
      whyUnexamined: "no agent is configured to examine it (COS_AGENT): nothing is proven",
      onResult: (result) => output.result(unlessNoSpace(result)),
    });
    return { at, specFile: what.specFile, revision, results: results.map(unlessNoSpace) };
  } finally {
    await snapshot?.close();
  }
}

/** Returns the agent that examines what no command can verify; loaded only if a criterion needs it. */
async function examinerOf({ agent, agentEnvironment }: Settings, { criteria }: Spec): Promise<Examiner | null> {
  if (agent === null || criteria.every((each) => each.verification.method !== "subagent")) return null;
  const { parseAgent } = await import("../agent/acp/parse-agent.ts");
  const parsed = parseAgent(agent);
  return parsed.type === "ok" ? { ...parsed, environment: agentEnvironment } : null;
}

/** Returns a copy of the files that may be changed. Outside git there is no snapshot to copy, so the directory itself is used. */
async function copyOf(snapshot: TreeSnapshot | null, directory: string): Promise<Copy> {
  if (snapshot === null) return { directory, enclosure: null, remove: async () => undefined };
  const folder = await mkdtemp(join(tmpdir(), temporaryNames.examination));
  await mkdir(folder, { recursive: true });
  await snapshot.checkOut(folder);
  return { directory: folder, enclosure: null, remove: () => removeTree(folder) };
}

function summaryOf(run: VerificationRun): string {
  return run.results.map((result) => `${result.id} ${result.status}`).join(", ");
}

/** Returns a session as a list of the criteria to verify (S2-EX-02), each with its number of attempts. */
export function sessionLines({ session, criteria }: Extract<Done, { type: "started" | "resumed" }>): string[] {
  const { session_id, verification_runs } = session;
  const slugs = new Map(criteria.map(({ id, slug }) => [id, slug]));
  const lines = Object.entries(session.criteria).map(([id, { status, attempts, last_error }]) => {
    const mark = status === "verified-pass" ? "x" : " ";
    const why =
      status === "verified-fail" && last_error !== undefined
        ? ` (tried ${count(attempts, "time")}: ${last_error})`
        : "";
    const slug = slugs.get(id);
    return `- [${mark}] Verify ${id}${slug === undefined ? "" : `: ${slug}`}${why}`;
  });
  const runs = verification_runs.length;
  return [`Session ${session_id}${runs === 0 ? "" : ` goes on after ${count(runs, "run")}`}`, ...lines];
}

/** Returns the readable report, with what is left to verify in the session. */
export function doneLines(verified: Extract<Done, { type: "verified" }>): string[] {
  const { run, spec, session } = verified;
  const lines = reportLines(run, spec);
  if (session === null) return lines;
  const left = workList(session);
  const rest = left.length === 0 ? "complete" : `left: ${left.join(", ")}`;
  return [...lines, "", `Session ${session.session_id}: ${rest}`, `Status file: ${verified.statusFile ?? "none"}`];
}

/** Returns 0 when all automated criteria have passed, else 1. */
export function exitCodeOf(verified: Extract<Done, { type: "verified" }>): number {
  return allAutomatedPass(verified.run) ? 0 : 1;
}
