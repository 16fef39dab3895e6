import { asc, desc, eq, gte, sql } from "drizzle-orm";
import type { CheckpointKind } from "../core/checkpoints/checkpoint.ts";
import type { Trigger } from "../core/checkpoints/triggers.ts";
import { type WeightChange, newWeight, type PreferenceKey, type Weight } from "../core/memory/preferences.ts";
import { type Learnt, mostPrecedents, type Precedent } from "../core/memory/recommend.ts";
import { sqlOnce } from "./connection/built.ts";
import type { Db } from "./connection/client.ts";
import { textArray } from "./connection/lists.ts";
import { preferenceChanges, preferences, precedents } from "./schema/index.ts";

/** An answer that has not been learnt from yet. */
export interface Unlearnt {
  readonly decisionId: number;
  readonly checkpointId: string;
  readonly goalId: string | null;
  readonly kind: CheckpointKind;
  readonly trigger: Trigger;
  readonly choice: string;
  readonly settles: boolean;
  readonly actor: string;
  readonly notes: string | null;
  readonly at: Date;
}

/**
 * Answers to these checkpoints about goals and campaigns that have not been learnt from yet, in the order in which they were given.
 * Where several people have to agree, their votes are one answer, given with the vote that settles. A pause settles nothing but also
 * counts, once for each version of the checkpoint: pressing it again adds nothing.
 */
export async function unlearntAnswers(tx: Db, checkpointIds: readonly string[]): Promise<Unlearnt[]> {
  if (checkpointIds.length === 0) return [];
  const found = await tx.execute<Omit<Unlearnt, "decisionId" | "at"> & { decision_id: string; said_at: Date }>(sql`
    select d.decision_id, d.checkpoint_id as "checkpointId", c.goal_id as "goalId", c.kind, c.trigger, d.choice, d.settles, d.actor,
      coalesce(d.notes, d.instructions) as notes, d.at as said_at
    from cos.decisions d join cos.checkpoints c on c.checkpoint_id = d.checkpoint_id
    where d.checkpoint_id = any(${textArray(checkpointIds)}) and (c.goal_id is not null or c.campaign_id is not null) and d.effect <> 'acknowledge'
      and (d.settles or (d.effect = 'pause' and not exists (
        select 1 from cos.decisions e
        where e.checkpoint_id = d.checkpoint_id and e.version = d.version and e.effect = 'pause' and e.decision_id < d.decision_id)))
      and (select p.decision_id from cos.precedents p where p.decision_id = d.decision_id) is null
    order by d.decision_id`);
  return found.rows.map(({ decision_id: decisionId, said_at: at, ...answer }) => ({
    ...answer,
    decisionId: Number(decisionId),
    at: new Date(at),
  }));
}

/** Stores that an answer was learnt from. Returns false when that was stored before. */
export async function insertPrecedent(tx: Db, answer: Unlearnt): Promise<boolean> {
  const { decisionId, checkpointId, kind, trigger, choice, settles, actor, notes, at } = answer;
  const inserted = await tx
    .insert(precedents)
    .values({ decisionId, checkpointId, kind, trigger, choice, settles, actor, notes, at })
    .onConflictDoNothing()
    .returning({ id: precedents.decisionId });
  return inserted.length > 0;
}

/** The current weight. The caller holds the lock of the reader that learns. */
export async function weightOf(tx: Db, key: PreferenceKey): Promise<Weight> {
  const [found] = await tx.select().from(preferences).where(eq(preferences.key, key));
  return found ?? newWeight;
}

/** Why a weight changes: an answer, or a person who rolls back to the state before a change. */
type Cause = { readonly decisionId: number; readonly episodeId: string | null } | { readonly rolledBackTo: number };

/** Sets one weight and adds a row to its history. */
export async function changeWeight(
  tx: Db,
  change: Pick<WeightChange, "key" | "was" | "now">,
  cause: Cause & { readonly actor: string; readonly at: Date },
): Promise<void> {
  const { key, was, now } = change;
  const row = { valueMilli: now.valueMilli, samples: now.samples, updatedAt: cause.at };
  await tx
    .insert(preferences)
    .values({ key, ...row })
    .onConflictDoUpdate({ target: preferences.key, set: row });
  await tx.insert(preferenceChanges).values({
    key,
    wasMilli: was.valueMilli,
    wasSamples: was.samples,
    nowMilli: now.valueMilli,
    nowSamples: now.samples,
    ...cause,
  });
}

export type PreferenceRow = typeof preferences.$inferSelect;

/** All weights, by key. */
export async function listPreferences(db: Db): Promise<PreferenceRow[]> {
  return await db.select().from(preferences).orderBy(asc(preferences.key));
}

/** The last changes, newest first, each with the answer that caused it. */
export async function recentChanges(db: Db, limit: number) {
  const { checkpointId, choice, trigger } = precedents;
  return await db
    .select({ change: preferenceChanges, answer: { checkpointId, choice, trigger } })
    .from(preferenceChanges)
    .leftJoin(precedents, eq(precedents.decisionId, preferenceChanges.decisionId))
    .orderBy(desc(preferenceChanges.changeNo))
    .limit(limit);
}

/** A change and all later ones, in order. */
export async function changesFrom(tx: Db, changeNo: number): Promise<WeightChange[]> {
  const rows = await tx
    .select()
    .from(preferenceChanges)
    .where(gte(preferenceChanges.changeNo, changeNo))
    .orderBy(asc(preferenceChanges.changeNo));
  return rows.map((row) => ({
    changeNo: row.changeNo,
    key: row.key,
    was: { valueMilli: row.wasMilli, samples: row.wasSamples },
    now: { valueMilli: row.nowMilli, samples: row.nowSamples },
  }));
}

/** What similar checkpoints have in common, besides their trigger. An answer counts only if the same choices were offered. */
interface Alike {
  readonly kind: CheckpointKind;
  /** The labels of the choices, in any order. */
  readonly offered: readonly string[];
}

/** The weights, and the precedents for a checkpoint like this with this trigger. One statement, however many answers there are. */
export async function learntFor(db: Db, alike: Alike, trigger: Trigger): Promise<Learnt> {
  const learntOf = await learntForEach(db, alike, [trigger]);
  return learntOf(trigger);
}

/** Like `learntFor`, for several triggers. */
export async function learntForEach(
  db: Db,
  { kind, offered }: Alike,
  triggers: readonly Trigger[],
): Promise<(trigger: Trigger) => Learnt> {
  const choices = JSON.stringify(offered.map((label) => ({ label })));
  const [row] = await learntByTrigger(db, { kind, triggers, choices });
  const weights = new Map((row?.weights ?? []).map(({ key, ...weight }) => [key, weight]));
  return (trigger) => ({ weights, precedents: row?.precedents[trigger] ?? [] });
}

interface LearntRow {
  readonly weights: ({ key: PreferenceKey } & Weight)[];
  readonly precedents: Partial<Record<Trigger, Precedent[] | null>>;
}

/** Maximum number of newest answers of one kind and trigger that are searched for those with the same choices. */
const mostLookedAt = 100;

const learntByTrigger = sqlOnce<{ kind: CheckpointKind; triggers: readonly Trigger[]; choices: string }, LearntRow>(
  (place) => sql`
    select
      coalesce((select jsonb_agg(jsonb_build_object('key', key, 'valueMilli', value_milli, 'samples', samples))
        from cos.preferences), '[]') as weights,
      (select jsonb_object_agg(asked.trigger, (
          select jsonb_agg(jsonb_build_object('choice', choice, 'by', actor, 'notes', notes) order by decision_id desc)
          from (
            select p.decision_id, p.choice, p.actor, p.notes
            from (
              select * from cos.precedents
              where kind = ${place("kind")} and trigger = asked.trigger and settles
              order by decision_id desc limit ${mostLookedAt}) p
            join cos.checkpoints c on c.checkpoint_id = p.checkpoint_id
            where c.options @> ${place("choices")}::jsonb
              and jsonb_array_length(c.options) = jsonb_array_length(${place("choices")}::jsonb)
            order by p.decision_id desc limit ${mostPrecedents}) alike))
        from unnest(${place("triggers")}::text[]) as asked (trigger)) as precedents`,
);
