import { sessionOverWords } from "../../core/cards/session-card.ts";
import { goesInOrder, nextInSession } from "../../core/goals/next.ts";
import type { Database, Db } from "../../db/connection/client.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { isLocked } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import { getRun } from "../../db/runs.ts";
import { lockSession } from "../../db/sessions.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { applyTransition } from "../../db/transitions.ts";
import type { Deps, Doors } from "../../deps.ts";
import { type WholeSession, wholeSessionIn } from "../../facts/held.ts";
import { endWhole } from "./end-session.ts";

/** What a session does next: decided in one place, as the last thing of every transaction that has changed one of its goals. */

/** From now on every transaction of this database decides it, and workers hear of goals that became ready. */
export function decideSessions(database: Database, deps: Doors & Pick<Deps, "ring">): void {
  database.onLooks({
    async look(tx, sessionIds) {
      let isReady = false;
      for (const sessionId of sessionIds) isReady = (await lookAtSession(tx, deps, sessionId)) || isReady;
      return isReady;
    },
    ready() {
      ready.set(database, timesReady(database) + 1);
      return deps.ring("run-goal");
    },
  });
}

const ready = new WeakMap<Database, number>();

/** How often transactions of this process have made goals ready: each of them rings. */
export function timesReady(database: Database): number {
  return ready.get(database) ?? 0;
}

/** Takes the next step of a session, and says how it stands. True when a goal became ready. */
async function lookAtSession(tx: Db, deps: Doors, sessionId: string): Promise<boolean> {
  if (!isLocked(tx, sessionId)) await lockSession(tx, sessionId);
  const whole = await wholeSessionIn(tx, sessionId);
  if (whole === null) return false;
  mark(tx, "session", sessionId);
  return whole.session.status === "running" && (await takeNext(tx, deps, whole));
}

async function takeNext(tx: Db, deps: Doors, whole: WholeSession): Promise<boolean> {
  const { session, goals, holding } = whole;
  const { sessionId } = session;
  const next = nextInSession(holding.goals, session.stopping);

  switch (next.type) {
    case "busy":
    case "waits":
      return false;
    case "done":
      await endWhole(tx, deps, whole, { reason: session.stopping ? "Stopped." : sessionOverWords(goals) });
      return false;
    case "run": {
      const first = goals.find((each) => each.goalId === next.goalId);
      if (first === undefined) return false;
      const goal = goesInOrder(session) ? first : ((await firstThatGoesOn(tx, deps, whole, first)) ?? first);
      if (goal.wakeAt !== null) return goal.wakeAt <= deps.now();
      await applyTransition(tx, goal, { type: "isQueued", at: deps.now() }, { updatedAt: deps.now() });
      await appendTimeline(tx, { event: "goal.queued", goalId: goal.goalId, sessionId, at: deps.now() });
      return true;
    }
  }
}

/**
 * The goal whose turn it is, or the next one while it waits for its provider or to be pushed: beside a push anything, beside a provider
 * what needs none. Null: all of them wait.
 */
async function firstThatGoesOn(tx: Db, deps: Doors, whole: WholeSession, first: Goal): Promise<Goal | null> {
  const goals = new Map(whole.goals.map((goal) => [goal.goalId, goal]));
  let left = whole.holding.goals;
  for (let goal: Goal | undefined = first; goal !== undefined; ) {
    const { goalId } = goal;
    const waits = await waitingFor(tx, goal, deps.now());
    if (waits === null) return goal;
    left = left.filter(
      (each) => each.goalId !== goalId && (waits === "push" || needsNoProvider(goals.get(each.goalId))),
    );
    const next = nextInSession(left, whole.session.stopping);
    goal = next.type === "run" ? goals.get(next.goalId) : undefined;
  }
  return null;
}

/** What has to answer again before anybody works it; null: nothing has to. */
async function waitingFor(tx: Db, { phase, runId, wakeAt }: Goal, now: Date): Promise<"push" | "provider" | null> {
  if (runId === null || wakeAt === null || wakeAt <= now) return null;
  if (phase === "finish") return "push";
  return ((await getRun(tx, runId))?.limitWaits ?? 0) > 0 ? "provider" : null;
}

/** Its own command works it, or its work is done. */
function needsNoProvider(goal: Goal | undefined): boolean {
  return goal !== undefined && (goal.runCommand !== null || goal.phase === "finish");
}
