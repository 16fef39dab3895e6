import { morningCard, type NightGoal } from "../core/cards/morning-card.ts";
import { eveningCard } from "../core/cards/night-card.ts";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { allowable, type Allowable } from "../core/nights/night.ts";
import type { SessionCardGoal } from "../core/cards/session-card.ts";
import { recommend } from "../core/reports/recommendation.ts";
import type { StandupNeeds } from "../core/reports/standup-facts.ts";
import { decisionsSince, pendingOfNight } from "../db/night-questions.ts";
import type { Db } from "../db/connection/client.ts";
import { evidenceOf } from "../db/evidence.ts";
import { goalsById } from "../db/goals.ts";
import { getNight, type Night, sessionsOfNight } from "../db/nights.ts";
import { nightCost } from "../db/totals.ts";
import { needsOf } from "../facts/needs.ts";
import { whoIsAsked } from "../facts/on-duty.ts";
import type { Doors } from "../deps.ts";
import { backingsOf } from "../facts/backings.ts";
import { wholeSession } from "../facts/held.ts";
import type { ProjectedCard } from "./drawn.ts";
import { cardGoal, cardGoals } from "./session.ts";
import { backingOf } from "../facts/criteria-status.ts";

/** The evening's card: the contract, and whether it is under way. */
export async function drawEvening(db: Db, deps: Pick<Doors, "now">, nightId: string): Promise<ProjectedCard | null> {
  const night = await getNight(db, nightId);
  if (night === null) return null;
  const questions = (await pendingOfNight(db, nightId)).filter(
    (each) => each.kind === "start" || each.kind === "ceiling",
  ).length;
  const total = await nightCost(db, night);
  const card = eveningCard({
    ...night,
    allowed: allowedWords(night),
    goals: await goalLines(db, night, deps.now()),
    questions,
    spentMicroUsd: total.spentMicroUsd,
    spentIsEstimated: total.isEstimated,
    isOpen: night.endedAt === null,
  });
  return { id: nightId, threadSubject: null, card };
}

/** The night's goals with their current state: those of the contract first, in its order, even if no session has them any more. */
async function goalLines(db: Db, { nightId, goalIds }: Night, now: Date): Promise<SessionCardGoal[]> {
  const worked: SessionCardGoal[] = [];
  for (const { sessionId } of await sessionsOfNight(db, nightId)) {
    const whole = await wholeSession(db, sessionId);
    if (whole !== null) worked.push(...cardGoals(whole, await backingsOf(db, whole.goals), now));
  }
  const missing = goalIds.filter((goalId) => !worked.some((goal) => goal.goalId === goalId));
  const left = missing.length === 0 ? [] : await goalsById(db, missing);
  const backing = await backingsOf(db, left);
  const all = [...worked, ...left.map((goal) => cardGoal(goal, { isAsked: false, backing, now }))];
  const planned = goalIds.flatMap((goalId) => all.find((goal) => goal.goalId === goalId) ?? []);
  return [...planned, ...worked.filter((goal) => !goalIds.includes(goal.goalId))];
}

/** The names of the allowed classes, as people write them. */
function allowedWords({ allowed }: Night): string[] {
  const names = Object.keys(allowable) as Allowable[];
  return names.filter((name) => allowable[name].every((trigger) => allowed.includes(trigger)));
}

/** The morning's card: what was achieved, and the next decision with its buttons. Null while the night lasts. */
export async function drawMorning(db: Db, deps: Doors, nightId: string): Promise<ProjectedCard | null> {
  const night = await getNight(db, nightId);
  if (night === null || night.endedAt === null) return null;
  const total = await nightCost(db, night);
  const decisions = await pendingOfNight(db, nightId);
  const { goals, needs } = await goalsOf(db, deps, night, decisions);
  const card = morningCard({
    nightId,
    endReason: night.endReason ?? "",
    goals,
    decisions,
    first: recommend(needs),
    cleared: await decisionsSince(db, nightId, night.endedAt),
    spentMicroUsd: total.spentMicroUsd,
    spentIsEstimated: total.isEstimated,
    budgetMicroUsd: night.budgetMicroUsd,
  });
  const asking = decisions.length === 0 ? card : { ...card, asks: whoIsAsked(deps.config, night.endedAt) };
  return { id: `${nightId}.morning`, threadSubject: null, card: asking };
}

/** The goals of a night in its order, and what they need from a person. */
async function goalsOf(
  db: Db,
  deps: Doors,
  { goalIds }: Night,
  pending: readonly Checkpoint[],
): Promise<{ readonly goals: readonly NightGoal[]; readonly needs: StandupNeeds }> {
  const found = await goalsById(db, goalIds);
  const { parts, needs } = await needsOf(db, deps, { goals: found, pending, isNews: () => true });
  const kept = await evidenceOf(db, goalIds);
  const undecided = new Set(needs.done.filter((line) => line.branch === "not-merged").map((line) => line.goalId));
  const goals = goalIds.flatMap((goalId): NightGoal[] => {
    const goal = found.find((each) => each.goalId === goalId);
    if (goal === undefined) return [];
    const { content, status, outcome, runCommand } = goal;
    const part = parts.get(goalId) ?? null;
    const isUndecided = undecided.has(goalId);
    return [{ goalId, content, status, outcome, runCommand, ...backingOf(goal, kept), part, isUndecided }];
  });
  return { goals, needs };
}
