import type { Checkpoint } from "../../core/checkpoints/checkpoint.ts";
import { answerable } from "../../core/checkpoints/find-option.ts";
import { replyQuestion } from "../../core/prompts/reply.ts";
import { changesBudget } from "../../core/replies/amounts.ts";
import { compileReply } from "../../core/replies/compile.ts";
import { fromModel } from "../../core/replies/from-model.ts";
import type { RepliedTo } from "../../core/replies/offered.ts";
import type { CompiledReply } from "../../core/replies/compiled-reply.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { spaceWordsOf } from "../../core/space/no-space.ts";
import { isConflict, isUnavailable } from "../../db/connection/failures.ts";
import { getCheckpoint } from "../../db/checkpoints.ts";
import { getGoal } from "../../db/goals.ts";
import { type ReplyRow, unreadReplies } from "../../db/replies.ts";
import type { Deps } from "../../deps.ts";
import { consult } from "../shared/consult.ts";
import { settleReading } from "./reading.ts";

/** The question and goal that a reply is about. */
interface Read {
  readonly checkpoint: Checkpoint;
  readonly goal: Goal | null;
  readonly repliedTo: RepliedTo;
}

/** The name of the lock for reading replies. Two readers at once would pay the model twice. */
export const readingReplies = "cos replies";

/**
 * Reads replies that the grammar could not read, with the model. Safe to repeat: a reply that was read meanwhile is skipped. The doorbell and
 * the tick call it while they hold the lock. `signal`: aborted when the lock was lost.
 */
export async function readWaitingReplies(deps: Deps, signal: AbortSignal): Promise<void> {
  for (const row of await unreadReplies(deps.database.db)) {
    if (signal.aborted) return;
    const checkpoint = await getCheckpoint(deps.database.db, row.checkpointId);
    if (checkpoint !== null) await readOne(deps, row, checkpoint, signal);
  }
}

/**
 * Reads one reply. If the model fails in any way, the grammar's reading counts: otherwise each call would pay again, and later replies would
 * wait behind it.
 */
async function readOne(deps: Deps, row: ReplyRow, checkpoint: Checkpoint, signal: AbortSignal): Promise<void> {
  const { db } = deps.database;
  const goal = checkpoint.goalId === null ? null : await getGoal(db, checkpoint.goalId);
  const runsCommand = goal?.runCommand != null;
  const repliedTo = { options: answerable(checkpoint), asksClarification: checkpoint.kind === "clarify", runsCommand };
  const settle = (compiled: CompiledReply): Promise<void> =>
    deps.database.transaction((tx) => settleReading(tx, deps, row.replyId, compiled));
  try {
    const compiled = await readWithModel(deps, row, { checkpoint, goal, repliedTo }, signal);
    if (!signal.aborted) await settle(compiled);
  } catch (error) {
    if (signal.aborted || isUnavailable(error) || isConflict(error) || spaceWordsOf(error) !== null) throw error;
    deps.log.error("reply.not-read", { replyId: row.replyId, error });
    await settle(compileReply(row.text, repliedTo));
  }
}

/** The model's reading, limited to the card's options. Without an answer, the grammar's reading. */
async function readWithModel(
  deps: Deps,
  row: ReplyRow,
  { checkpoint, goal, repliedTo }: Read,
  signal: AbortSignal,
): Promise<CompiledReply> {
  const { runId } = checkpoint;
  if (goal === null || runId === null) return compileReply(row.text, repliedTo);
  const question = replyQuestion({ context: checkpoint.context, choices: repliedTo.options, text: row.text });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(deps.policy.model.timeoutMs * 2)]);
  const answer = await consult(deps, { goal, runId }, question, limit);
  const read = answer.type === "answered" ? fromModel(answer.value, repliedTo) : null;
  // "$5 more" is not a ceiling of $5, whatever the model says.
  const isOther = read?.type === "budget" && changesBudget(row.text);
  return read === null || isOther ? compileReply(row.text, repliedTo) : read;
}
