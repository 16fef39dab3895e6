import type { Card } from "../../core/cards/card.ts";
import { pictureBelow } from "../../core/cards/picture.ts";
import type { Db } from "../../db/connection/client.ts";
import { markNotice } from "../../db/connection/marks.ts";

/** Posts a report. Its chart becomes a separate message in the thread, `<id>.chart`. Safe to repeat. */
export function markReport(tx: Db, id: string, report: Card): void {
  const { card, below } = pictureBelow(report);
  markNotice(tx, id, { card, threadSubject: null });
  if (below !== null) markNotice(tx, `${id}.chart`, { card: below, threadSubject: id });
}
