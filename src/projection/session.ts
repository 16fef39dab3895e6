import { sessionCard, type SessionCardGoal, type SessionPurpose } from "../core/cards/session-card.ts";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { threadInChat } from "../core/delivery/places.ts";
import { heldInSession, type HoldingSession } from "../core/goals/held.ts";
import { getCampaign } from "../db/campaigns.ts";
import { pendingAbout } from "../db/checkpoints.ts";
import type { Db } from "../db/connection/client.ts";
import { sessionGoals } from "../db/goals.ts";
import { findRepository } from "../db/repositories.ts";
import { getSession, type Session } from "../db/sessions.ts";
import { sessionTotal } from "../db/spend.ts";
import type { Doors } from "../deps.ts";
import { holdingWith } from "../facts/held.ts";
import type { Drawn } from "./drawn.ts";
import type { HeldSession } from "./question.ts";

/** A session's card, and its open questions with what they hold: their cards say what waits for them and what goes on. */
interface DrawnSession {
  /** Null: its night has the card. */
  readonly drawn: Drawn | null;
  readonly nightId: string | null;
  readonly held: HeldSession;
  readonly questions: readonly Checkpoint[];
}

/** How far a session is, what it cost, why it ended; null when there is no such session. */
export async function drawSession(
  db: Db,
  deps: Pick<Doors, "policy">,
  sessionId: string,
): Promise<DrawnSession | null> {
  const session = await getSession(db, sessionId);
  if (session === null) return null;
  const { nightId, campaignId } = session;
  const { goals, holding, questions } = await gatherSession(db, session);
  const open = session.status === "ended" ? [] : questions;
  if (nightId !== null) return { drawn: null, nightId, held: { session, holding }, questions: open };
  const repository = await findRepository(db, session.repositoryId);
  const total = await sessionTotal(db, sessionId);
  const card = sessionCard({
    session,
    purpose: await purposeOf(db, session),
    repositoryName: repository?.name ?? session.repositoryId,
    goals,
    held: heldInSession(holding),
    spentMicroUsd: total.spentMicroUsd,
    isEstimated: total.isEstimated,
  });
  const chatThread = threadInChat(deps.policy.places, "day", campaignId);
  const drawn = { id: sessionId, threadSubject: null, chatThread, card };
  return { drawn, nightId, held: { session, holding }, questions: open };
}

/** The goals of a session as its card shows them, what its questions hold, and these. */
export async function gatherSession(
  db: Db,
  session: Session,
): Promise<{
  readonly goals: readonly SessionCardGoal[];
  readonly holding: HoldingSession;
  readonly questions: readonly Checkpoint[];
}> {
  const { sessionId } = session;
  const rows = await sessionGoals(db, sessionId);
  const questions = await pendingAbout(db, [sessionId, ...rows.map((goal) => goal.goalId)]);
  const kinds = new Map(questions.map((each) => [each.subject, each.kind]));
  const holding = await holdingWith(db, session, rows, kinds);
  const goals = rows.map(({ goalId, content, status, joinedAt }) => {
    const waitsFor = holding.goals.find((each) => each.goalId === goalId)?.unmet ?? [];
    return { goalId, content, status, isAsked: kinds.has(goalId), waitsFor, hasJoined: joinedAt !== null };
  });
  return { goals, holding, questions };
}

/** What a session is for, as it was opened. */
async function purposeOf(db: Db, { campaignId, campaignDay: day }: Session): Promise<SessionPurpose> {
  const campaign = campaignId === null ? null : await getCampaign(db, campaignId);
  if (campaign === null || day === null) return { type: "plain" };
  return { type: "campaign", campaignId: campaign.campaignId, name: campaign.name, day };
}
