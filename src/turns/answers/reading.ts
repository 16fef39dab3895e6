import type { Checkpoint } from "../../core/checkpoints/checkpoint.ts";
import type { Answer } from "../../core/checkpoints/answering.ts";
import { answerable } from "../../core/checkpoints/find-option.ts";
import { localAccount, type People, personWith } from "../../core/people.ts";
import { answerOfReply } from "../../core/replies/answer.ts";
import { readBackWords } from "../../core/replies/read-back.ts";
import type { CompiledReply } from "../../core/replies/compiled-reply.ts";
import { getCheckpoint, lockCheckpoint } from "../../db/checkpoints.ts";
import { type Db, withFreshId } from "../../db/connection/client.ts";
import {
  getReply,
  insertReply,
  lockReply,
  openReadingsOf,
  proposedReplies,
  type ReplyRow,
  updateReplies,
} from "../../db/replies.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Deps } from "../../deps.ts";
import { answerIn } from "./answer.ts";
import type { Answered, Answerer } from "../shared/audit.ts";
import type { AskDeps } from "../shared/ask-about.ts";

/**
 * Replies in prose: read as a decision, shown to the writer, and applied when somebody presses Confirm.
 *
 *   unread ──model──► proposed ──Confirm──► confirmed: the question is answered
 *      └────────────► unclear    ├─No─────► dismissed
 *                                ├─another is confirmed, or its writer writes again─► replaced
 *                                └─its writer edits or deletes it─► edited (and read anew), withdrawn
 */
export interface Written {
  readonly checkpoint: Checkpoint;
  /** The subject of the message under which it was written. */
  readonly thread: string;
  readonly text: string;
  readonly writer: Answerer;
  /** The platform's id of the message. Null when it cannot change. */
  readonly message: string | null;
}

/** Stores a reply and its reading (null: the model has to read it), and shows it in its thread. Returns its id. */
export async function keepReading(
  tx: Db,
  deps: AskDeps,
  written: Written,
  compiled: CompiledReply | null,
): Promise<string> {
  const { checkpoint, writer } = written;
  const now = deps.now();
  const replyId = await withFreshId(
    () => deps.newId("rp"),
    (id) =>
      insertReply(tx, {
        replyId: id,
        checkpointId: checkpoint.checkpointId,
        thread: written.thread,
        version: checkpoint.version,
        actor: writer.actor,
        actorId: writer.actorId,
        via: writer.via,
        message: written.message,
        text: written.text,
        compiled: null,
        status: "unread",
        createdAt: now,
      }),
  );
  if (compiled === null) mark(tx, "reply", replyId);
  else await settleReading(tx, deps, replyId, compiled);
  return replyId;
}

/** True when two replies are from the same person, who may write in several places (D55). */
export function isSamePerson(one: Writer, other: Writer, people: People): boolean {
  const accounts = [one, other].map(({ actorId }) => actorId ?? localAccount);
  const [first, second] = accounts.map((account) => personWith(account, people));
  return one.actor === other.actor && (accounts[0] === accounts[1] || (first !== null && first === second));
}

type Writer = Pick<ReplyRow, "actor" | "actorId">;

/** Stores how a reply was read: it waits for confirmation, or asks back. Earlier replies of its writer are replaced. */
export async function settleReading(tx: Db, deps: AskDeps, replyId: string, compiled: CompiledReply): Promise<void> {
  const row = await lockReply(tx, replyId);
  if (row === null || row.status !== "unread") return;
  const status = compiled.type === "unclear" ? "unclear" : "proposed";
  if (status === "proposed") {
    const proposed = await proposedReplies(tx, row.checkpointId, row.version);
    const earlier = proposed.filter((each) => isSamePerson(each, row, deps.config.people));
    await settle(tx, deps, earlier, { status: "replaced", settledBy: row.actor });
  }
  await updateReplies(tx, [replyId], { status, compiled });
  const checkpoint = await getCheckpoint(tx, row.checkpointId);
  await appendTimeline(tx, {
    event: "reply.read",
    goalId: checkpoint?.goalId ?? null,
    checkpointId: row.checkpointId,
    actor: row.actor,
    via: row.via,
    at: deps.now(),
    detail: { replyId, type: compiled.type, words: readBackWords(compiled) },
  });
  mark(tx, "reply", replyId);
  // Other replies show different readings on their own cards.
  for (const other of await proposedReplies(tx, row.checkpointId, row.version)) mark(tx, "reply", other.replyId);
}

/** How a reading was settled, and by whom. */
interface Settled {
  readonly status: "confirmed" | "dismissed" | "replaced" | "edited" | "withdrawn";
  readonly settledBy: string;
}

async function settle(tx: Db, deps: AskDeps, rows: readonly ReplyRow[], settled: Settled): Promise<void> {
  const ids = rows.map((each) => each.replyId);
  await updateReplies(tx, ids, { ...settled, settledAt: deps.now() });
  for (const id of ids) mark(tx, "reply", id);
}

/**
 * After a message was edited or deleted: its readings that wait for confirmation are withdrawn. Returns whether there were any. Safe to
 * repeat.
 */
export async function takeBackReadings(
  tx: Db,
  deps: AskDeps,
  change: { readonly message: string; readonly became: "edited" | "withdrawn"; readonly by: Pick<Answerer, "actor"> },
): Promise<boolean> {
  const seen = await openReadingsOf(tx, change.message);
  const [first] = seen;
  if (first === undefined) return false;
  await lockCheckpoint(tx, first.checkpointId);
  for (const { replyId } of seen) await lockReply(tx, replyId);
  const open = await openReadingsOf(tx, change.message);
  await settle(tx, deps, open, { status: change.became, settledBy: change.by.actor });
  for (const other of await proposedReplies(tx, first.checkpointId, first.version)) mark(tx, "reply", other.replyId);
  return open.length > 0;
}

export type Confirmed =
  | { readonly type: "answered"; readonly answered: Answered }
  /** Somebody was faster, or nothing was proposed. */
  | { readonly type: "not-open"; readonly status: ReplyRow["status"] }
  | { readonly type: "not-offered" };

/**
 * Confirms a reading: gives its answer in one transaction with the reply's own state. Null when there is no such reply. Locks are taken in
 * order, the question's first (D9).
 */
export async function confirmReading(
  deps: Pick<Deps, "database"> & AskDeps,
  replyId: string,
  by: Answerer,
): Promise<Confirmed | null> {
  return await deps.database.transaction(async (tx): Promise<Confirmed | null> => {
    const seen = await getReply(tx, replyId);
    if (seen === null) return null;
    if (seen.status !== "proposed" || seen.compiled === null) return { type: "not-open", status: seen.status };
    const checkpoint = await getCheckpoint(tx, seen.checkpointId);
    const answer = checkpoint === null ? null : answerFrom(seen, seen.compiled, checkpoint);
    if (answer === null) return { type: "not-offered" };

    const answered = await answerIn(tx, deps, seen.checkpointId, { answer, answerer: by });
    if (answered === null) return null;
    const row = await lockReply(tx, replyId);
    if (row === null || row.status !== "proposed") return { type: "not-open", status: row?.status ?? "replaced" };
    const others = (await proposedReplies(tx, row.checkpointId, row.version)).filter(
      (each) => each.replyId !== replyId,
    );
    const isTaken = ["recorded", "paused", "voted", "reopened"].includes(answered.decision.type);
    await settle(tx, deps, [row], { status: isTaken ? "confirmed" : "replaced", settledBy: by.actor });
    if (answered.decision.type === "recorded")
      await settle(tx, deps, others, { status: "replaced", settledBy: by.actor });
    await tellSettled(tx, deps, row, { event: isTaken ? "reply.confirmed" : "reply.dismissed", by });
    return { type: "answered", answered };
  });
}

function answerFrom(row: ReplyRow, compiled: CompiledReply, checkpoint: Checkpoint): Answer | null {
  const answer = answerOfReply(compiled, answerable(checkpoint), row.version);
  return answer === null ? null : { ...answer, notes: row.text, writtenBy: row.actor };
}

/** Dismisses a reading, which has no effect then. False when it does not wait for confirmation. */
export async function dismissReading(
  deps: Pick<Deps, "database"> & AskDeps,
  replyId: string,
  by: Answerer,
): Promise<boolean> {
  return await deps.database.transaction(async (tx) => {
    const seen = await getReply(tx, replyId);
    if (seen === null) return false;
    await lockCheckpoint(tx, seen.checkpointId);
    const row = await lockReply(tx, replyId);
    if (row === null || row.status !== "proposed") return false;
    await settle(tx, deps, [row], { status: "dismissed", settledBy: by.actor });
    for (const other of await proposedReplies(tx, row.checkpointId, row.version)) mark(tx, "reply", other.replyId);
    await tellSettled(tx, deps, row, { event: "reply.dismissed", by });
    return true;
  });
}

async function tellSettled(
  tx: Db,
  deps: AskDeps,
  row: ReplyRow,
  { event, by }: { readonly event: "reply.confirmed" | "reply.dismissed"; readonly by: Answerer },
): Promise<void> {
  const checkpoint = await getCheckpoint(tx, row.checkpointId);
  const { actor, via } = by;
  const ids = { goalId: checkpoint?.goalId ?? null, checkpointId: row.checkpointId };
  await appendTimeline(tx, { event, ...ids, actor, via, at: deps.now(), detail: { replyId: row.replyId } });
}
