import type { PausedSession } from "../core/cards/paused-words.ts";
import type { Db } from "../db/connection/client.ts";
import { findRepository } from "../db/repositories.ts";
import type { Session } from "../db/sessions.ts";

/** The facts for the words about a paused session, with the name of its repository. One query. */
export async function pausedSession(
  db: Db,
  { repositoryId, campaignId, pausedBy }: Pick<Session, "repositoryId" | "campaignId" | "pausedBy">,
): Promise<PausedSession> {
  const repository = await findRepository(db, repositoryId);
  return { campaignId, pausedBy, repositoryName: repository?.name ?? repositoryId };
}
