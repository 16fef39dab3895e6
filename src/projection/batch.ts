import { batchCard } from "../core/cards/batch-card.ts";
import { shownOn } from "../core/checkpoints/mirrors.ts";
import { getBatch, shownQuestionsOfBatch } from "../db/batches.ts";
import type { Db } from "../db/connection/client.ts";
import type { Doors } from "../deps.ts";
import type { ProjectedCard } from "./drawn.ts";

/**
 * Draws answers to many questions at once. Null when there is no such batch. It is posted at top level: in a question's thread it would
 * notify the people whom that mentioned (D44). It is shown wherever one of its questions is, and where it was requested.
 */
export async function drawBatch(db: Db, deps: Pick<Doors, "config">, batchId: string): Promise<ProjectedCard | null> {
  const batch = await getBatch(db, batchId);
  if (batch === null) return null;
  const questions = await shownQuestionsOfBatch(db, batchId);
  const drawn = { id: batchId, threadSubject: null, card: batchCard({ ...batch, questions }) };
  const places = questions.map(({ checkpoint }) => shownOn(checkpoint.reasons, deps.config.mirrors));
  if (places.includes(null)) return drawn;
  const platforms = [...places.flatMap((each) => each ?? []), batch.via];
  return { ...drawn, places: { platforms: [...new Set(platforms)], question: null } };
}
