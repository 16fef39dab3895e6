import { mark } from "../../db/connection/marks.ts";
import type { Db } from "../../db/connection/client.ts";
import { goalsWithLabels, sayNotWorking, sayWorking } from "../../db/workers.ts";
import type { Deps } from "../../deps.ts";

/** Of more goals that wait for a label the cards say so when they are drawn next. */
const mostMarked = 200;

/** From now on this process works goals, with its labels. Cards of goals that waited for them are drawn anew. */
export async function beginWorking(deps: Pick<Deps, "database" | "config" | "now">): Promise<void> {
  await deps.database.transaction(async (tx) => {
    await sayWorking(tx, deps.config, deps.now());
    await markThoseWithLabels(tx);
  });
}

/** It works none any more. Where the database is away it is known by our connections. */
export async function endWorking(deps: Pick<Deps, "database" | "log">): Promise<void> {
  try {
    await deps.database.transaction(async (tx) => {
      await sayNotWorking(tx);
      await markThoseWithLabels(tx);
    });
  } catch (error) {
    deps.log.warn("worker.not-said", { error });
  }
}

async function markThoseWithLabels(tx: Db): Promise<void> {
  for (const goalId of await goalsWithLabels(tx, mostMarked)) mark(tx, "goal", goalId);
}
