import { resolve } from "node:path";
import { type ImplementSession, sessionIdOf } from "../core/acceptance/session.ts";
import { type DoneRequest, type DoneRefusal, doneRefusal } from "./request.ts";
import { slugOf } from "../core/acceptance/slug.ts";
import type { SessionStore } from "./session-store.ts";

/** Finds the session of a folder that a call is about. */

/** Returns the name of a criteria file, which is part of its sessions' ids. */
export function nameOfFile(specFile: string): string {
  return (
    specFile
      .split("/")
      .at(-1)
      ?.replace(/\.\w+$/, "") ?? "spec"
  );
}

/** Returns a session name with a number, for a session that begins within the same second as another one. */
export function numberedName(name: string, number: number): string {
  return `${slugOf(name, 30)}-${number}`;
}

/** True when a session's id belongs to a criteria file. Used for an unreadable record, which does not tell its file. */
function isCalledAfter(id: string, specFile: string): boolean {
  const slug = (each: string): string => each.replace(/^implement-\d{8}-\d{6}-/, "");
  const number = Number(/-(\d+)$/.exec(id)?.[1] ?? "2");
  const name = nameOfFile(specFile);
  return [name, numberedName(name, number)].some((each) => slug(sessionIdOf(new Date(0), each)) === slug(id));
}

/** Returns the refusal for an unreadable record: its session proves nothing until it is archived (S2-SS-07). */
export function unreadableRecord(store: SessionStore, id: string): DoneRefusal {
  return doneRefusal(
    `the record of ${id} cannot be read: ${store.path(id, "record")}; start a new session of its criteria`,
    `cos done --session ${id} --archive`,
  );
}

/**
 * Returns the session of a run: the named one, else the newest open one of the file; null when there is none. An unreadable record of
 * that file is refused even if nobody named it: it may hold an agent, which no run could release.
 */
export function findSession(
  store: SessionStore,
  id: string | null,
  asked: { readonly specFile: string | null; readonly text: string | null },
): { readonly type: "session"; readonly session: ImplementSession } | DoneRefusal | null {
  const { specFile, text } = asked;
  if (id !== null) {
    const session = store.read(id);
    if (session === null) return doneRefusal(`no session is called ${id} here`, "cos done --spec PATH --start");
    return session === "unreadable" ? unreadableRecord(store, id) : { type: "session", session };
  }
  const all = store
    .list()
    .toReversed()
    .map((each) => ({ id: each, session: store.read(each) }));
  const broken = all.find(
    (each) => each.session === "unreadable" && specFile !== null && isCalledAfter(each.id, specFile),
  );
  if (broken !== undefined) return unreadableRecord(store, broken.id);
  for (const { id: each, session } of all) {
    if (session === null || session === "unreadable") continue;
    // A completed session of exactly these criteria counts as open too, because it holds again after the work was changed (D46).
    const isOpen =
      session.status === "in_progress" || (session.status === "completed" && store.readSpec(each) === text);
    if (isOpen && session.spec_file === specFile) return { type: "session", session };
  }
  return null;
}

/** Returns the sessions that began with exactly these criteria of a file and were not escalated, newest first. */
export function sessionsOf(
  store: SessionStore,
  { specFile, text }: { readonly specFile: string; readonly text: string },
): ImplementSession[] {
  return store
    .list()
    .toReversed()
    .flatMap((id) => {
      const session = store.read(id);
      if (session === null || session === "unreadable" || session.status === "escalated") return [];
      return session.spec_file === specFile && store.readSpec(id) === text ? [session] : [];
    });
}

export interface ToEnd {
  readonly id: string | null;
  readonly session: ImplementSession | "unreadable" | null;
}

/**
 * Returns the session to end: the named one, else the newest of the file, or of all sessions without a file. A session in progress is
 * preferred.
 */
export function sessionToEnd(store: SessionStore, { sessionId, specPath, directory }: DoneRequest): ToEnd {
  if (sessionId !== null) return { id: sessionId, session: store.read(sessionId) };
  const file = specPath === null ? null : resolve(directory, specPath);
  const isOfFile = ({ id, session }: { readonly id: string } & ToEnd): boolean => {
    if (file === null || session === null) return file === null;
    return session === "unreadable" ? isCalledAfter(id, file) : session.spec_file === file;
  };
  const found = store
    .list()
    .toReversed()
    .map((id) => ({ id, session: store.read(id) }))
    .filter(isOfFile);
  const goesOn = found.find(({ session }) => typeof session === "object" && session?.status === "in_progress");
  return goesOn ?? found[0] ?? { id: null, session: null };
}
