import type { SettledTrigger } from "../core/goals/goal.ts";
import type { Ceilings } from "../core/goals/budget.ts";
import type { Db } from "../db/connection/client.ts";
import { type Night, openNightsById } from "../db/nights.ts";
import { getSession, type Session } from "../db/sessions.ts";
import { nightTotal } from "../db/totals.ts";
import type { Doors } from "../deps.ts";

/** What a night contract means for one of its goals while the night lasts. */

/** The open night that a session belongs to. Null by day. */
async function nightOf(db: Db, sessionId: string | null): Promise<Night | null> {
  const session = sessionId === null ? null : await getSession(db, sessionId);
  return session === null ? null : ((await nightsOf(db, [session])).get(session.sessionId) ?? null);
}

/** The open night of each session. Sessions without an open night are missing. */
export async function nightsOf(
  db: Db,
  sessions: readonly Pick<Session, "sessionId" | "nightId">[],
): Promise<ReadonlyMap<string, Night>> {
  const nights = await openNightsById(
    db,
    sessions.flatMap((session) => session.nightId ?? []),
  );
  return new Map(
    sessions.flatMap(({ sessionId, nightId }): [string, Night][] => {
      const night = nights.find((each) => each.nightId === nightId);
      return night === undefined ? [] : [[sessionId, night]];
    }),
  );
}

/** The triggers that the night's contract has settled for this goal with its current content (D3). */
export async function settledByContract(
  db: Db,
  deps: Pick<Doors, "config">,
  goal: { readonly sessionId: string | null },
  contentHash: string,
): Promise<SettledTrigger[]> {
  return contractSettles(deps, await nightOf(db, goal.sessionId), contentHash);
}

/**
 * Like settledByContract, if the night is known (null by day). A trigger that several people have to agree to is never settled by a
 * contract of one person.
 */
export function contractSettles(
  { config }: Pick<Doors, "config">,
  night: Night | null,
  contentHash: string,
): SettledTrigger[] {
  const allowed = (night?.allowed ?? []).filter((trigger) => config.quorums[trigger] === undefined);
  return allowed.map((trigger) => ({ trigger, contentHash }));
}

/** The ceiling of all sessions of a night together, and what they have committed (D22). */
export async function nightCeiling(db: Db, night: Night): Promise<Ceilings["day"]> {
  const { committedMicroUsd } = await nightTotal(db, night.nightId);
  return { ceilingMicroUsd: night.budgetMicroUsd, spentMicroUsd: committedMicroUsd };
}

/** True when the session is at night: nobody is awake to answer a question. */
export async function isAtNight(db: Db, sessionId: string | null): Promise<boolean> {
  return (await nightOf(db, sessionId)) !== null;
}
