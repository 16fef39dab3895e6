import type { Brought } from "../core/cards/answered-words.ts";
import type { Card } from "../core/cards/card.ts";
import { campaignQuestionCard } from "../core/cards/campaign-question-card.ts";
import { withTally } from "../core/cards/tally.ts";
import { checkpointCard } from "../core/cards/checkpoint-card.ts";
import { tuningCard } from "../core/cards/tuning-card.ts";
import type { HeldFacts } from "../core/cards/held-words.ts";
import {
  aboutCampaign,
  aboutGoal,
  aboutPolicy,
  type Checkpoint,
  type GoalCheckpoint,
} from "../core/checkpoints/checkpoint.ts";
import { threadInChat } from "../core/delivery/places.ts";
import { shownOn } from "../core/checkpoints/mirrors.ts";
import { goalCeiling } from "../core/goals/budget.ts";
import type { Goal } from "../core/goals/goal.ts";
import { attemptsOfRun } from "../db/attempts.ts";
import { getCampaign } from "../db/campaigns.ts";
import { getCheckpoint } from "../db/checkpoints.ts";
import type { Db } from "../db/connection/client.ts";
import { listDecisions } from "../db/decisions.ts";
import { getGoal } from "../db/goals.ts";
import type { Doors } from "../deps.ts";
import { heldByQuestion, heldIn, type WholeSession } from "../facts/held.ts";
import { whoIsAsked } from "../facts/on-duty.ts";
import { gatherTally } from "../facts/tally.ts";
import type { ProjectedCard, ShownOn } from "./drawn.ts";

/**
 * Draws a question, open or settled. Null when its subject does not exist. In the console the question of rung 3 is below its goal. In a
 * chat questions are at top level, so that mentioned people do not follow the session's other messages.
 */
export async function drawQuestion(
  db: Db,
  deps: Doors,
  checkpoint: Checkpoint,
  known: KnownForQuestion | null,
): Promise<ProjectedCard | null> {
  const card = await gatherCheckpointCard(db, deps, checkpoint, known);
  const { checkpointId: id, kind, goalId, status, askedAt } = checkpoint;
  if (card === null) return null;
  const asking = status === "pending" ? { ...card, asks: whoIsAsked(deps.config, askedAt) } : card;
  if (kind !== "clarify") return { id, threadSubject: null, card: asking, ...shownPlaces(deps, checkpoint) };
  const chatThread = threadInChat(deps.policy.places, "clarify", goalId);
  return { id, threadSubject: goalId, chatThread, card: asking, ...shownPlaces(deps, checkpoint) };
}

/** The platforms that show a question and its notices. */
export function shownPlaces(
  { config }: Pick<Doors, "config">,
  { checkpointId, reasons }: Pick<Checkpoint, "checkpointId" | "reasons">,
): { readonly places?: ShownOn } {
  const platforms = shownOn(reasons, config.mirrors);
  return platforms === null ? {} : { places: { platforms, question: checkpointId } };
}

/** The same for notices of a question that may no longer exist. */
export async function placesWith(
  db: Db,
  deps: Pick<Doors, "config">,
  checkpointId: string,
): Promise<{ readonly places?: ShownOn }> {
  if (Object.keys(deps.config.mirrors).length === 0) return {};
  const checkpoint = await getCheckpoint(db, checkpointId);
  return checkpoint === null ? {} : shownPlaces(deps, checkpoint);
}

/** A checkpoint's current card. Null when its subject does not exist. `known`: facts that were read before. */
export async function gatherCheckpointCard(
  db: Db,
  deps: Pick<Doors, "policy" | "config">,
  checkpoint: Checkpoint,
  known: KnownForQuestion | null = null,
): Promise<Card | null> {
  const drawn = await questionCard(db, deps, checkpoint, known);
  const tally = drawn === null ? null : await gatherTally(db, deps, checkpoint, drawn.requester);
  return drawn === null || tally === null ? (drawn?.card ?? null) : withTally(drawn.card, checkpoint, tally);
}

/** The card without its votes, and the person who requested its goal or campaign. */
async function questionCard(
  db: Db,
  deps: Pick<Doors, "policy">,
  checkpoint: Checkpoint,
  known: KnownForQuestion | null,
): Promise<{ readonly card: Card; readonly requester: string | null } | null> {
  const ofCampaign = aboutCampaign(checkpoint);
  if (ofCampaign !== null) {
    const campaign = await getCampaign(db, ofCampaign.campaignId);
    if (campaign === null) return null;
    const requester = campaign.requester ?? campaign.createdBy;
    const brought = await broughtTo(db, ofCampaign);
    return { card: campaignQuestionCard({ checkpoint: ofCampaign, campaign, brought }), requester };
  }
  const ofPolicy = aboutPolicy(checkpoint);
  if (ofPolicy !== null) return { card: tuningCard(ofPolicy), requester: null };
  const ofGoal = aboutGoal(checkpoint);
  if (ofGoal === null) return null;
  const gathered = known?.goals.find((each) => each.goalId === ofGoal.goalId);
  const goal = gathered ?? (await getGoal(db, ofGoal.goalId));
  if (goal === null) return null;
  const { kind, runId } = ofGoal;
  const attempts = kind === "escalation" && runId !== null ? await attemptsOfRun(db, runId) : [];
  const ceilingMicroUsd = goalCeiling(goal, deps.policy);
  const held = await heldNow(db, ofGoal, goal, known?.whole ?? null);
  const brought = await broughtTo(db, ofGoal);
  const card = checkpointCard({ checkpoint: ofGoal, goal, ceilingMicroUsd, attempts, held, brought });
  return { card, requester: goal.requester ?? goal.createdBy };
}

/** Instructions, notes and limits of the settling answer. Not read when the chosen option cannot have any. */
async function broughtTo(db: Db, { checkpointId, kind, options, chosenOption }: Checkpoint): Promise<Brought | null> {
  const chosen = options.find(({ label }) => label === chosenOption);
  if (chosen === undefined) return null;
  if (chosen.effect !== "modify" && kind !== "escalation" && kind !== "clarify") return null;
  const settling = (await listDecisions(db, checkpointId)).find(({ settles }) => settles);
  if (settling === undefined) return null;
  return {
    notes: settling.notes ?? undefined,
    instructions: settling.instructions ?? undefined,
    hasCriteria: settling.criteria !== null,
    ceilingMicroUsd: settling.budgetMicroUsd ?? undefined,
  };
}

/** Facts that were read before: goals, perhaps with its own, and its session with the goals that questions hold. */
export interface KnownForQuestion {
  readonly goals: readonly Goal[];
  readonly whole: Pick<WholeSession, "session" | "holding"> | null;
}

/** The goals that an open question holds. Null for a settled one. */
async function heldNow(
  db: Db,
  { status, kind }: GoalCheckpoint,
  goal: Goal,
  known: KnownForQuestion["whole"],
): Promise<HeldFacts | null> {
  if (status !== "pending") return null;
  return known === null
    ? await heldByQuestion(db, { goal, kind })
    : heldIn(known.session, known.holding, { goal, kind });
}
