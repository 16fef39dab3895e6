import { isEvent } from "../../core/events/read.ts";
import { episodeOf, type RunFacts, toldHelped } from "../../core/memory/episode.ts";
import { teaches } from "../../core/memory/reflection.ts";
import { type Db, withFreshId } from "../../db/connection/client.ts";
import { insertEpisode, unrememberedRuns } from "../../db/episodes.ts";
import { readOn } from "../../db/readers.ts";
import type { Deps } from "../../deps.ts";
import { learnFromAnswers } from "./prefer.ts";
import { memoryReader } from "./reader.ts";

/** Maximum number of events in one transaction, and of transactions in one call. Years of history are read over several ticks. */
const rowsAtOnce = 200;
const atOnce = 5;

type LearnDeps = Pick<Deps, "database" | "newId" | "ring" | "log">;

/**
 * Reads new events. Stores an episode for every run that has ended, however it ended (S4-EP, C-76), and learns from every answer (S4-PL).
 * The results of a batch and the reader's new place are written in one transaction. So every event counts once, even when two processes
 * read at the same time or one dies in between. Rings for new episodes that need a reflection.
 */
export async function learn(deps: LearnDeps): Promise<void> {
  let remembered = 0;
  for (let batch = 0; batch < atOnce; batch += 1) {
    const { rows, kept } = await deps.database.transaction(async (tx) => {
      const read = await readOn(tx, memoryReader, rowsAtOnce);
      const goalIds = [...new Set(read.rows.flatMap((row) => row.goalId ?? []))];
      let episodes = 0;
      for (const run of await unrememberedRuns(tx, goalIds)) if (await remember(tx, deps, run)) episodes += 1;
      const answered = read.rows.filter((row) => isEvent(row, "checkpoint.answered", "checkpoint.paused"));
      await learnFromAnswers(tx, [...new Set(answered.flatMap((row) => row.checkpointId ?? []))]);
      await read.keepPlace();
      return { rows: read.rows.length, kept: episodes };
    });
    remembered += kept;
    if (rows < rowsAtOnce) break;
  }
  if (remembered === 0) return;
  deps.log.info("memory.remembered", { episodes: remembered });
  await deps.ring("reflect");
}

/**
 * Stores the episode of a run. True when it needs a reflection. The reader's row is locked, so no other process stores it at the same time.
 */
async function remember(tx: Db, deps: LearnDeps, run: RunFacts): Promise<boolean> {
  const episode = episodeOf(run);
  const isPending = teaches(run);
  await withFreshId(
    () => deps.newId("ep"),
    (episodeId) => insertEpisode(tx, episodeId, episode, { told: run.told, hasHelped: toldHelped(run), isPending }),
  );
  return isPending;
}
