import { findRepository } from "../db/repositories.ts";
import { listOpenSessions, type Session } from "../db/sessions.ts";
import type { Deps } from "../deps.ts";
import { idOf } from "./fields.ts";

export const repoOption = idOf("repository", "N", "only this repository").optional();

/** The open sessions, or the one of the named repository. */
export async function openSessions(deps: Deps, wanted: string | undefined): Promise<Session[]> {
  const open = await listOpenSessions(deps.database.db);
  if (wanted === undefined) return open;
  const repository = await findRepository(deps.database.db, wanted);
  return open.filter((session) => session.repositoryId === repository?.repositoryId);
}
