import { earlierWorkCard } from "../../../core/cards/worklog-cards.ts";
import { outsideTask } from "../../../core/worklog/earlier.ts";
import type { Db } from "../../../db/connection/client.ts";
import { markNotice } from "../../../db/connection/marks.ts";
import { type Offered, offerOf, releaseWorklog } from "../../../db/worklogs.ts";

/** Where unfinished work was offered, its card says what became of it and can be pressed no more; elsewhere nothing is said. */
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

/** What was left of a goal's earlier worklogs, those that had begun by a moment, is offered no more. */
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
