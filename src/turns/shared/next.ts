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

/** Decides what a session does next, at the end of each transaction that has changed one of its goals. */

/** From now on each transaction of this database decides this for its sessions, and workers are notified of goals that became ready. */
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

/** Returns how many transactions of this process have made goals ready. Each of them notifies the workers. */
export function timesReady(database: Database): number {
  return ready.get(database) ?? 0;
}

/** Takes the next step of a session and marks its card. True when a goal became ready. */
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
 * Returns the first goal that can continue now. While a goal waits to be pushed, any later goal may be worked. While one waits for its
 * provider, only later goals that need no provider may. Null when all of them wait.
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

/** Returns what must answer again before the goal is worked. Null when nothing must. */
async function waitingFor(tx: Db, { phase, runId, wakeAt }: Goal, now: Date): Promise<"push" | "provider" | null> {
  if (runId === null || wakeAt === null || wakeAt <= now) return null;
  if (phase === "finish") return "push";
  return ((await getRun(tx, runId))?.limitWaits ?? 0) > 0 ? "provider" : null;
}

/** True for a goal with its own command, and for one whose work is done. */
function needsNoProvider(goal: Goal | undefined): boolean {
  return goal !== undefined && (goal.runCommand !== null || goal.phase === "finish");
}
