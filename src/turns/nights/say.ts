import { eveningCard, morningCard, type NightGoal } from "../../core/cards/night-card.ts";
import { allowable, type Allowable } from "../../core/nights/night.ts";
import { decisionsSince, pendingOfNight } from "../../db/checkpoints.ts";
import type { Db } from "../../db/client.ts";
import { evidenceOf } from "../../db/evidence.ts";
import { getGoal } from "../../db/goals.ts";
import { lockMessages, putMessage } from "../../db/messages.ts";
import { getNight, type Night } from "../../db/nights.ts";
import { getSession } from "../../db/sessions.ts";
import { nightTotal } from "../../db/spend.ts";
import type { Saying } from "../say.ts";
import { tagOf } from "../standing.ts";

/** Brings the evening's card up to date: the contract, and whether it is under way. */
export async function sayEvening(tx: Db, deps: Saying, nightId: string): Promise<void> {
  const night = await getNight(tx, nightId);
  if (night === null) return;
  const questions = (await pendingOfNight(tx, nightId)).filter(
    (each) => each.kind === "start" || each.kind === "ceiling",
  ).length;
  const card = eveningCard({
    ...night,
    allowed: allowedWords(night),
    goals: await goalsOf(tx, night),
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
  const card = morningCard({
    nightId,
    endReason: night.endReason ?? "",
    goals: await goalsOf(tx, night),
    decisions: await pendingOfNight(tx, nightId),
    cleared: await decisionsSince(tx, nightId, night.endedAt),
    spentMicroUsd: total.spentMicroUsd,
    spentIsEstimated: total.isEstimated,
    budgetMicroUsd: night.budgetMicroUsd,
  });
  await putMessage(tx, deps.channels, { subject, threadSubject: null, card, urgent: true }, deps.now());
}

/** After an answer or an end of one of its goals: the morning's card shows the next decision. */
export async function sayNightOf(tx: Db, deps: Saying, sessionId: string | null): Promise<void> {
  const session = sessionId === null ? null : await getSession(tx, sessionId);
  if (session?.nightId != null) await sayMorning(tx, deps, session.nightId);
}

async function goalsOf(tx: Db, { goalIds }: Night): Promise<NightGoal[]> {
  const kept = await evidenceOf(tx, goalIds);
  const goals: NightGoal[] = [];
  for (const goalId of goalIds) {
    const goal = await getGoal(tx, goalId);
    if (goal === null) continue;
    const { content, status, outcome } = goal;
    goals.push({ goalId, content, status, outcome, tag: tagOf(goal, kept) });
  }
  return goals;
}
