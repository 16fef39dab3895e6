import { moved, signalsOf, weightsBefore } from "../../core/memory/preferences.ts";
import type { Db } from "../../db/connection/client.ts";
import { matchingEpisode } from "../../db/episodes.ts";
import {
  changesFrom,
  changeWeight,
  insertPrecedent,
  type Unlearnt,
  unlearntAnswers,
  weightOf,
} from "../../db/preferences.ts";
import { lockReader } from "../../db/readers.ts";
import { memoryReader } from "./reader.ts";

/**
 * Learns from the answers to these checkpoints, from each answer once (S4-PL, S4-CK-18). The caller holds the row lock of the reader. So
 * weights change one after the other, and every answer counts exactly once, in any order.
 */
export async function learnFromAnswers(tx: Db, checkpointIds: readonly string[]): Promise<void> {
  for (const answer of await unlearntAnswers(tx, checkpointIds)) await learnFrom(tx, answer);
}

async function learnFrom(tx: Db, answer: Unlearnt): Promise<void> {
  if (!(await insertPrecedent(tx, answer))) return;
  const { decisionId, goalId, kind, trigger, choice, actor, at } = answer;
  const signals = signalsOf(trigger, choice, kind);
  if (signals.size === 0) return;
  const episodeId = goalId === null ? null : await matchingEpisode(tx, goalId);
  for (const [key, directionMilli] of signals) {
    const was = await weightOf(tx, key);
    await changeWeight(tx, { key, was, now: moved(was, directionMilli) }, { decisionId, episodeId, actor, at });
  }
}

/**
 * Restores all weights to their values before a change. The restored values are new changes, so no history is lost. Returns the number of
 * weights that were changed. Null when there is no change with that number.
 */
export async function rollBack(
  tx: Db,
  changeNo: number,
  by: { readonly actor: string; readonly at: Date },
): Promise<number | null> {
  await lockReader(tx, memoryReader);
  const changes = await changesFrom(tx, changeNo);
  if (changes[0]?.changeNo !== changeNo) return null;
  let changed = 0;
  for (const [key, before] of weightsBefore(changes, changeNo)) {
    const was = await weightOf(tx, key);
    if (was.valueMilli === before.valueMilli && was.samples === before.samples) continue;
    await changeWeight(tx, { key, was, now: before }, { rolledBackTo: changeNo, ...by });
    changed += 1;
  }
  return changed;
}
