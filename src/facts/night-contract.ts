import type { SettledTrigger } from "../core/goals/goal.ts";
import type { Ceilings } from "../core/goals/budget.ts";
import type { Db } from "../db/connection/client.ts";
import { getNight, type Night } from "../db/nights.ts";
import { getSession } from "../db/sessions.ts";
import { nightTotal } from "../db/spend.ts";

/** What a night contract means for one of its goals while the night lasts. */

/** The open night whose session holds this goal; null by day. */
async function nightOf(db: Db, sessionId: string | null): Promise<Night | null> {
  const session = sessionId === null ? null : await getSession(db, sessionId);
  const night = session?.nightId == null ? null : await getNight(db, session.nightId);
  return night === null || night.endedAt !== null ? null : night;
}

/** Triggers that the contract has settled for this goal as it is now (D3). */
export async function settledByContract(
  db: Db,
  goal: { readonly sessionId: string | null },
  contentHash: string,
): Promise<SettledTrigger[]> {
  const night = await nightOf(db, goal.sessionId);
  return night === null ? [] : night.allowed.map((trigger) => ({ trigger, contentHash }));
}

/** What all its sessions together may cost (D22); null by day. */
export async function nightCeiling(db: Db, sessionId: string | null): Promise<Ceilings["day"] | null> {
  const night = await nightOf(db, sessionId);
  if (night === null) return null;
  const { committedMicroUsd } = await nightTotal(db, night.nightId);
  return { ceilingMicroUsd: night.budgetMicroUsd, spentMicroUsd: committedMicroUsd };
}

/** Whether nobody is awake to answer a question of this goal's session. */
export async function isAtNight(db: Db, sessionId: string | null): Promise<boolean> {
  return (await nightOf(db, sessionId)) !== null;
}
