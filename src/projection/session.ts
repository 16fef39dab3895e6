import { sessionCard, type SessionPurpose } from "../core/cards/session-card.ts";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { heldInSession } from "../core/goals/held.ts";
import { getCampaign } from "../db/campaigns.ts";
import { pendingAbout } from "../db/checkpoints.ts";
import type { Db } from "../db/connection/client.ts";
import { sessionGoals } from "../db/goals.ts";
import { findRepository } from "../db/repositories.ts";
import { getSession, type Session } from "../db/sessions.ts";
import { sessionTotal } from "../db/spend.ts";
import { holdingWith } from "../facts/held.ts";
import type { Drawn } from "./drawn.ts";
import type { HeldSession } from "./question.ts";

/** A session's card, and its open questions with what they hold: their cards say what waits for them and what goes on. */
interface DrawnSession {
  readonly drawn: Drawn;
  readonly held: HeldSession;
  readonly questions: readonly Checkpoint[];
}

/** How far a session is, what it cost, why it ended; null when there is no such session. */
export async function drawSession(db: Db, sessionId: string): Promise<DrawnSession | null> {
  const session = await getSession(db, sessionId);
  if (session === null) return null;
  const goals = await sessionGoals(db, sessionId);
  const repository = await findRepository(db, session.repositoryId);
  const total = await sessionTotal(db, sessionId);
  const questions = await pendingAbout(db, [sessionId, ...goals.map((goal) => goal.goalId)]);
  const kinds = new Map(questions.map((each) => [each.subject, each.kind]));
  const holding = await holdingWith(db, session, goals, kinds);
  const card = sessionCard({
    session,
    purpose: await purposeOf(db, session),
    repositoryName: repository?.name ?? session.repositoryId,
    goals: goals.map(({ goalId, content, status, joinedAt }) => {
      const waitsFor = holding.goals.find((each) => each.goalId === goalId)?.unmet ?? [];
      return { goalId, content, status, isAsked: kinds.has(goalId), waitsFor, hasJoined: joinedAt !== null };
    }),
    held: heldInSession(holding),
    spentMicroUsd: total.spentMicroUsd,
    isEstimated: total.isEstimated,
  });
  return {
    drawn: { id: sessionId, threadSubject: null, card },
    held: { session, holding },
    questions: session.status === "ended" ? [] : questions,
  };
}

/** What a session is for, as it was opened. */
async function purposeOf(db: Db, { campaignId, campaignDay: day, nightId }: Session): Promise<SessionPurpose> {
  const campaign = campaignId === null ? null : await getCampaign(db, campaignId);
  if (campaign !== null && day !== null)
    return { type: "campaign", campaignId: campaign.campaignId, name: campaign.name, day };
  return nightId === null ? { type: "plain" } : { type: "night" };
}
