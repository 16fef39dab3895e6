import { count } from "../core/text.ts";
import type { SessionKind } from "../core/goals/next.ts";
import { type Db, withFreshId } from "../db/client.ts";
import { assignToSession, sessionGoals, updateGoal } from "../db/goals.ts";
import { insertSession, lockSession, type Session, updateSession } from "../db/sessions.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Asking } from "./park.ts";
import { askAhead } from "./start.ts";
import { saySession, type Saying } from "./say.ts";
import { wakeSession } from "./wake.ts";

/** Sessions as they begin and are held; how they go on and end is in wake.ts. */

export interface NewSession {
  readonly repositoryId: string;
  readonly kind: SessionKind;
  /** In the order in which they are worked. */
  readonly goalIds: readonly string[];
  readonly budgetMicroUsd: number;
  readonly onLimit: "wait" | "pause";
  /** Where the repository's base branch stands: what questions asked ahead are about (D14). */
  readonly baseCommit: string;
  readonly startedBy: string;
  readonly via: string;
  readonly campaign?: { readonly campaignId: string; readonly day: number };
  readonly nightId?: string;
}

/**
 * Opens a session: its goals in order, every question that can be foreseen (D16), the first goal woken. The caller has made
 * sure that no other one is open on the repository, and holds the campaign's lock where there is one (D9).
 */
export async function openSession(
  tx: Db,
  deps: Asking,
  wanted: NewSession,
): Promise<{ readonly sessionId: string; readonly questions: number }> {
  const { repositoryId, kind, budgetMicroUsd, onLimit, startedBy, goalIds } = wanted;
  const now = deps.now();
  const sessionId = await withFreshId(
    () => deps.newId("session"),
    (id) =>
      insertSession(tx, {
        sessionId: id,
        repositoryId,
        kind,
        campaignId: wanted.campaign?.campaignId ?? null,
        campaignDay: wanted.campaign?.day ?? null,
        nightId: wanted.nightId ?? null,
        status: "running",
        budgetMicroUsd,
        onLimit,
        startedBy,
        startedAt: now,
      }),
  );
  await lockSession(tx, sessionId);
  await appendTimeline(tx, {
    event: "session.started",
    sessionId,
    campaignId: wanted.campaign?.campaignId ?? null,
    actor: startedBy,
    via: wanted.via,
    at: now,
    detail: { goals: goalIds, budgetMicroUsd },
  });
  const questions = await takeGoals(tx, deps, sessionId, goalIds, wanted.baseCommit);
  return { sessionId, questions };
}

/** Puts goals into an open session, asks what can be foreseen, wakes what is next. Returns how many questions were asked. */
export async function takeGoals(
  tx: Db,
  deps: Asking,
  sessionId: string,
  goalIds: readonly string[],
  baseCommit: string,
): Promise<number> {
  await assignToSession(tx, sessionId, goalIds, deps.now());
  const mine = (await sessionGoals(tx, sessionId)).filter((goal) => goalIds.includes(goal.goalId));
  const questions = await askAhead(tx, deps, mine, baseCommit);
  await wakeSession(tx, deps, sessionId);
  await saySession(tx, deps, sessionId);
  return questions;
}

/** Holds a session: what runs is cut and goes on later. False when it is held already. The caller holds its lock. */
export async function pauseSession(tx: Db, deps: Saying, session: Session, by: string): Promise<boolean> {
  if (session.status === "paused") return false;
  await updateSession(tx, session.sessionId, { status: "paused", pausedBy: by });
  for (const goal of await sessionGoals(tx, session.sessionId)) {
    if (goal.leasedBy !== null) await updateGoal(tx, goal.goalId, { stopRequested: "pause", updatedAt: deps.now() });
  }
  return true;
}

/** "no questions before you go", "3 questions before you go: cos checkpoints" (D16). */
export function questionsWords(questions: number): string {
  return questions === 0
    ? "no questions before you go"
    : `${count(questions, "question")} before you go: cos checkpoints`;
}
