import { mayChange } from "../../core/checkpoints/approvers.ts";
import { type Became, becameOf, hasAnswerOf, seenWords } from "../../core/checkpoints/batch.ts";
import type { Checkpoint } from "../../core/checkpoints/checkpoint.ts";
import type { Answer } from "../../core/checkpoints/answering.ts";
import {
  type Batch,
  type BatchedQuestion,
  dueBatches,
  insertBatch,
  lockUnanswered,
  moveBatch,
  questionsOfBatch,
  recordBecame,
} from "../../db/batches.ts";
import { getCheckpoint } from "../../db/checkpoints.ts";
import { type Db, withFreshId } from "../../db/connection/client.ts";
import { isConflict, isTooSlow, isUnavailable } from "../../db/connection/failures.ts";
import { mark } from "../../db/connection/marks.ts";
import { liveSessions } from "../../db/console-sessions.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { type Deps, type Doors, sha256 } from "../../deps.ts";
import { spaceWordsOf } from "../../core/space/no-space.ts";
import type { Answered, Answerer } from "../shared/audit.ts";
import type { AskDeps } from "../shared/ask-about.ts";
import { answerIn } from "./answer.ts";

/** One answer to many questions (core/checkpoints/batch.ts). */
export interface BatchRequest {
  readonly choice: string;
  readonly by: Answerer;
  readonly consoleName: string | null;
  /** The questions in their current state. */
  readonly questions: readonly Checkpoint[];
  /** Questions that were added or changed after the list was shown, or are no longer open. They are named, not answered. */
  readonly leftOut: readonly { readonly question: Checkpoint; readonly became: Became }[];
}

/** Stores the batch and starts the time in which it can be undone. Nothing is answered yet. */
export async function holdBatch(tx: Db, deps: AskDeps, request: BatchRequest): Promise<Batch> {
  const { choice, by, consoleName, questions, leftOut } = request;
  const askedAt = deps.now();
  const dueAt = new Date(askedAt.getTime() + deps.policy.checkpoints.undoBatchMs);
  const { actor, actorId, via, groups } = by;
  const row = { choice, status: "held" as const, actor, actorId, via, groups, consoleName, askedAt, dueAt };
  const rowOf = (each: Checkpoint, became: Became | null) => {
    const { checkpointId, version } = each;
    return { checkpointId, version, seen: sha256(seenWords(each)), became };
  };
  const rows = [
    ...questions.map((each) => rowOf(each, null)),
    ...leftOut.map(({ question, became }) => rowOf(question, became)),
  ];
  const batchId = await withFreshId(
    () => deps.newId("ba"),
    (id) => insertBatch(tx, { ...row, batchId: id }, rows),
  );
  const detail = { batchId, choice, checkpoints: questions.map(({ checkpointId }) => checkpointId) };
  await appendTimeline(tx, { event: "batch.held", actor, via, at: askedAt, detail });
  mark(tx, "batch", batchId);
  return { ...row, batchId, settledAt: null, undoneBy: null };
}

/** Undoes a batch. False when it has begun, is over or was undone before. Safe to repeat. */
export async function undoBatch(
  tx: Db,
  deps: Pick<Deps, "now">,
  batchId: string,
  { actor, via }: Pick<Answerer, "actor" | "via">,
): Promise<boolean> {
  const at = deps.now();
  if (!(await moveBatch(tx, batchId, "held", { status: "undone", settledAt: at, undoneBy: actor }))) return false;
  await appendTimeline(tx, { event: "batch.undone", actor, via, at, detail: { batchId } });
  mark(tx, "batch", batchId);
  return true;
}

type AnsweringBatch = Pick<Deps, "database" | "log"> & Doors;

/**
 * Gives the answers of all due batches, each in a transaction of its own together with its result. An interrupted batch continues with the
 * next call, and two concurrent processes answer each question once. Throws when the database is unreachable.
 */
export async function answerDueBatches(deps: AnsweringBatch): Promise<void> {
  for (const batch of await dueBatches(deps.database.db, deps.now())) {
    // From here on it cannot be undone. A concurrent undo either came first or is refused.
    const { batchId } = batch;
    const began =
      batch.status === "begun" ||
      (await deps.database.transaction((tx) => moveBatch(tx, batchId, "held", { status: "begun" })));
    if (began) await answerBatch(deps, batch);
  }
}

async function answerBatch(deps: AnsweringBatch, batch: Batch): Promise<void> {
  const { batchId, actor, via } = batch;
  let isWhole = true;
  for (const each of await questionsOfBatch(deps.database.db, batchId)) {
    if (each.became !== null) continue;
    try {
      await deps.database.transaction((tx) => answerOne(tx, deps, batch, each));
    } catch (error) {
      if (isUnavailable(error) || spaceWordsOf(error) !== null) throw error;
      deps.log.error("batch.not-answered", { batchId, checkpointId: each.checkpointId, error });
      // A conflict with other transactions: the next call tries again.
      if (isConflict(error) || isTooSlow(error)) {
        isWhole = false;
        continue;
      }
      await deps.database.transaction(async (tx) => {
        if (await lockUnanswered(tx, each)) await recordBecame(tx, each, "failed");
      });
    }
  }
  if (!isWhole) return;
  await deps.database.transaction(async (tx) => {
    const at = deps.now();
    if (!(await moveBatch(tx, batchId, "begun", { status: "settled", settledAt: at }))) return;
    const all = await questionsOfBatch(tx, batchId);
    const leftOut = all.flatMap(({ checkpointId, became }) =>
      became === null || hasAnswerOf(became) ? [] : [checkpointId],
    );
    const detail = { batchId, answered: all.length - leftOut.length, leftOut };
    await appendTimeline(tx, { event: "batch.settled", actor, via, at, detail });
    mark(tx, "batch", batchId);
  });
}

/** Gives one answer in the same way as a click, and records its result. The batch's own row is locked first. */
async function answerOne(tx: Db, deps: AnsweringBatch, batch: Batch, question: BatchedQuestion): Promise<void> {
  if (!(await lockUnanswered(tx, question))) return;
  await recordBecame(tx, question, await tryAnswer(tx, deps, batch, question));
}

async function tryAnswer(
  tx: Db,
  deps: AnsweringBatch,
  { choice, actor, actorId, via, groups, askedAt: givenAt, ...batch }: Batch,
  { checkpointId, version, seen }: BatchedQuestion,
): Promise<Became> {
  if (!(await mayStillDecide(tx, deps, { actorId, groups, ...batch }))) return "not-allowed";
  const checkpoint = await getCheckpoint(tx, checkpointId);
  const isOpen = checkpoint?.status === "pending";
  if (isOpen && sha256(seenWords(checkpoint)) !== seen) return "changed";
  const answer: Answer = {
    choice,
    version,
    notes: null,
    instructions: null,
    criteria: null,
    budgetMicroUsd: null,
    givenAt,
  };
  const answered: Answered | null = await answerIn(tx, deps, checkpointId, {
    answer,
    answerer: { actor, actorId, via, groups },
  });
  return becameOf(answered?.decision ?? null);
}

/** False when the person was removed from COS_APPROVERS since, or their console session was ended. */
async function mayStillDecide(
  db: Db,
  deps: Pick<AnsweringBatch, "config" | "now">,
  { actorId, groups, consoleName }: Pick<Batch, "actorId" | "groups" | "consoleName">,
): Promise<boolean> {
  if (consoleName !== null) {
    const live = await liveSessions(db, deps.now());
    return live.some(({ name, openedAt }) => name === consoleName && openedAt !== null);
  }
  if (actorId === null) return true;
  const member = { id: actorId, isActive: true, groups, membership: "member" as const };
  return mayChange(member, deps.config.approvers).type === "allowed";
}
