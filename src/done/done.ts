import { mkdir, mkdtemp, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseAgent } from "../agent/acp/parse-agent.ts";
import { realTimers } from "../agent/process/timers.ts";
import { repositoryRoot, type Snapshot, takeSnapshot } from "../agent/git/snapshot.ts";
import { removeTree } from "../agent/git/tree.ts";
import { verifySpec } from "../agent/verify/verify.ts";
import type { Config } from "../config.ts";
import { judgeEscalation } from "../core/acceptance/escalation.ts";
import { reportLines } from "../core/acceptance/report.ts";
import {
  allAutomatedPass,
  type CriterionResult,
  structured,
  unlessNoSpace,
  type VerificationRun,
} from "../core/acceptance/results.ts";
import { foldRun, type ImplementSession, newSession, workList } from "../core/acceptance/session.ts";
import { parseSpec, type Spec } from "../core/acceptance/spec.ts";
import { safeOutput } from "../core/secrets/mask.ts";
import { count } from "../core/text.ts";
import { openSessionStore, type SessionStore } from "./session-store.ts";
import { postLater } from "./spool.ts";

/** What `cos done` was asked for. */
export interface DoneRequest {
  /** The criteria file; may be left out where `sessionId` names a session. */
  readonly specPath: string | null;
  readonly sessionId: string | null;
  /** Begin an implement session, which the stop hook then guards. */
  readonly start: boolean;
  readonly archive: boolean;
  /** An escalation's text: the session ends without proof when it shows enough (AC-8). */
  readonly escalation: string | null;
  /** Where commands run. */
  readonly directory: string;
}

export type Done =
  | {
      readonly type: "verified";
      readonly run: VerificationRun;
      readonly spec: Spec;
      readonly session: ImplementSession | null;
      /** The newest run, for other tools. */
      readonly statusFile: string | null;
    }
  | { readonly type: "started"; readonly session: ImplementSession }
  | { readonly type: "archived"; readonly folder: string }
  | { readonly type: "escalated"; readonly session: ImplementSession; readonly criterionId: string }
  | { readonly type: "refused"; readonly reason: string; readonly next: string };

/** How progress and warnings reach a person. */
export interface DoneTelling {
  readonly warn: (line: string) => void;
  readonly result: (result: CriterionResult) => void;
}

type Settings = Pick<Config, "dataDir" | "secrets" | "agent" | "parallel">;

const longestFileBytes = 2_000_000;

/**
 * Verifies a directory as it lies, against a criteria file, without a database (D25, D32). In a session the criteria
 * are those of its beginning, whatever the file says by now. S2-IN, S2-DN, S2-SS.
 */
export async function done(
  settings: Settings,
  request: DoneRequest,
  telling: DoneTelling,
  signal: AbortSignal,
): Promise<Done> {
  const root = (await repositoryRoot(request.directory)) ?? request.directory;
  const store = openSessionStore(settings.dataDir, root);
  if (request.archive) return archive(store, request);
  if (request.escalation !== null) return escalate(store, settings, request, request.escalation);

  const wanted = await findSpec(store, request, telling);
  if (wanted.type === "refused") return wanted;
  const { spec, specFile, text, session } = wanted;
  if (request.start) return start(store, spec, specFile, text, root);

  const run = await verify(settings, { spec, specFile, directory: request.directory, root }, telling, signal);
  if (session === null || signal.aborted) return { type: "verified", run, spec, session, statusFile: null };
  const folded = foldRun(session, run);
  store.write(folded);
  store.writeStatus(folded.session_id, structured(run));
  store.setBlocks(folded.session_id, 0);
  store.log(folded.session_id, `- ${run.at.toISOString()} verified: ${summaryOf(run)}`);
  return { type: "verified", run, spec, session: folded, statusFile: store.path(folded.session_id, "status") };
}

interface Wanted {
  readonly type: "found";
  readonly spec: Spec;
  readonly specFile: string;
  readonly text: string;
  readonly session: ImplementSession | null;
}

type Refused = Extract<Done, { type: "refused" }>;

async function findSpec(store: SessionStore, request: DoneRequest, telling: DoneTelling): Promise<Wanted | Refused> {
  const specFile = request.specPath === null ? null : resolve(request.directory, request.specPath);
  const found = request.start ? null : findSession(store, request.sessionId, specFile);
  if (found !== null && found.type === "refused") return found;
  const session = found?.session ?? null;
  if (session === null && specFile === null) return refused("nothing to verify", "cos done --spec PATH");

  const now = specFile === null ? null : await readSpecFile(specFile);
  const kept = session === null ? null : store.readSpec(session.session_id);
  if (kept === null && now?.type === "missing")
    return refused(`${specFile ?? ""}: ${now.reason}`, "cos done --spec PATH");
  const text = kept ?? (now?.type === "read" ? now.text : "");
  if (kept !== null && now?.type === "read" && now.text !== kept) {
    telling.warn(
      `${specFile ?? ""} was changed after ${session?.session_id ?? "the session"} began; the criteria of its beginning count`,
    );
  }
  const parsed = parseSpec(text);
  const file = specFile ?? session?.spec_file ?? "";
  if (parsed.type === "invalid") {
    const lines = parsed.problems.map(({ line, problem }) => `${file}:${line}: ${problem}`);
    return refused(lines.join("\n"), "cos done --help");
  }
  return { type: "found", spec: parsed.spec, specFile: file, text, session };
}

function findSession(
  store: SessionStore,
  id: string | null,
  specFile: string | null,
): { readonly type: "session"; readonly session: ImplementSession } | Refused | null {
  const ids = id === null ? [...store.list()].reverse() : [id];
  for (const each of ids) {
    const session = store.read(each);
    if (id !== null && session === null)
      return refused(`no session is called ${id} here`, "cos done --spec PATH --start");
    if (session === "unreadable" && id !== null) {
      return refused(
        `the record of ${id} cannot be read: ${store.path(id, "record")}`,
        `cos done --session ${id} --archive`,
      );
    }
    if (session === null || session === "unreadable") continue;
    if (id !== null || (session.status === "in_progress" && session.spec_file === specFile))
      return { type: "session", session };
  }
  return null;
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
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    return { type: "missing", reason: code === "ENOENT" ? "there is no such file" : `cannot be read (${code})` };
  }
}

function start(store: SessionStore, spec: Spec, specFile: string, text: string, root: string): Done {
  const name =
    specFile
      .split("/")
      .at(-1)
      ?.replace(/\.\w+$/, "") ?? "spec";
  const session = newSession(spec, specFile, name, new Date());
  store.writeSpec(session.session_id, text);
  store.write(session);
  store.log(
    session.session_id,
    `# ${session.session_id}\n\n- ${session.started_at} began in ${root} with ${count(spec.criteria.length, "criterion").replace(/criterions$/, "criteria")}`,
  );
  return { type: "started", session };
}

const failuresBeforeEscalation = 3;

/** Accepted, the session may end without proof (C-34); refused, it says what is missing. */
function escalate(store: SessionStore, settings: Settings, request: DoneRequest, text: string): Done {
  const id = request.sessionId ?? store.list().at(-1) ?? null;
  const session = id === null ? null : store.read(id);
  if (session === null || session === "unreadable")
    return refused("no session to escalate here", "cos done --spec PATH --start");
  const verdict = judgeEscalation(text, {
    criteria: Object.keys(session.criteria),
    counts: session.escalation_counts,
    threshold: failuresBeforeEscalation,
  });
  if (verdict.type === "refused") {
    const lines = verdict.missing.map((line) => `  - ${line}`);
    return refused(
      `the escalation is not accepted; missing:\n${lines.join("\n")}`,
      "work on the criterion, or add what is missing",
    );
  }
  const escalated: ImplementSession = { ...session, status: "escalated" };
  store.write(escalated);
  store.log(session.session_id, `- ${new Date().toISOString()} escalated:\n\n${text}`);
  const { criterionId } = verdict.escalation;
  postLater(
    settings.dataDir,
    `An agent asks for a decision about ${criterionId}`,
    safeOutput(text, settings.secrets).slice(0, 15_000),
  );
  return { type: "escalated", session: escalated, criterionId };
}

function archive(store: SessionStore, request: DoneRequest): Done {
  const id = request.sessionId ?? store.list().at(-1) ?? null;
  if (id === null || store.read(id) === null)
    return refused("no session to archive here", "cos done --spec PATH --start");
  return { type: "archived", folder: store.archive(id) };
}

async function verify(
  settings: Settings,
  what: { spec: Spec; specFile: string; directory: string; root: string },
  telling: DoneTelling,
  signal: AbortSignal,
): Promise<VerificationRun> {
  const at = new Date();
  const runId = `done-${at.getTime().toString(36)}-${process.pid}`;
  const outputFolder = join(settings.dataDir, "output", runId);
  const snapshot = await takeSnapshot(what.root);
  const examiner = settings.agent === null ? null : parseAgent(settings.agent);
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
      examiner: examiner?.type === "ok" ? examiner : null,
      whyUnexamined: "no agent is configured to examine it (COS_AGENT): nothing is proven",
      onResult: (result) => telling.result(unlessNoSpace(result)),
    });
    const revision = snapshot?.revision ?? null;
    return { at, specFile: what.specFile, revision, results: results.map(unlessNoSpace) };
  } finally {
    await snapshot?.close();
  }
}

/** The same files in a folder that may be changed; outside of git there is nothing to copy by, and none is made. */
async function copyOf(
  snapshot: Snapshot | null,
  directory: string,
): Promise<{ directory: string; remove(): Promise<void> }> {
  if (snapshot === null) return { directory, remove: async () => undefined };
  const folder = await mkdtemp(join(tmpdir(), "cos-examine-"));
  await mkdir(folder, { recursive: true });
  await snapshot.checkOut(folder);
  return { directory: folder, remove: () => removeTree(folder) };
}

function refused(reason: string, next: string): Refused {
  return { type: "refused", reason, next };
}

function summaryOf(run: VerificationRun): string {
  return run.results.map((result) => `${result.id} ${result.status}`).join(", ");
}

/** The readable report, with what is left in the session. */
export function doneLines(verified: Extract<Done, { type: "verified" }>): string[] {
  const { run, spec, session } = verified;
  const lines = reportLines(run, spec);
  if (session === null) return lines;
  const left = workList(session);
  const rest = left.length === 0 ? "complete" : `left: ${left.join(", ")}`;
  return [...lines, "", `Session ${session.session_id}: ${rest}`, `Status file: ${verified.statusFile ?? "none"}`];
}

export function exitCodeOf(verified: Extract<Done, { type: "verified" }>): number {
  return allAutomatedPass(verified.run) ? 0 : 1;
}
