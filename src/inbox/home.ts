import type { HomePage, ChatPerson } from "../chat/inbox.ts";
import { readRefusal } from "../commands/execute.ts";
import { chatCard } from "../core/cards/chat-card.ts";
import type { Card } from "../core/cards/card.ts";
import { batchCard } from "../core/cards/batch-card.ts";
import { drawnAtHome, homeCards } from "../core/cards/home-card.ts";
import { recommend } from "../core/reports/recommendation.ts";
import { linesCard } from "../core/cards/lists.ts";
import { stateOf } from "../core/goals/goal.ts";
import { localDate } from "../core/time.ts";
import { recentBatches, shownQuestionsOfBatch } from "../db/batches.ts";
import { listPending } from "../db/checkpoints.ts";
import { cutGoals, listGoals } from "../db/goal-lists.ts";
import { dayTotal } from "../db/totals.ts";
import type { Deps } from "../deps.ts";
import { needsToAdvise } from "../facts/needs.ts";
import { gatherCheckpointCard } from "../projection/question.ts";
import { type ChatDoor, callerOf, addressesIn } from "./door.ts";

/** A person's home tab: open checkpoints, goals at work, and the cost of today. A person who may not read sees only why. */
export async function home(door: ChatDoor, person: ChatPerson): Promise<HomePage> {
  const { deps } = door;
  const refusal = readRefusal(deps, callerOf(door, person));
  if (refusal !== null) return { cards: [linesCard(refusal.reason, [])], addresses: {} };
  const { db } = deps.database;
  const shownAt = deps.now();
  const open = await listPending(db);
  const isDrawn = drawnAtHome(open);
  const waiting = [];
  for (const checkpoint of open) {
    const card = isDrawn.has(checkpoint.checkpointId) ? await gatherCheckpointCard(db, deps, checkpoint) : null;
    waiting.push({ checkpoint, card });
  }
  const goals = await listGoals(db, { status: "in_progress" });
  const cut = await cutGoals(db, goals);
  const running = goals.map((goal) => ({
    goal,
    state: stateOf(goal, { isAsked: false, isCut: cut.has(goal.goalId) }, deps.now()),
  }));
  const today = await dayTotal(db, localDate(deps.now(), deps.config.timezone));
  const cards = homeCards({
    first: recommend(await needsToAdvise(deps)),
    waiting,
    shownAt,
    batches: await lateBatches(deps),
    running: running.filter(({ state }) => state === "running" || state === "ready" || state === "retrying"),
    spentMicroUsd: today.spentMicroUsd,
    spentIsEstimated: today.isEstimated,
    dayCeilingMicroUsd: deps.policy.ceilings.dayMicroUsd,
  });
  const shown = cards.map((card) => chatCard(card, deps.config.serverPlaces));
  return { cards: shown, addresses: await addressesIn(door, shown) };
}

/** How long the home tab shows the results of batches. */
const batchesForMs = 10 * 60_000;

async function lateBatches({ database: { db }, now }: Deps): Promise<Card[]> {
  const cards = [];
  for (const batch of await recentBatches(db, new Date(now().getTime() - batchesForMs), 2))
    cards.push(batchCard({ ...batch, questions: await shownQuestionsOfBatch(db, batch.batchId) }));
  return cards;
}
