import { sessionCard, type SessionCardGoal, type SessionPurpose } from "../core/cards/session-card.ts";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { threadInChat } from "../core/delivery/places.ts";
import type { Goal } from "../core/goals/goal.ts";
import { heldInSession, type HoldingSession } from "../core/goals/held.ts";
import { getCampaign } from "../db/campaigns.ts";
import { pendingIn } from "../db/checkpoints.ts";
import { type Db, readTogether } from "../db/connection/client.ts";
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

/** How far a session is, what it cost, why it ended; null when there is no such session. For a handle that reads together. */
export async function drawSession(
  db: Db,
  deps: Pick<Doors, "policy">,
  sessionId: string,
): Promise<DrawnSession | null> {
  const [session, rows, total] = await Promise.all([
    getSession(db, sessionId),
    readRows(db, sessionId),
    sessionTotal(db, sessionId),
  ]);
  if (session === null) return null;
  const { nightId, campaignId } = session;
  const [{ goals, holding, questions }, repository, purpose] = await Promise.all([
    gatherWith(db, session, rows),
    findRepository(db, session.repositoryId),
    purposeOf(db, session),
  ]);
  const open = session.status === "ended" ? [] : questions;
  const held = { session, holding, goals: rows.goals };
  if (nightId !== null) return { drawn: null, nightId, held, questions: open };
  const card = sessionCard({
    session,
    purpose,
    repositoryName: repository?.name ?? session.repositoryId,
    goals,
    held: heldInSession(holding),
    spentMicroUsd: total.spentMicroUsd,
    isEstimated: total.isEstimated,
  });
  const chatThread = threadInChat(deps.policy.places, "day", campaignId);
  const drawn = { id: sessionId, threadSubject: null, chatThread, card };
  return { drawn, nightId, held, questions: open };
}

interface GatheredSession {
  readonly goals: readonly SessionCardGoal[];
  readonly holding: HoldingSession;
  readonly questions: readonly Checkpoint[];
}

/** The goals of a session as its card shows them, what its questions hold, and these. */
export async function gatherSession(db: Db, session: Session): Promise<GatheredSession> {
  return await gatherWith(db, session, await readRows(db, session.sessionId));
}

/** Its goals in their order, and what is asked about it and them. */
interface SessionRows {
  readonly goals: readonly Goal[];
  readonly questions: readonly Checkpoint[];
}

async function readRows(db: Db, sessionId: string): Promise<SessionRows> {
  return await readTogether(db, async (reads) => {
    const [goals, questions] = await Promise.all([sessionGoals(reads, sessionId), pendingIn(reads, sessionId)]);
    return { goals, questions };
  });
}

async function gatherWith(db: Db, session: Session, { goals: rows, questions }: SessionRows): Promise<GatheredSession> {
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
