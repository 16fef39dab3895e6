import { sessionOverWords } from "../../core/cards/session-card.ts";
import { nextInSession } from "../../core/goals/next.ts";
import type { Database, Db } from "../../db/connection/client.ts";
import { isLocked } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import { lockSession } from "../../db/sessions.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { applyTransition } from "../../db/transitions.ts";
import type { Deps, Doors } from "../../deps.ts";
import { type WholeSession, wholeSessionIn } from "../../facts/held.ts";
import { endWhole } from "./end-session.ts";

/** What a session does next: decided in one place, as the last thing of every transaction that has changed one of its goals. */

/** From now on every transaction of this database decides it, and workers hear of goals that became ready. */
export function decideNext(database: Database, deps: Doors & Pick<Deps, "ring">): void {
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
      const goal = goals.find((each) => each.goalId === next.goalId);
      if (goal === undefined) return false;
      if (goal.wakeAt !== null) return goal.wakeAt <= deps.now();
      await applyTransition(tx, goal, { type: "isQueued", at: deps.now() }, { updatedAt: deps.now() });
      await appendTimeline(tx, { event: "goal.queued", goalId: next.goalId, sessionId, at: deps.now() });
      return true;
    }
  }
}
