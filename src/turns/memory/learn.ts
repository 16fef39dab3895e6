import { isEvent } from "../../core/events/read.ts";
import { episodeOf, type RunFacts, toldHelped } from "../../core/memory/episode.ts";
import { teaches } from "../../core/memory/reflection.ts";
import { type Db, withFreshId } from "../../db/connection/client.ts";
import { insertEpisode, unrememberedRuns } from "../../db/episodes.ts";
import { readOn } from "../../db/readers.ts";
import type { Deps } from "../../deps.ts";
import { learnFromAnswers } from "./prefer.ts";
import { memoryReader } from "./reader.ts";

/** Rows of the timeline in one transaction, and transactions in one look: years of history are worked in over several ticks. */
const rowsAtOnce = 200;
const atOnce = 5;

type LearnDeps = Pick<Deps, "database" | "newId" | "ring" | "log">;

/**
 * Reads what has happened and remembers it: an episode for every run that has ended, by whatever way (S4-EP, C-76), and what
 * every answer says of who gave it (S4-PL). What a
 * batch of events teaches is written with the place up to which they are read, so that it counts once, also when two
 * processes look at once or one ends in the middle. Rings for what there is to think about.
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

/** True when there is something to think about. The reader's row is locked: nobody else remembers it at the same time. */
async function remember(tx: Db, deps: LearnDeps, run: RunFacts): Promise<boolean> {
  const episode = episodeOf(run);
  const isPending = teaches(run);
  await withFreshId(
    () => deps.newId("ep"),
    (episodeId) => insertEpisode(tx, episodeId, episode, { told: run.told, hasHelped: toldHelped(run), isPending }),
  );
  return isPending;
}
