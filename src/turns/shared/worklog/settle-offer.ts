import { earlierWorkCard } from "../../../core/cards/worklog-cards.ts";
import { outsideTask } from "../../../core/worklog/earlier.ts";
import type { Db } from "../../../db/connection/client.ts";
import { markNotice } from "../../../db/connection/marks.ts";
import { type Offered, offerOf, releaseWorklog } from "../../../db/worklogs.ts";

/** Closes the card that offered unfinished work: it says what became of it, without buttons. Without such a card nothing is posted. */
export function settleOffer(tx: Db, { worklog, thread }: Offered, words: string): void {
  if (thread === null) return;
  const { sessionId, goalId, taskDescription, startedAt } = worklog;
  const work = {
    session_id: sessionId,
    outcome: "abandoned",
    task_description: goalId === null ? outsideTask : taskDescription,
    started_at: startedAt.toISOString(),
    restore_command: "",
  } as const;
  markNotice(tx, offerOf(sessionId), { card: earlierWorkCard(work, goalId ?? thread, words), threadSubject: thread });
}

/** Stops offering a goal's abandoned worklogs that had begun by `startedBy`. */
export async function settleAbandoned(
  tx: Db,
  unfinished: readonly Offered[],
  { startedBy, at, words }: { readonly startedBy: Date; readonly at: Date; readonly words: string },
): Promise<void> {
  for (const offered of unfinished) {
    const { sessionId, outcome, startedAt } = offered.worklog;
    if (outcome !== "abandoned" || startedAt > startedBy) continue;
    if (await releaseWorklog(tx, sessionId, { by: "cos", at })) settleOffer(tx, offered, words);
  }
}
