import { and, asc, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Episode, NewEpisode, RunFacts } from "../core/memory/episode.ts";
import { type Candidate, keysOfEpisode, keysOfGoal } from "../core/memory/relevance.ts";
import type { Db } from "./connection/client.ts";
import { textArray } from "./connection/lists.ts";
import { episodeKeys, episodes } from "./schema/index.ts";
import { eventNames } from "./timeline.ts";

const { words: _, isPending: __, ...columns } = getTableColumns(episodes);

interface RememberedRun extends Pick<RunFacts, "told"> {
  readonly hasHelped: boolean | null;
  readonly isPending: boolean;
}

/**
 * Stores what is remembered of a run, once. Returns false when the run has an episode already, or when the id is taken. The lessons
 * that the run was given are counted as helpful or not (`toldHelped`). A pending episode also gets the keys under which it is found.
 */
export async function insertEpisode(
  tx: Db,
  episodeId: string,
  episode: NewEpisode,
  { told, hasHelped, isPending }: RememberedRun,
): Promise<boolean> {
  const inserted = await tx
    .insert(episodes)
    .values({ ...episode, episodeId, isPending })
    .onConflictDoNothing()
    .returning({ episodeNo: episodes.episodeNo });
  const episodeNo = inserted[0]?.episodeNo;
  if (episodeNo === undefined) return false;
  const { repositoryId, tags } = episode;
  if (isPending)
    await tx.insert(episodeKeys).values(keysOfEpisode(tags).map((key) => ({ repositoryId, key, episodeNo })));
  if (told.length === 0 || hasHelped === null) return true;
  const column = sql.identifier(hasHelped ? "told_done" : "told_in_vain");
  await tx.execute(sql`update cos.episodes set ${column} = ${column} + 1 where episode_id = any(${textArray(told)})`);
  return true;
}

/**
 * Episodes that may be relevant to a goal of a repository: the newest 50 with all of its tags and the newest 50 of each of its tags.
 * For a goal without tags, the newest 50. Each is a range of one index, whatever the number of episodes. Full text search counts the
 * shared words. D53.
 */
export async function candidatesFor(
  db: Db,
  wanted: WantedGoal,
): Promise<{ readonly candidates: Candidate[]; readonly words: number }> {
  const found = await candidatesQuery(db, wanted);
  return {
    candidates: found.map(({ sharedWords, ownWords, goalWords: _words, ...episode }) => ({
      episode,
      sharedWords: Number(sharedWords),
      ownWords,
    })),
    words: Number(found[0]?.goalWords ?? 0),
  };
}

interface WantedGoal {
  readonly repositoryId: string;
  readonly tags: readonly string[];
  readonly content: string;
}

/** Maximum number of episodes for each key. */
const newest = 50;

/** Only the statement, for tests that look at its query plan. */
export function candidatesQuery(db: Db, { repositoryId, tags, content }: WantedGoal) {
  return db
    .select({
      ...columns,
      goalWords: sql<string>`cardinality(found.words)`,
      ownWords: sql<number>`length(${episodes.words})`,
      sharedWords: sql<string>`(
        select count(*) from unnest(tsvector_to_array(${episodes.words})) word where word = any(found.words))`,
    })
    .from(
      sql`(
        select nearest.episode_no, goal.words
        from (
          select distinct near.episode_no
          from unnest(${textArray(keysOfGoal(tags))}) wanted(key)
          cross join lateral (
            select k.episode_no from cos.episode_keys k
            where k.repository_id = ${repositoryId} and k.key = wanted.key
            order by k.episode_no desc limit ${newest}) near) nearest
        cross join (
          select tsvector_to_array(to_tsvector('english', ${content.slice(0, 2000)})) as words offset 0) goal) found`,
    )
    .innerJoin(episodes, sql`${episodes.episodeNo} = found.episode_no`);
}

/** The newest `limit` episodes, of one goal when `goalId` is given. Oldest of them first. S4-EP-05, S4-EP-07. */
export async function recentEpisodes(db: Db, limit = 100, goalId?: string): Promise<Episode[]> {
  const ofGoal = goalId === undefined ? undefined : eq(episodes.goalId, goalId);
  const found = await db.select(columns).from(episodes).where(ofGoal).orderBy(desc(episodes.episodeNo)).limit(limit);
  return found.reverse();
}

/** All episodes of a goal, oldest first. */
export async function episodesOf(db: Db, goalId: string): Promise<Episode[]> {
  return await db.select(columns).from(episodes).where(eq(episodes.goalId, goalId)).orderBy(asc(episodes.episodeNo));
}

/** The latest episode of a goal among the last ten of all goals. Null when there is none. S4-CK-18. */
export async function matchingEpisode(db: Db, goalId: string): Promise<string | null> {
  const last = await db
    .select({ episodeId: episodes.episodeId, goalId: episodes.goalId })
    .from(episodes)
    .orderBy(desc(episodes.episodeNo))
    .limit(10);
  return last.find((each) => each.goalId === goalId)?.episodeId ?? null;
}

/** Episodes that have no reflection yet, oldest first. */
export async function pendingEpisodes(db: Db, limit: number): Promise<Episode[]> {
  return await db
    .select(columns)
    .from(episodes)
    .where(sql`${episodes.isPending}`)
    .orderBy(asc(episodes.episodeNo))
    .limit(limit);
}

/** Stores the reflection of an episode. Returns false when another process has done so already. */
export async function keepReflection(
  tx: Db,
  episodeId: string,
  reflection: { readonly reflection: string | null; readonly reflectedBy: string | null },
): Promise<boolean> {
  const updated = await tx
    .update(episodes)
    .set({ ...reflection, isPending: false })
    .where(and(eq(episodes.episodeId, episodeId), sql`${episodes.isPending}`))
    .returning({ id: episodes.episodeId });
  return updated.length > 0;
}

/** Facts of the ended runs of these goals that have no episode yet, oldest first. */
export async function unrememberedRuns(db: Db, goalIds: readonly string[]): Promise<RunFacts[]> {
  if (goalIds.length === 0) return [];
  return await runFacts(
    db,
    sql`r.goal_id = any(${textArray(goalIds)}) and r.status = 'ended'
      and (select e.episode_no from cos.episodes e where e.run_id = r.run_id) is null`,
  );
}

/** Facts of one ended run. Null when there is no ended run with that id. */
export async function factsOfRun(db: Db, runId: string): Promise<RunFacts | null> {
  const [facts] = await runFacts(db, sql`r.run_id = ${runId}`);
  return facts ?? null;
}

type Row = Record<string, unknown>;

async function runFacts(db: Db, which: SQL): Promise<RunFacts[]> {
  const found = await db.execute<Row>(sql`
    select r.run_id, r.goal_id, g.repository_id, g.content, g.tags, g.linkage, r.started_at, r.ended_at, r.rung,
      coalesce((
        select jsonb_agg(jsonb_build_object('rung', a.rung, 'approach', a.approach, 'instruction', a.instruction, 'end', a."end",
          'error', a.error, 'criteria', a.criteria, 'files', a.files, 'costMicroUsd', a.cost_micro_usd) order by a.attempt_id)
        from cos.attempts a where a.run_id = r.run_id), '[]') as attempts,
      coalesce((
        select jsonb_agg(jsonb_build_object('kind', e.kind, 'criterion', e.criterion, 'command', e.command, 'exitCode', e.exit_code,
          'tag', e.tag, 'files', coalesce(e.detail -> 'files', '[]')) order by e.evidence_id)
        from cos.evidence e where e.goal_id = r.goal_id and e.run_id = r.run_id), '[]') as seen,
      coalesce((
        select jsonb_agg(jsonb_build_object('effect', d.effect, 'choice', d.choice, 'recommendation', c.recommendation,
          'instructions', d.instructions) order by d.decision_id)
        from cos.checkpoints c join cos.decisions d on d.checkpoint_id = c.checkpoint_id and d.settles
        where c.goal_id = r.goal_id and c.run_id = r.run_id), '[]') as answers,
      (select jsonb_build_object('status', substr(t.event, 6), 'outcome', coalesce(t.detail ->> 'outcome', ''))
        from cos.timeline t where t.goal_id = r.goal_id and t.run_id = r.run_id
          and t.event in ${eventNames("goal.complete", "goal.failed", "goal.deferred", "goal.manual_followup")}
        order by t.timeline_id desc limit 1) as "end",
      coalesce((
        select jsonb_agg(distinct lesson ->> 'episodeId')
        from cos.timeline t cross join lateral jsonb_array_elements(t.detail -> 'lessons') lesson
        where t.goal_id = r.goal_id and t.run_id = r.run_id and t.event in ${eventNames("run.told")}), '[]') as told,
      coalesce((
        select jsonb_agg(distinct file)
        from cos.timeline t cross join lateral jsonb_array_elements(t.detail -> 'files') file
        where t.goal_id = r.goal_id and t.run_id = r.run_id and t.event in ${eventNames("loop.phase")} and t.detail ? 'files'), '[]') as "taskFiles",
      coalesce((select sum(c.spent_micro_usd) from cos.call_costs c where c.goal_id = r.goal_id and c.run_id = r.run_id), 0) as cost,
      coalesce((select bool_or(c.is_estimated) from cos.call_costs c where c.goal_id = r.goal_id and c.run_id = r.run_id), false) as estimated
    from cos.runs r join cos.goals g on g.goal_id = r.goal_id
    where r.ended_at is not null and ${which}
    order by r.ended_at, r.run_id`);
  return found.rows.map(factsOf);
}

/** Converts a row of the statement above. */
function factsOf(row: Row): RunFacts {
  const { content, tags, linkage, attempts, seen, answers, end, told, taskFiles } = row as unknown as RunFacts &
    RunFacts["goal"];
  return {
    runId: String(row["run_id"]),
    goalId: String(row["goal_id"]),
    repositoryId: String(row["repository_id"]),
    goal: { content, tags, linkage },
    startedAt: new Date(String(row["started_at"])),
    endedAt: new Date(String(row["ended_at"])),
    rung: Number(row["rung"]),
    end,
    attempts,
    seen,
    answers,
    told,
    taskFiles,
    costMicroUsd: Number(row["cost"]),
    costIsEstimated: row["estimated"] === true,
  };
}
