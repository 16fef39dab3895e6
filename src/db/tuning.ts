import { asc, desc, eq, gte, sql } from "drizzle-orm";
import type { PolicyChange, PolicyKey, Tuned, TunedTrigger, TuningOutcome } from "../core/memory/tuning.ts";
import { sqlOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { policyChanges, tunedPolicy } from "./schema/index.ts";
import { type Summed, sums, type Total, totalIn } from "./totals.ts";
import { detailOf, eventNames } from "./timeline.ts";

/** The thresholds that people approved instead of the policy's. */
export async function tunedNow(db: Db): Promise<Tuned> {
  const rows = await db.select().from(tunedPolicy);
  return Object.fromEntries(rows.map(({ key, microUsd }) => [key, microUsd]));
}

/** The tuned thresholds, and the total of a day over all sessions, in one statement. */
export async function dayTotalAndTuned(db: Db, day: string): Promise<{ readonly today: Total; readonly tuned: Tuned }> {
  const [found] = await totalOfDayAndTuned(db, { day });
  return { today: totalIn(found), tuned: found?.tuned ?? {} };
}

const totalOfDayAndTuned = sqlOnce<{ day: string }, Summed & { tuned: Tuned }>(
  (place) => sql`
    select ${sums}, (select coalesce(jsonb_object_agg(key, micro_usd), '{}') from cos.tuned_policy) as tuned
    from cos.totals where about = 'day' and id = ${place("day")}`,
);

/** Reads the thresholds to change them: nobody else can change them until COMMIT. */
export async function lockTuned(tx: Db): Promise<Tuned> {
  await tx.execute(sql`lock table ${tunedPolicy} in share row exclusive mode`);
  return await tunedNow(tx);
}

/**
 * How checkpoints about cost were answered since `since`, and what became of their goals. Only checkpoints with cost as their only
 * reason. A branch that was discarded or reverted is not a good end.
 */
export async function tuningOutcomes(db: Db, since: Date): Promise<TuningOutcome[]> {
  const found = await db.execute<{ trigger: TunedTrigger; went_on: boolean; ended_well: boolean | null }>(sql`
    select c.trigger, d.effect in ('continue', 'modify') as went_on,
      case when d.effect in ('continue', 'modify') then
        (e.outcome ->> 'isSuccess')::boolean
          and not exists (select from cos.merges m where m.goal_id = c.goal_id and m.status = 'discarded')
          and not exists (select from cos.timeline t where t.goal_id = c.goal_id and t.event in ${eventNames("goal.found-in-git")}
            and t.${detailOf<"goal.found-in-git">("news")} = 'reverted')
      end as ended_well
    from cos.decisions d
    join cos.checkpoints c on c.checkpoint_id = d.checkpoint_id
    left join cos.episodes e on e.run_id = c.run_id
    where d.settles and d.at >= ${since} and c.kind in ('start', 'continue') and c.goal_id is not null
      and c.trigger in ('cost_single', 'cost_cumulative') and jsonb_array_length(c.reasons) = 1
    order by d.decision_id`);
  return found.rows.map(({ trigger, went_on: wentOn, ended_well: endedWell }) => ({ trigger, wentOn, endedWell }));
}

/**
 * When somebody last answered a proposal since `since`. Null when nobody has. Answers before that time are not used for another
 * proposal.
 */
export async function lastTuningAnswer(db: Db, since: Date): Promise<Date | null> {
  const found = await db.execute<{ at: string | null }>(sql`
    select max(d.at) as at from cos.decisions d join cos.checkpoints c on c.checkpoint_id = d.checkpoint_id
    where d.settles and d.at >= ${since} and c.kind = 'tuning'`);
  const at = found.rows[0]?.at ?? null;
  return at === null ? null : new Date(at);
}

/** Why a threshold changes: an approved proposal, or a rollback to the state before a change. Empty when a person sets it directly. */
interface Cause {
  readonly checkpointId?: string;
  readonly rolledBackTo?: number;
}

/** Sets one threshold and adds a row to its history. */
export async function changeThreshold(
  tx: Db,
  { key, wasMicroUsd, nowMicroUsd }: PolicyChange,
  cause: Cause & { readonly actor: string; readonly at: Date },
): Promise<void> {
  const row = { microUsd: nowMicroUsd, updatedAt: cause.at };
  await tx
    .insert(tunedPolicy)
    .values({ key, ...row })
    .onConflictDoUpdate({ target: tunedPolicy.key, set: row });
  await tx.insert(policyChanges).values({ key, wasMicroUsd, nowMicroUsd, ...cause });
}

/** Deletes a tuned threshold: the policy's own number is valid again. */
export async function forgetThreshold(tx: Db, key: PolicyKey): Promise<void> {
  await tx.delete(tunedPolicy).where(eq(tunedPolicy.key, key));
}

export type PolicyChangeRow = typeof policyChanges.$inferSelect;

/** The last changes, newest first. */
export async function recentPolicyChanges(db: Db, limit: number): Promise<PolicyChangeRow[]> {
  return await db.select().from(policyChanges).orderBy(desc(policyChanges.changeNo)).limit(limit);
}

/** A change and all later ones, in order. */
export async function policyChangesFrom(tx: Db, changeNo: number): Promise<PolicyChangeRow[]> {
  return await tx
    .select()
    .from(policyChanges)
    .where(gte(policyChanges.changeNo, changeNo))
    .orderBy(asc(policyChanges.changeNo));
}
