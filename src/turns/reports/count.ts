import { countsOf, summed } from "../../core/metrics/counted.ts";
import { addCounts, askedAt, forgetCounts } from "../../db/counts.ts";
import { readOn } from "../../db/readers.ts";
import type { Deps } from "../../deps.ts";

/** The timeline reader that counts events for the metrics. */
export const countsReader = "counts";

/** Maximum number of events in one transaction, and of transactions in one call. Years of history are counted over several ticks. */
const rowsAtOnce = 1_000;
const atOnce = 5;

/**
 * Counts the events since the last call. The sums and the reader's new place are written in one transaction, so every event counts once,
 * whichever process reads it. If the reader starts from the beginning, for example on another server, all counts start again.
 */
export async function countEvents({ database }: Pick<Deps, "database">): Promise<void> {
  for (let batch = 0; batch < atOnce; batch += 1) {
    const read = await database.transaction(async (tx) => {
      const { rows, isFirst, keepPlace } = await readOn(tx, countsReader, rowsAtOnce);
      if (isFirst) await forgetCounts(tx);
      const shown = rows.flatMap(({ event, checkpointId }) =>
        event === "message.posted" && checkpointId !== null ? [checkpointId] : [],
      );
      const asked = await askedAt(tx, shown);
      await addCounts(tx, summed(rows.flatMap((row) => countsOf(row, asked))));
      await keepPlace();
      return rows.length;
    });
    if (read < rowsAtOnce) return;
  }
}
