import { findRepository } from "../db/repositories.ts";
import { listOpenSessions, type Session } from "../db/sessions.ts";
import type { Deps } from "../deps.ts";

export const repoOption = { value: "N", description: "only this repository" };

/** The open sessions, or the one of the named repository. */
export async function openSessions(deps: Deps, wanted: string | null): Promise<Session[]> {
  const open = await listOpenSessions(deps.database.db);
  if (wanted === null) return open;
  const repository = await findRepository(deps.database.db, wanted);
  return open.filter((session) => session.repositoryId === repository?.repositoryId);
}
