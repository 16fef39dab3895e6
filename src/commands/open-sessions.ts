import type { Span } from "../core/cards/card.ts";
import { pausedByWords, pausedSpans, resumeCommand } from "../core/cards/paused-words.ts";
import { cardState, sessionState } from "../core/cards/session-card.ts";
import { heldInSession } from "../core/goals/held.ts";
import type { Db } from "../db/connection/client.ts";
import { findRepository, listRepositories } from "../db/repositories.ts";
import { listOpenSessions, type Session } from "../db/sessions.ts";
import { wholeSession } from "../facts/held.ts";
import type { Deps } from "../deps.ts";
import { idOf } from "./fields.ts";

export const repoOption = idOf("repository", "N", "only this repository").optional();

/** Returns the open sessions, or only that of the named repository. */
export async function openSessions(deps: Deps, wanted: string | undefined): Promise<Session[]> {
  const open = await listOpenSessions(deps.database.db);
  if (wanted === undefined) return open;
  const repository = await findRepository(deps.database.db, wanted);
  return open.filter((session) => session.repositoryId === repository?.repositoryId);
}

/**
 * Returns one line for each open session, with its repository: "Session session-1a2b3c4d on shop is running". For a paused session, adds
 * who paused it and the command that resumes it, unless `advised` is that command already.
 */
export async function sessionItems(db: Db, sessions: readonly Session[], advised: string | null): Promise<Span[][]> {
  const nameOf = await repositoryNames(db);
  const states = new Map<string, string>();
  for (const each of sessions) states.set(each.sessionId, await stateNow(db, each));
  return sessions.map((each): Span[] => {
    const repositoryName = nameOf(each.repositoryId);
    const line = `Session ${each.sessionId} on ${repositoryName} is ${states.get(each.sessionId) ?? sessionState(each)}`;
    if (each.status !== "paused") return [line];
    const paused = { ...each, repositoryName };
    const commands = [resumeCommand(paused), resumeCommand({ ...paused, campaignId: null })];
    if (commands.some((each) => advised === `cos ${each}`)) return [`${line} ${pausedByWords(each.pausedBy)}`];
    return [line, ...pausedSpans(paused)];
  });
}

/** Returns the state with the same words as the session's card. */
async function stateNow(db: Db, session: Session): Promise<string> {
  const whole = await wholeSession(db, session.sessionId);
  if (whole === null) return sessionState(session);
  const asked = new Set(whole.questions.map(({ subject }) => subject));
  const held = heldInSession(whole.holding);
  return cardState({ session, held }, whole.goals.filter(({ goalId }) => asked.has(goalId)).length);
}

/** Returns a function that maps a repository's id to its name. */
export async function repositoryNames(db: Db): Promise<(repositoryId: string) => string> {
  const names = new Map((await listRepositories(db)).map((each) => [each.repositoryId, each.name]));
  return (repositoryId) => names.get(repositoryId) ?? repositoryId;
}
