import { eveningCard, morningCard, type NightGoal } from "../core/cards/night-card.ts";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import type { Goal } from "../core/goals/goal.ts";
import { allowable, type Allowable } from "../core/nights/night.ts";
import { recommend } from "../core/reports/recommendation.ts";
import type { Needs } from "../core/reports/standup-facts.ts";
import { decisionsSince, pendingOfNight } from "../db/checkpoints.ts";
import type { Db } from "../db/connection/client.ts";
import { evidenceOf } from "../db/evidence.ts";
import { goalsById } from "../db/goals.ts";
import { lockMessages, putMessage } from "../db/messages.ts";
import { endedNightsWith, getNight, type Night } from "../db/nights.ts";
import { nightTotal } from "../db/spend.ts";
import { needsOf } from "../facts/needs.ts";
import type { Saying } from "./say.ts";
import { tagOf } from "../facts/standing.ts";

/** Brings the evening's card up to date: the contract, and whether it is under way. */
export async function sayEvening(tx: Db, deps: Saying, nightId: string): Promise<void> {
  const night = await getNight(tx, nightId);
  if (night === null) return;
  const questions = (await pendingOfNight(tx, nightId)).filter(
    (each) => each.kind === "start" || each.kind === "ceiling",
  ).length;
  const goals = await goalsById(tx, night.goalIds);
  const card = eveningCard({
    ...night,
    allowed: allowedWords(night),
    goals: night.goalIds.flatMap((goalId) => goals.find((goal) => goal.goalId === goalId) ?? []),
    questions,
    isOpen: night.endedAt === null,
  });
  await putMessage(tx, deps.channels, { subject: nightId, threadSubject: null, card, urgent: true }, deps.now());
}

/** The classes that were allowed, as a person named them. */
function allowedWords({ allowed }: Night): string[] {
  const names = Object.keys(allowable) as Allowable[];
  return names.filter((name) => allowable[name].every((trigger) => allowed.includes(trigger)));
}

/** Brings the morning's card up to date: what was achieved, and the next decision with its buttons. */
export async function sayMorning(tx: Db, deps: Saying, nightId: string): Promise<void> {
  const night = await getNight(tx, nightId);
  if (night === null || night.endedAt === null) return;
  const subject = `${nightId}.morning`;
  // Its sessions are answered side by side: the last one to write has seen the others.
  await lockMessages(tx, subject);
  const total = await nightTotal(tx, nightId);
  const decisions = await pendingOfNight(tx, nightId);
  const { goals, needs } = await goalsOf(tx, deps, night, decisions);
  const card = morningCard({
    nightId,
    endReason: night.endReason ?? "",
    goals,
    decisions,
    first: recommend(needs),
    cleared: await decisionsSince(tx, nightId, night.endedAt),
    spentMicroUsd: total.spentMicroUsd,
    spentIsEstimated: total.isEstimated,
    budgetMicroUsd: night.budgetMicroUsd,
  });
  await putMessage(tx, deps.channels, { subject, threadSubject: null, card, urgent: true }, deps.now());
}

/** Something about goals has changed: the morning's card of their newest night shows what is urgent now. */
export async function sayNightOf(tx: Db, deps: Saying, ...goals: readonly Pick<Goal, "goalId">[]): Promise<void> {
  const goalIds = goals.map((goal) => goal.goalId);
  for (const nightId of await endedNightsWith(tx, goalIds)) await sayMorning(tx, deps, nightId);
}

/** The goals of a night in its order, and what is needed about them. */
async function goalsOf(
  tx: Db,
  deps: Saying,
  { goalIds }: Night,
  pending: readonly Checkpoint[],
): Promise<{ readonly goals: readonly NightGoal[]; readonly needs: Needs }> {
  const found = await goalsById(tx, goalIds);
  const { parts, needs } = await needsOf(tx, deps, { goals: found, pending, isNews: () => true });
  const kept = await evidenceOf(tx, goalIds);
  const undecided = new Set(needs.done.filter((line) => line.branch === "not-merged").map((line) => line.goalId));
  const goals = goalIds.flatMap((goalId): NightGoal[] => {
    const goal = found.find((each) => each.goalId === goalId);
    if (goal === undefined) return [];
    const { content, status, outcome } = goal;
    const tag = tagOf(goal, kept);
    const isUndecided = undecided.has(goalId);
    return [{ goalId, content, status, outcome, tag, part: parts.get(goalId) ?? null, isUndecided }];
  });
  return { goals, needs };
}
