import { endedStatuses } from "./goal.ts";
import type { SessionGoal } from "./next.ts";

/** Which goals wait for an answer, and which continue without it. */

/** An open session with its goals in their order. */
export interface HoldingSession {
  readonly isPaused: boolean;
  readonly stopping: boolean;
  readonly goals: readonly SessionGoal[];
  /** Goals outside the session that build on other goals. */
  readonly others: readonly SessionGoal[];
}

/** Goal ids, in session order. */
export interface Held {
  /** Goals that cannot continue before the answer, without the goal that the question is about. */
  readonly waits: readonly string[];
  readonly goesOn: readonly string[];
}

/**
 * Returns what waits for the answer about one goal, or about the session itself (`goalId` null), and what continues without it.
 * Goals on top of the goal wait. In a session that goes in order, the goals behind it wait too. D20, D37.
 */
export function heldBy(goalId: string | null, session: HoldingSession): Held {
  const goesOn = goingOn(session);
  const unfinished = session.goals.filter(isUnfinished);
  if (goalId === null) return { waits: idsOf(unfinished), goesOn };
  const index = session.goals.findIndex((goal) => goal.goalId === goalId);
  const holds = session.goals[index]?.question === "holds";
  const behind = holds ? session.goals.slice(index + 1).filter(isUnfinished) : [];
  const built = builtOn(goalId, session);
  const all = [...session.goals, ...session.others];
  return { waits: idsOf(all.filter((goal) => behind.includes(goal) || built.has(goal.goalId))), goesOn };
}

/** Returns the goals of a session that continue without a person, and those that wait for one. */
export function heldInSession(session: HoldingSession): Held {
  const goesOn = goingOn(session);
  return { waits: idsOf(session.goals.filter(isUnfinished)).filter((goalId) => !goesOn.includes(goalId)), goesOn };
}

/** Returns the unfinished goals that build on a goal, directly or through others, in any session. */
export function builtOn(goalId: string, { goals, others }: Pick<HoldingSession, "goals" | "others">): Set<string> {
  const built = new Set<string>();
  const all = [...goals, ...others].filter((goal) => !endedStatuses.includes(goal.status));
  let size = -1;
  while (size !== built.size) {
    size = built.size;
    for (const goal of all) if (goal.unmet.some((each) => each === goalId || built.has(each))) built.add(goal.goalId);
  }
  return built;
}

function goingOn({ isPaused, stopping, goals }: HoldingSession): string[] {
  if (isPaused) return [];
  if (stopping) return idsOf(goals.filter((goal) => goal.isLeased));
  const holder = goals.findIndex((goal) => goal.question === "holds" && !endedStatuses.includes(goal.status));
  const before = holder === -1 ? goals : goals.slice(0, holder);
  const free = before.filter((goal) => isUnfinished(goal) && goal.question === "none");
  const going = new Set<string>();
  let size = -1;
  while (size !== going.size) {
    size = going.size;
    for (const goal of free) if (goal.isLeased || goal.unmet.every((each) => going.has(each))) going.add(goal.goalId);
  }
  return idsOf(free).filter((goalId) => going.has(goalId));
}

/** Parked goals do not count: they have no open question. */
function isUnfinished({ status, question }: SessionGoal): boolean {
  return !endedStatuses.includes(status) && (status !== "blocked" || question !== "none");
}

function idsOf(goals: readonly SessionGoal[]): string[] {
  return goals.map((goal) => goal.goalId);
}
