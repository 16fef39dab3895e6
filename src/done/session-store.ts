import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type ImplementSession, readSession } from "../core/acceptance/session.ts";
import { readRun, type StructuredRun } from "../core/acceptance/results.ts";

/**
 * Stores implement sessions on disk, in one folder for each repository: the record, the criteria from its start, the log, the newest run
 * for other tools, and the number of refused stops. Needs no database (D32).
 */
export interface SessionStore {
  /** Returns the ids, oldest first. */
  list(): readonly string[];
  /** Returns `unreadable` when a record exists but cannot be parsed (S2-SS-07). */
  read(id: string): ImplementSession | "unreadable" | null;
  write(session: ImplementSession): void;
  readSpec(id: string): string | null;
  writeSpec(id: string, text: string): void;
  /** Returns the newest run; null when there is none or it cannot be read (S2-SH-12). */
  readStatus(id: string): StructuredRun | null;
  writeStatus(id: string, run: StructuredRun): void;
  log(id: string, line: string): void;
  /** Returns the number of refused stops since the newest run. An unreadable number counts as very large, so that no loop is endless. */
  blocks(id: string): number;
  /** Returns false when the number could not be written. */
  setBlocks(id: string, blocks: number): boolean;
  /** Returns the agent session that this gate holds; null when it holds none. */
  boundTo(id: string): string | null;
  bind(id: string, agentSession: string): void;
  /** Ends the hold: the next agent session that the hook sees is held instead. */
  free(id: string): void;
  /** Moves all files of a session to the archive folder; commits stay where they are (AC-26). */
  archive(id: string): string;
  /** Returns the path of a session's file, for messages. */
  path(id: string, kind: "record" | "status" | "log"): string;
}

/** Returns the folder for the sessions of a repository, or of a directory outside a repository. */
export function sessionFolderOf(dataDir: string, root: string): string {
  return join(dataDir, "implement", createHash("sha256").update(root).digest("hex").slice(0, 12));
}

/** Opens the store. `root` is the top folder of the repository, or the directory itself outside a repository. */
export function openSessionStore(dataDir: string, root: string): SessionStore {
  const folder = sessionFolderOf(dataDir, root);
  const record = (id: string) => join(folder, `${id}.json`);
  const spec = (id: string) => join(folder, `${id}.spec.md`);
  const log = (id: string) => join(folder, `${id}.log.md`);
  const status = (id: string) => join(folder, `verification-status-${id}.json`);
  const blocks = (id: string) => join(folder, `${id}.blocks`);
  const agent = (id: string) => join(folder, `${id}.agent`);

  /** Writes a file atomically: a reader never sees half of it. */
  function replace(path: string, text: string): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const next = `${path}.${process.pid}.next`;
    writeFileSync(next, text, { mode: 0o600 });
    renameSync(next, path);
  }

  return {
    list: () =>
      namesIn(folder)
        .flatMap((name) => /^(implement-\d{8}-\d{6}-.+)\.json$/.exec(name)?.[1] ?? [])
        .sort(),
    read(id) {
      const text = textOf(record(id));
      return text === null ? null : (readSession(text) ?? "unreadable");
    },
    write: (session) => replace(record(session.session_id), `${JSON.stringify(session, null, 2)}\n`),
    readSpec: (id) => textOf(spec(id)),
    writeSpec: (id, text) => replace(spec(id), text),
    readStatus(id) {
      const text = textOf(status(id));
      return text === null ? null : readRun(text);
    },
    writeStatus: (id, run) => replace(status(id), `${JSON.stringify(run, null, 2)}\n`),
    log(id, line) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      appendFileSync(log(id), `${line}\n`, { mode: 0o600 });
    },
    blocks(id) {
      if (!existsSync(blocks(id))) return 0;
      const number = Number(textOf(blocks(id))?.trim() || "x");
      return Number.isInteger(number) && number >= 0 ? number : Number.MAX_SAFE_INTEGER;
    },
    setBlocks(id, number) {
      try {
        if (number === 0) rmSync(blocks(id), { force: true });
        else replace(blocks(id), `${number}\n`);
        return true;
      } catch {
        return false;
      }
    },
    boundTo: (id) => textOf(agent(id))?.trim() ?? null,
    bind: (id, agentSession) => replace(agent(id), `${agentSession}\n`),
    free: (id) => rmSync(agent(id), { force: true }),
    archive(id) {
      const target = join(folder, "archive");
      mkdirSync(target, { recursive: true, mode: 0o700 });
      for (const name of namesIn(folder).filter((each) => each.includes(`${id}.`)))
        renameSync(join(folder, name), join(target, name));
      return target;
    },
    path: (id, kind) => ({ record, status, log })[kind](id),
  };
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
