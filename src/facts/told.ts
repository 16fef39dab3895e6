import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import type { Goal, Instruction } from "../core/goals/goal.ts";
import type { Db } from "../db/connection/client.ts";
import { type Decision, decisionsOn } from "../db/decisions.ts";
import { confirmedReadings, type ReplyRow } from "../db/replies.ts";

/**
 * What people have told the agent of a goal, oldest first: the instructions added to the goal, and words in an answer that went only to the
 * run (the answer to its own question, what is to be worked on). No query, or two when there is such an answer.
 */
export async function toldOf(
  db: Db,
  { instructions }: Pick<Goal, "instructions">,
  questions: readonly Checkpoint[],
): Promise<Instruction[]> {
  const ids = questions.filter(tellsRun).map(({ checkpointId }) => checkpointId);
  const answers = ids.length === 0 ? [] : await decisionsOn(db, ids);
  const readings = ids.length === 0 ? [] : await confirmedReadings(db, ids);
  return [...instructions, ...answers.flatMap((answer) => wordsOf(answer, readings))].toSorted((one, other) =>
    one.at.localeCompare(other.at),
  );
}

/** True when the answer is only for the run: no instruction of the goal contains its words. */
function tellsRun({ kind, status, options, chosenOption }: Checkpoint): boolean {
  if (status !== "approved" && status !== "rejected") return false;
  const effect = options.find(({ label }) => label === chosenOption)?.effect;
  return effect === "retry" || kind === "clarify";
}

function wordsOf(decision: Decision, readings: readonly ReplyRow[]): Instruction[] {
  const { settles, effect, at, notes, instructions } = decision;
  const text = effect === "retry" ? notes : instructions;
  if (!settles || text === null || text.trim() === "") return [];
  return [{ by: writerOf(decision, readings), text, at: at.toISOString() }];
}

/** Who wrote the words of an answer. If somebody else confirmed a reply, the author of the reply. */
function writerOf({ checkpointId, actor, notes }: Decision, readings: readonly ReplyRow[]): string {
  const written = readings.find(
    (each) => each.checkpointId === checkpointId && each.settledBy === actor && each.text === notes,
  );
  return written?.actor ?? actor;
}
