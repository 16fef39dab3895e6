import type { Goal } from "../../core/goals/goal.ts";
import { orderWith } from "../../core/goals/place.ts";
import type { SessionKind } from "../../core/goals/next.ts";
import type { WorklogFlags } from "../../core/worklog/flags.ts";
import { type Db, readTogether, withFreshId } from "../../db/connection/client.ts";
import { openBuilders } from "../../db/grounds.ts";
import { insertSessionWith, keepSessionWith, lockGoal, placeLast, sessionGoals, updateGoal } from "../../db/goals.ts";
import type { Session } from "../../db/sessions.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import type { AskDeps } from "../shared/ask-about.ts";
import { noteOpened } from "../../facts/held.ts";
import { askAhead } from "./ask-to-start.ts";
import { type Ahead, gatherAhead } from "./start-facts.ts";
import { type UnpaidGoal, unpaidOf } from "./unpaid.ts";

/** Begins sessions and lets goals join them. How they continue and end is in `shared/next.ts`. */

export interface NewSession {
  readonly repositoryId: string;
  readonly kind: SessionKind;
  /** In the order in which they are worked. */
  readonly goalIds: readonly string[];
  readonly budgetMicroUsd: number;
  readonly onLimit: "wait" | "pause";
  /** True when an open question holds all later goals (D37). */
  readonly inOrder: boolean;
  /** The current commit of the base branch, which questions in advance are about (D14). */
  readonly baseCommit: string;
  /** Parts that its goals leave out of their worklogs. */
  readonly worklogFlags?: WorklogFlags | null;
  readonly startedBy: string;
  readonly via: string;
  readonly campaign?: { readonly campaignId: string; readonly day: number };
  readonly nightId?: string;
}

/** Facts about goals and their repository before a session is opened with them. */
export interface Foreseen {
  readonly ahead: Ahead;
  /** Unfinished goals of the repository that build on others. */
  readonly builders: readonly Goal[];
}

/** Reads these facts with one statement. */
export async function foresee(
  tx: Db,
  deps: AskDeps,
  goals: readonly Goal[],
  { repositoryId, budgetMicroUsd, nightId }: Pick<NewSession, "repositoryId" | "budgetMicroUsd" | "nightId">,
): Promise<Foreseen> {
  const [ahead, builders] = await readTogether(tx, (reads) =>
    Promise.all([
      gatherAhead(reads, deps, goals, { budgetMicroUsd, nightId: nightId ?? null }),
      openBuilders(reads, repositoryId),
    ]),
  );
  return { ahead, builders };
}

/**
 * Opens a session: puts its goals in order, asks all questions that can be foreseen (D16), and wakes the first goal. The caller has checked
 * that no other session is open on the repository, and holds the campaign's lock if there is one (D9). `foreseen`: facts that were read under
 * the locks of its goals. Read here when null.
 */
export async function openSession(
  tx: Db,
  deps: AskDeps,
  wanted: NewSession,
  foreseen: (Foreseen & { readonly goals: readonly Goal[] }) | null = null,
): Promise<{ readonly sessionId: string; readonly questions: number }> {
  const { budgetMicroUsd, inOrder, startedBy, goalIds, baseCommit } = wanted;
  const now = deps.now();
  // Each kept goal is a separate write at the end.
  const isKept = foreseen !== null && foreseen.goals.length <= mostKept;
  let goals: readonly Goal[] = [];
  const sessionId = await withFreshId(
    () => deps.newId("session"),
    async (id) => {
      const session = sessionOf(wanted, id, now);
      const opened = isKept
        ? await keepSessionWith(tx, session, foreseen.goals, now)
        : await insertSessionWith(tx, session, goalIds, now);
      goals = opened ?? [];
      return opened !== null;
    },
  );
  await appendTimeline(tx, {
    event: "session.started",
    sessionId,
    campaignId: wanted.campaign?.campaignId ?? null,
    actor: startedBy,
    via: wanted.via,
    at: now,
    detail: { goals: goalIds, budgetMicroUsd, inOrder },
  });
  const { ahead, builders } = foreseen ?? (await foresee(tx, deps, goals, wanted));
  noteOpened(tx, { session: sessionOf(wanted, sessionId, now), goals, questions: ahead.questions, builders });
  const questions = await askAhead(tx, deps, goals, { ahead, baseCommit });
  lookAt(tx, sessionId);
  return { sessionId, questions };
}

/** With more goals, one statement places them all. */
const mostKept = 20;

function sessionOf(wanted: NewSession, sessionId: string, startedAt: Date): Session {
  const { repositoryId, kind, budgetMicroUsd, onLimit, inOrder, startedBy, campaign } = wanted;
  return {
    sessionId,
    repositoryId,
    kind,
    campaignId: campaign?.campaignId ?? null,
    campaignDay: campaign?.day ?? null,
    nightId: wanted.nightId ?? null,
    status: "running",
    budgetMicroUsd,
    stopping: false,
    pausedBy: null,
    failedInRow: [],
    onLimit,
    inOrder,
    worklogFlags: wanted.worklogFlags ?? null,
    startedBy,
    startedAt,
    endedBy: null,
    endedAt: null,
    endReason: null,
  };
}

/** Goals that join an open session. */
export interface JoinRequest {
  readonly goalIds: readonly string[];
  /** The current commit of the base branch. Null when git could not say; the goals' runs find out then. */
  readonly baseCommit: string | null;
  readonly by: { readonly actor: string; readonly via: string };
}

/** The result. Places count from 1, among all goals of the session. */
export interface Joined {
  readonly sessionId: string;
  readonly questions: number;
  readonly places: readonly { readonly goalId: string; readonly position: number }[];
  readonly goals: number;
  /** Joining goals that could not begin now for lack of money. */
  readonly unpaid: readonly UnpaidGoal[];
}

/**
 * Puts goals into an open session, each at its place by priority, asks all questions that can be foreseen, and wakes the next goal. The goals
 * are part of a plain session's plan, but not of the plan of a campaign's day or a night (D37). The caller holds the session's lock.
 */
export async function joinSession(tx: Db, deps: AskDeps, session: Session, request: JoinRequest): Promise<Joined> {
  const { goalIds, baseCommit, by } = request;
  const { sessionId, kind } = session;
  const now = deps.now();
  const unplannedIn = kind === "plain" ? null : sessionId;
  const newcomers: Goal[] = [];
  for (const goalId of goalIds) {
    const goal = await lockGoal(tx, goalId);
    if (goal === null) throw new Error(`goal ${goalId} vanished when it joined ${sessionId}`);
    await updateGoal(tx, goalId, { sessionId, joinedAt: now, unplannedIn, updatedAt: now });
    newcomers.push(goal);
  }
  const there = (await sessionGoals(tx, sessionId)).filter((goal) => !goalIds.includes(goal.goalId));
  const order = orderWith(there, newcomers);
  await placeLast(tx, order.slice(order.findIndex((goalId) => goalIds.includes(goalId))));
  const detail = { goals: goalIds };
  await appendTimeline(tx, { event: "session.joined", sessionId, actor: by.actor, via: by.via, at: now, detail });
  const goals = await sessionGoals(tx, sessionId);
  const mine = goals.filter((goal) => goalIds.includes(goal.goalId));
  const ahead = await gatherAhead(tx, deps, mine, null);
  const questions = await askAhead(tx, deps, mine, { ahead, baseCommit });
  lookAt(tx, sessionId);
  for (const { goalId } of mine) mark(tx, "goal", goalId);
  const places = goalIds.map((goalId) => {
    return { goalId, position: goals.findIndex((goal) => goal.goalId === goalId) + 1 };
  });
  return { sessionId, questions, places, goals: goals.length, unpaid: unpaidOf(mine, ahead, deps) };
}
