import { countsOf, summed } from "../../core/metrics/counted.ts";
import { addCounts, askedAt, forgetCounts } from "../../db/counts.ts";
import { readOn } from "../../db/readers.ts";
import type { Deps } from "../../deps.ts";

/** The reader of the timeline that counts what happened, for metrics. */
export const countsReader = "counts";

/** Rows of the timeline in one transaction, and transactions in one look: years of history are counted over several ticks. */
const rowsAtOnce = 1_000;
const atOnce = 5;

/**
 * Counts what has happened since it looked last. What is added is written with the place up to which it was read: everything
 * counts once, whoever looks. Where it begins anew, as on another server, it counts anew.
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
