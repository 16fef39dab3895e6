import { and, asc, eq, sql } from "drizzle-orm";
import type { JudgedWork } from "../core/critics/accuracy.ts";
import type { CriticsVerdict } from "../core/critics/critic.ts";
import type { Db } from "./connection/client.ts";
import { detailOf, eventNames } from "./timeline.ts";
import { criticWeights, reviews } from "./schema/index.ts";

export type Review = typeof reviews.$inferSelect;

/** Stores the verdict of the critics on a commit. */
export async function insertReview(
  tx: Db,
  about: { readonly goalId: string; readonly runId: string; readonly commit: string; readonly at: Date },
  verdict: CriticsVerdict,
): Promise<void> {
  const { artifactType, isApproved, isVetoed, needsPerson, summary, scores, blockingIssues } = verdict;
  await tx
    .insert(reviews)
    .values({ ...about, artifactType, isApproved, isVetoed, needsPerson, summary, scores, blockingIssues });
}

/** The reviews of a run's work, oldest first. */
export async function reviewsOfRun(db: Db, goalId: string, runId: string): Promise<Review[]> {
  return await db
    .select()
    .from(reviews)
    .where(and(eq(reviews.goalId, goalId), eq(reviews.runId, runId)))
    .orderBy(asc(reviews.reviewId));
}

/** The weights that people have given to critics, in thousandths. */
export async function weightsOfCritics(db: Db): Promise<ReadonlyMap<string, number>> {
  const found = await db.select().from(criticWeights);
  return new Map(found.map(({ critic, weightMilli }) => [critic, weightMilli]));
}

/** Sets the weight of a critic. */
export async function setCriticWeight(
  tx: Db,
  critic: string,
  change: { readonly weightMilli: number; readonly changedBy: string; readonly changedAt: Date },
): Promise<void> {
  await tx
    .insert(criticWeights)
    .values({ critic, ...change })
    .onConflictDoUpdate({ target: criticWeights.critic, set: change });
}

/** The last reviews, newest first, each with the person's answer and the outcome of the branch. */
export async function judgedReviews(db: Db, limit: number): Promise<JudgedWork[]> {
  const found = await db.execute<{
    scores: JudgedWork["scores"];
    answer: JudgedWork["answer"];
    branch: JudgedWork["branch"];
  }>(sql`
    select r.scores, c.status as answer, coalesce(u.status, m.status) as branch
    from (select * from cos.reviews order by review_id desc limit ${limit}) r
    left join lateral (
      select c.status from cos.checkpoints c
      where c.goal_id = r.goal_id and c.kind in ('critics', 'approval') and c.status in ('approved', 'rejected')
        and c.facts ->> 'fingerprint' = r.artifact_type || ':' || r.commit
      order by c.created_at desc limit 1) c on true
    left join lateral (
      select m.status from cos.merges m
      where m.goal_id = r.goal_id and m.head_commit = r.commit and m.status in ('merged', 'discarded')
      order by m.requested_at desc limit 1) m on true
    left join lateral (
      select case
        when bool_or(t.${detailOf<"goal.found-in-git">("news")} = 'reverted') then 'reverted'
        when bool_or(t.${detailOf<"goal.found-in-git">("news")} = 'merged-by-hand') then 'merged' end as status
      from cos.timeline t
      where t.goal_id = r.goal_id and t.event in ${eventNames("goal.found-in-git")} and t.at >= r.at
        and exists (select from cos.runs where runs.run_id = r.run_id and runs.head_commit = r.commit)) u on true
    order by r.review_id desc`);
  return found.rows.map(({ scores, answer, branch }) => ({ scores, answer, branch }));
}
