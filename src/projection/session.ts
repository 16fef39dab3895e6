import { nowWords } from "../core/cards/goal-card.ts";
import { sessionCard, type SessionCardGoal, type SessionPurpose } from "../core/cards/session-card.ts";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { threadInChat } from "../core/delivery/places.ts";
import { type Goal, stateOf } from "../core/goals/goal.ts";
import { heldInSession } from "../core/goals/held.ts";
import { getCampaign } from "../db/campaigns.ts";
import type { Db } from "../db/connection/client.ts";
import { repositoryOfSession } from "../db/repositories.ts";
import type { Session } from "../db/sessions.ts";
import { sessionTotal } from "../db/totals.ts";
import type { Doors } from "../deps.ts";
import { type BackingFor, backingsOf } from "../facts/backings.ts";
import { type WholeSession, wholeSession } from "../facts/held.ts";
import type { ProjectedCard } from "./drawn.ts";
import type { KnownForQuestion } from "./question.ts";

/** A session's card, its open questions, and the goals that these hold, which the questions' cards name. */
interface DrawnSession {
  /** Null when its night has the card. */
  readonly drawn: ProjectedCard | null;
  readonly nightId: string | null;
  readonly held: KnownForQuestion;
  readonly questions: readonly Checkpoint[];
}

/** Draws a session's progress, cost and end. Null when there is no such session. Expects a handle of `readTogether`. */
export async function drawSession(
  db: Db,
  deps: Pick<Doors, "policy" | "now">,
  sessionId: string,
): Promise<DrawnSession | null> {
  const [whole, total, repository] = await Promise.all([
    wholeSession(db, sessionId),
    sessionTotal(db, sessionId),
    repositoryOfSession(db, sessionId),
  ]);
  if (whole === null) return null;
  const { session, holding, questions } = whole;
  const { nightId, campaignId } = session;
  const [purpose, backing] = await Promise.all([purposeOf(db, session), backingsOf(db, whole.goals)]);
  const goals = cardGoals(whole, backing, deps.now());
  const open = session.status === "ended" ? [] : questions;
  const held = { goals: whole.goals, whole };
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

/** A session's goals, as its card shows them. */
export function cardGoals(
  { goals, questions, holding }: WholeSession,
  backing: BackingFor,
  now: Date,
): SessionCardGoal[] {
  const asked = new Set(questions.map((each) => each.subject));
  return goals.map((goal) => {
    const waitsFor = holding.goals.find((each) => each.goalId === goal.goalId)?.unmet ?? [];
    const isAsked = asked.has(goal.goalId);
    return { ...cardGoal(goal, { isAsked, backing, now }), waitsFor, hasJoined: goal.joinedAt !== null };
  });
}

/** One goal of a session. A leased goal is called working here; an interrupted turn is shown on the goal's own card. */
export function cardGoal(
  goal: Goal,
  { isAsked, backing, now }: { readonly isAsked: boolean; readonly backing: BackingFor; readonly now: Date },
): SessionCardGoal {
  const { goalId, content, status } = goal;
  const state = stateOf(goal, { isAsked, isCut: false }, now);
  const words = nowWords({ goal, state, backing: backing(goal) });
  const retriesAt = state === "retrying" ? goal.wakeAt : null;
  return { goalId, content, status, now: words, isAsked, waitsFor: [], hasJoined: false, retriesAt };
}

/** The purpose that a session was opened for. */
async function purposeOf(db: Db, { campaignId, campaignDay: day }: Session): Promise<SessionPurpose> {
  const campaign = campaignId === null ? null : await getCampaign(db, campaignId);
  if (campaign === null || day === null) return { type: "plain" };
  return { type: "campaign", campaignId: campaign.campaignId, name: campaign.name, day };
}
