import type { PausedSession } from "../core/cards/paused-words.ts";
import type { Db } from "../db/connection/client.ts";
import { findRepository } from "../db/repositories.ts";
import type { Session } from "../db/sessions.ts";

/** A paused session as its words need it: with what its repository is called. One read. */
export async function pausedSession(
  db: Db,
  { repositoryId, campaignId, pausedBy }: Pick<Session, "repositoryId" | "campaignId" | "pausedBy">,
): Promise<PausedSession> {
  const repository = await findRepository(db, repositoryId);
  return { campaignId, pausedBy, repositoryName: repository?.name ?? repositoryId };
}
