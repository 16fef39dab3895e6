import { count } from "../text.ts";
import type { SessionNamed } from "./session-words.ts";

/** The answers when somebody stops, pauses or resumes a session, in every state that the session may be in. */

/** What an ended session leaves behind: withdrawn questions, goals that wait for another session, parked goals. */
export interface LeftBehind {
  readonly withdrawn: number;
  readonly waiting: number;
  readonly parked: number;
}

/** "session-1a2b3c4d has ended: 2 questions withdrawn, 3 goals wait for the next session" */
export function endedWords(session: SessionNamed, { withdrawn, waiting, parked }: LeftBehind): string {
  const left = [
    ...(withdrawn === 0 ? [] : [`${count(withdrawn, "question")} withdrawn`]),
    ...(waiting === 0 ? [] : [`${count(waiting, "goal")} ${waiting === 1 ? "waits" : "wait"} for the next session`]),
    ...(parked === 0 ? [] : [`${count(parked, "goal")} parked`]),
  ];
  return `${session.sessionId} has ended${left.length === 0 ? "" : `: ${left.join(", ")}`}${planWords(session)}`;
}

/** What the end of the session means for its campaign or night. */
function planWords({ kind, campaignId }: SessionNamed): string {
  switch (kind) {
    case "campaign":
      return `; its campaign's day is stopped with it: cos campaign run ${campaignId ?? ""}`;
    case "night":
      return "; the night ends with its last session: cos night status";
    case "plain":
      return "";
  }
}

/** "session-1a2b3c4d stops after goal-5e6f7a8b" */
export function stoppingWords(sessionId: string, goalIds: readonly string[]): string {
  return `${sessionId} stops after ${goalIds.join(", ")}`;
}

/** "session-1a2b3c4d is paused; goal-5e6f7a8b is interrupted and goes on later". `stopping`: the session was to stop after that goal. */
export function pausedNowWords(sessionId: string, cut: readonly string[], stopping: boolean): string {
  const goes = cut.length === 1 ? "is interrupted and goes on later" : "are interrupted and go on later";
  const instead = stopping ? "; resumed, it does not stop any more" : "";
  return `${sessionId} is paused${cut.length === 0 ? "" : `; ${cut.join(", ")} ${goes}`}${instead}`;
}

/** "session-1a2b3c4d goes on; 2 questions are open". `stopping`: the session was to stop. */
export function goesOnWords(sessionId: string, questions: number, stopping: boolean): string {
  const open = questions === 0 ? "" : `; ${count(questions, "question")} ${questions === 1 ? "is" : "are"} open`;
  return `${sessionId} goes on${stopping ? " and does not stop any more" : ""}${open}`;
}
